import { expect, test } from "vitest";
import { pickedKey, selectionAfterClick } from "../../src/document/picking";
import { SCENE } from "../support/small-scene";

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
