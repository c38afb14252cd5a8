import { describe, expect, test } from "vitest";
import { thingsOf } from "../../src/chat/things";
import { applyCalls } from "../../src/document/edits";
import { applyChanges, EMPTY_SCENE, type SceneDocument } from "../../src/document/scene";
import { groupCalls } from "../../src/document/tree/grouping";
import { groupPlaceCalls, moveBesideCalls, stepCalls } from "../../src/document/tree/order";
import { rowsOf } from "../../src/document/tree/tree";
import type { SceneChange } from "../../src/protocol";

const ball = (id: string, group?: string) => ({
  id,
  type: "sphere",
  properties: {},
  ...(group !== undefined && { group }),
});
/** In no group: a, b, c and lamp; in pair: d and e; in other, which is not listed: f. */
const SCENE: SceneDocument = {
  ...EMPTY_SCENE,
  shapes: [ball("a"), ball("b"), ball("d", "pair"), ball("c"), ball("e", "pair"), ball("f", "other")],
  lights: [{ id: "lamp", type: "point_spot_light", properties: {} }],
  groups: [{ id: "pair", parent: null }],
};
const shown = (scene: SceneDocument, ...open: string[]) =>
  rowsOf(scene, new Set(open))
    .map(({ key, kind }) => (kind === "camera" || kind === "environment" ? "" : key))
    .filter((key) => key !== "");

describe("the order of the outliner", () => {
  test("follows what is put before or after another", () => {
    expect(shown(SCENE)).toEqual(["a", "b", "pair", "c", "other", "lamp"]);
    const last = applyCalls(SCENE, moveBesideCalls(SCENE, ["a"], "c", "after"));
    expect(shown(last)).toEqual(["b", "pair", "c", "a", "other", "lamp"]);
    const first = applyCalls(SCENE, moveBesideCalls(SCENE, ["c"], "a", "before"));
    expect(shown(first)).toEqual(["c", "a", "b", "pair", "other", "lamp"]);
    const groups = applyCalls(SCENE, moveBesideCalls(SCENE, ["other"], "pair", "before"));
    expect(shown(groups)).toEqual(["a", "b", "c", "other", "pair", "lamp"]);
  });

  test("a new group stands where the first of it stood, also among groups", () => {
    const made = groupCalls(SCENE, ["c", "b"]);
    const grouped = applyCalls(SCENE, made?.calls ?? []);
    const placed = applyCalls(grouped, groupPlaceCalls(grouped, made?.id ?? ""));
    expect(shown(placed, "group")).toEqual(["a", "group", "b", "c", "pair", "other", "lamp"]);
    expect(groupPlaceCalls(placed, "group"), "once").toEqual([]);
    const ofLights = applyCalls(SCENE, groupCalls(SCENE, ["lamp"])?.calls ?? []);
    expect(shown(ofLights, "group"), "without a shape it is with the groups").toContain("lamp");
  });

  test("changes with the group where the row beside is in another one", () => {
    const scene = applyCalls(SCENE, moveBesideCalls(SCENE, ["a", "c"], "e", "before"));
    expect(shown(scene, "pair")).toEqual(["b", "pair", "d", "a", "c", "e", "other", "lamp"]);
  });

  test("takes only what is of the same kind; the rest is put into the group", () => {
    expect(moveBesideCalls(SCENE, ["lamp"], "a", "before")).toEqual([]);
    const scene = applyCalls(SCENE, moveBesideCalls(SCENE, ["a", "lamp"], "d", "before"));
    expect(shown(scene, "pair")).toEqual(["b", "pair", "a", "d", "e", "lamp", "c", "other"]);
  });

  test("is not asked for where nothing would change", () => {
    expect(moveBesideCalls(SCENE, ["a"], "b", "before")).toEqual([]);
    expect(moveBesideCalls(SCENE, ["a"], "a", "after")).toEqual([]);
    expect(moveBesideCalls(SCENE, ["pair"], "d", "before")).toEqual([]);
  });

  test("changes by one up and down, to the ends", () => {
    const down = applyCalls(SCENE, stepCalls(SCENE, ["a"], 1));
    expect(shown(down)).toEqual(["b", "a", "pair", "c", "other", "lamp"]);
    const twice = applyCalls(down, stepCalls(down, ["a"], 1));
    expect(shown(twice)).toEqual(["b", "pair", "c", "a", "other", "lamp"]);
    expect(stepCalls(twice, ["a"], 1)).toEqual([]);
    const up = applyCalls(twice, stepCalls(twice, ["c", "a"], -1));
    expect(shown(up)).toEqual(["c", "a", "b", "pair", "other", "lamp"]);
  });

  test("is told as such, and what only moved stays the same object", () => {
    const changes = ["b", "a"].map((id, index): SceneChange => {
      const object = ball(id);
      return { op: "update", kind: "shape", id, before: object, after: object, index };
    });
    const before = { ...EMPTY_SCENE, shapes: [ball("a"), ball("b")] };
    const after = applyChanges(before, changes);
    expect(after.shapes).toEqual([ball("b"), ball("a")]);
    expect(after.shapes[0]).toBe(before.shapes[1]);
    expect(thingsOf(changes)).toEqual([]);
  });
});
