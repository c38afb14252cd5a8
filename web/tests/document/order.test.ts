import { describe, expect, test } from "vitest";
import { thingsOf } from "../../src/chat/things";
import { applyCalls } from "../../src/document/edits";
import { applyChanges, EMPTY_SCENE, type SceneDocument } from "../../src/document/scene";
import { moveBesideCalls, stepCalls } from "../../src/document/tree/order";
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
    expect(shown(SCENE)).toEqual(["pair", "other", "a", "b", "c", "lamp"]);
    const last = applyCalls(SCENE, moveBesideCalls(SCENE, ["a"], "c", "after"));
    expect(shown(last)).toEqual(["pair", "other", "b", "c", "a", "lamp"]);
    const first = applyCalls(SCENE, moveBesideCalls(SCENE, ["c"], "a", "before"));
    expect(shown(first)).toEqual(["pair", "other", "c", "a", "b", "lamp"]);
    const groups = applyCalls(SCENE, moveBesideCalls(SCENE, ["other"], "pair", "before"));
    expect(shown(groups)).toEqual(["other", "pair", "a", "b", "c", "lamp"]);
  });

  test("changes with the group where the row beside is in another one", () => {
    const scene = applyCalls(SCENE, moveBesideCalls(SCENE, ["a", "c"], "e", "before"));
    expect(shown(scene, "pair")).toEqual(["pair", "d", "a", "c", "e", "other", "b", "lamp"]);
  });

  test("takes only what is of the same kind; the rest is put into the group", () => {
    expect(moveBesideCalls(SCENE, ["lamp"], "a", "before")).toEqual([]);
    const scene = applyCalls(SCENE, moveBesideCalls(SCENE, ["a", "lamp"], "d", "before"));
    expect(shown(scene, "pair")).toEqual(["pair", "a", "d", "e", "lamp", "other", "b", "c"]);
  });

  test("is not asked for where nothing would change", () => {
    expect(moveBesideCalls(SCENE, ["a"], "b", "before")).toEqual([]);
    expect(moveBesideCalls(SCENE, ["a"], "a", "after")).toEqual([]);
    expect(moveBesideCalls(SCENE, ["pair"], "d", "before")).toEqual([]);
  });

  test("changes by one up and down, to the ends", () => {
    const down = applyCalls(SCENE, stepCalls(SCENE, ["a"], 1));
    expect(shown(down)).toEqual(["pair", "other", "b", "a", "c", "lamp"]);
    const twice = applyCalls(down, stepCalls(down, ["a"], 1));
    expect(shown(twice)).toEqual(["pair", "other", "b", "c", "a", "lamp"]);
    expect(stepCalls(twice, ["a"], 1)).toEqual([]);
    const up = applyCalls(twice, stepCalls(twice, ["c", "a"], -1));
    expect(shown(up)).toEqual(["pair", "other", "c", "a", "b", "lamp"]);
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
