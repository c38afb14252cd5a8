import { expect, test } from "vitest";
import { pickedKey, pointedId, selectionAfterClick } from "../../src/document/picking";
import { selectedMembers } from "../../src/document/subject";
import { withoutStage } from "../../src/view/viewport-controller";
import { ball, SCENE } from "../support/small-scene";

/** snowman holds head and the group top, which holds hat; floor and key stand alone. */
test("a click selects the outermost group first, then step by step what was clicked", () => {
  const clicks = (id: string, times: number) => {
    let selection: readonly string[] = [];
    for (let click = 0; click < times; click += 1)
      selection = selectionAfterClick(SCENE, selection, id, false);
    return selection;
  };
  expect([1, 2, 3, 4].map((times) => clicks("hat", times))).toEqual([["snowman"], ["top"], ["hat"], ["hat"]]);
  expect(clicks("floor", 1)).toEqual(["floor"]);
  expect(selectionAfterClick(SCENE, ["floor"], null, false)).toEqual([]);
});

test("beside something selected inside a group, a click stays on its level", () => {
  expect(pickedKey(SCENE, ["head"], "hat")).toBe("top");
  expect(pickedKey(SCENE, ["top"], "head")).toBe("head");
  expect(pickedKey(SCENE, ["floor"], "hat")).toBe("snowman");
  expect(pickedKey(SCENE, ["head"], "floor")).toBe("floor");
});

test("with Shift, groups and objects are put in, and taken out as they were put in", () => {
  expect(selectionAfterClick(SCENE, ["floor"], "hat", true)).toEqual(["floor", "snowman"]);
  expect(selectionAfterClick(SCENE, ["floor", "snowman"], "hat", true)).toEqual(["floor"]);
  expect(selectionAfterClick(SCENE, ["head"], "hat", true)).toEqual(["head", "top"]);
  expect(selectionAfterClick(SCENE, ["head"], null, true)).toEqual(["head"]);
});

test("the ground of a stage is beside all, until the stage is selected in the outliner", () => {
  const scene = {
    ...SCENE,
    shapes: [...SCENE.shapes, ball("stage_ground", "stage"), ball("curtain", "stage")],
  };
  expect(selectionAfterClick(scene, ["head"], "stage_ground", false)).toEqual([]);
  expect(selectionAfterClick(scene, ["head"], "stage_ground", true)).toEqual(["head"]);
  expect(pointedId(scene, [], "stage_ground")).toBeNull();
  expect(selectionAfterClick(scene, ["stage"], "stage_ground", false)).toEqual(["stage_ground"]);
  expect(selectionAfterClick(scene, [], "curtain", false)).toEqual(["stage"]);
});

test("what is looked at is never the ground of a stage", () => {
  const ground = ball("stage_ground", "stage");
  const scene = { ...SCENE, shapes: [...SCENE.shapes, ground] };
  const ids = (keys: readonly string[]) =>
    withoutStage(scene, selectedMembers(scene, keys)).map(({ object }) => object.id);
  expect(ids([])).toEqual(["floor", "head", "hat"]);
  expect(ids(["stage"])).toEqual(["floor", "head", "hat"]);
  expect(ids(["stage", "head"])).toEqual(["head"]);
  expect(ids(["key"])).toEqual(["key"]);
});
