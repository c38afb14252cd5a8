import { describe, expect, test } from "vitest";
import { applyCalls, changedKeys } from "../../src/document/edits";
import { EMPTY_SCENE, type SceneDocument, type SceneObject } from "../../src/document/scene";
import { sharedMaterialKind, sharedProperties } from "../../src/document/shared-properties";
import { CAMERA_KEY, MAX_NAMED, membersOf, namedSelection, propertyCalls } from "../../src/document/subject";
import {
  directMembers,
  groupCalls,
  movable,
  moveToGroupCalls,
  renameGroupCalls,
  ungroupCalls,
} from "../../src/document/tree/grouping";

const matte = (albedo: number[]) => ({ type: "lambertian", albedo });
const ball = (id: string, more: Partial<SceneObject> = {}, properties = {}): SceneObject => ({
  id,
  type: "sphere",
  properties: { center: [0, 0, 0], radius: 1, material: matte([1, 0, 0]), ...properties },
  ...more,
});
/** a; b in pair; c in inner, which is in pair. */
const SCENE: SceneDocument = {
  ...EMPTY_SCENE,
  shapes: [ball("a"), ball("b", { group: "pair" }), ball("c", { group: "inner" })],
  lights: [{ id: "key", type: "point_spot_light", properties: { center: [0, 4, 0], emission: [9, 9, 9] } }],
  groups: [
    { id: "pair", parent: null },
    { id: "inner", parent: "pair" },
  ],
};
const groupOf = (scene: SceneDocument, id: string) =>
  [...scene.shapes, ...scene.lights].find((object) => object.id === id)?.group ?? null;
const parentOf = (scene: SceneDocument, id: string) => scene.groups.find((group) => group.id === id)?.parent;

describe("what is grouped", () => {
  test("becomes a group with a name of its own; cameras and what is in a selected group stay out", () => {
    const made = groupCalls(SCENE, [CAMERA_KEY, "a", "pair", "c"]);
    expect(made).toEqual({
      id: "group",
      calls: [{ name: "group", args: { id: "group", ids: ["a", "pair"] } }],
    });
    const scene = applyCalls(SCENE, made?.calls ?? []);
    expect([groupOf(scene, "a"), parentOf(scene, "pair"), parentOf(scene, "group")]).toEqual([
      "group",
      "group",
      null,
    ]);
    expect(groupCalls(SCENE, [CAMERA_KEY])).toBeNull();
  });

  test("stays in the group it was in", () => {
    const made = groupCalls(SCENE, ["b", "inner"]);
    const scene = applyCalls(SCENE, made?.calls ?? []);
    expect(parentOf(scene, "group")).toBe("pair");
    expect(directMembers(scene, "pair")).toEqual(["group"]);
    expect(directMembers(scene, "group")).toEqual(["b", "inner"]);
  });

  test("is freed into the group around", () => {
    const freed = ungroupCalls(SCENE, ["inner", "a"]);
    expect(freed).toEqual({ members: ["c"], calls: [{ name: "ungroup", args: { id: "inner" } }] });
    const scene = applyCalls(SCENE, freed?.calls ?? []);
    expect(groupOf(scene, "c")).toBe("pair");
    expect(scene.groups).toEqual([{ id: "pair", parent: null }]);
    expect(ungroupCalls(SCENE, ["a"])).toBeNull();
  });

  test("goes by another name, at its place, with all that is in it", () => {
    const scene = applyCalls(SCENE, renameGroupCalls(SCENE, "inner", "core"));
    expect([groupOf(scene, "c"), parentOf(scene, "core"), parentOf(scene, "inner")]).toEqual([
      "core",
      "pair",
      undefined,
    ]);
    const outer = applyCalls(SCENE, renameGroupCalls(SCENE, "pair", "two"));
    expect(directMembers(outer, "two")).toEqual(["b", "inner"]);
    expect(parentOf(outer, "pair")).toBeUndefined();
  });

  test("is put into another group, or out of all, with what is in it", () => {
    const into = applyCalls(SCENE, moveToGroupCalls(SCENE, ["a", "c"], "inner"));
    expect(directMembers(into, "inner")).toEqual(["a", "c"]);
    const free = applyCalls(SCENE, moveToGroupCalls(SCENE, ["b", "inner"], null));
    expect([groupOf(free, "b"), parentOf(free, "inner"), groupOf(free, "c")]).toEqual([null, null, "inner"]);
    expect(free.groups.map(({ id }) => id).sort()).toEqual(["inner", "pair"]);
    expect(moveToGroupCalls(SCENE, ["pair"], "inner"), "not into itself").toEqual([]);
    expect(movable(SCENE, ["a", "b", CAMERA_KEY], "pair"), "not where it is").toEqual(["a"]);
  });

  test("is told apart from what was not touched", () => {
    const scene = applyCalls(SCENE, [{ name: "ungroup", args: { id: "inner" } }]);
    expect(changedKeys(SCENE, scene).sort()).toEqual(["c", "inner"]);
    expect(changedKeys(SCENE, SCENE)).toEqual([]);
  });
});

describe("what a message names as selected", () => {
  const many = Array.from({ length: MAX_NAMED + 1 }, (_, index) => `n${index}`);
  const crowd = (group?: string): SceneDocument => ({
    ...SCENE,
    shapes: [...SCENE.shapes, ...many.map((id) => ball(id, group === undefined ? {} : { group }))],
  });

  test("is what is selected, while a message has room for it", () => {
    expect(namedSelection(SCENE, [CAMERA_KEY, "a", "b", "c"])).toEqual(["a", "b", "c"]);
  });

  test("is a group instead of its members where those are too many, and only where all are selected", () => {
    expect(namedSelection(crowd("inner"), ["a", "b", "c", ...many])).toEqual(["a", "pair"]);
    expect(namedSelection(crowd("inner"), ["a", "c", ...many])).toEqual(["a", "inner"]);
    expect(namedSelection(crowd("inner"), ["b", ...many])).toHaveLength(many.length + 1);
  });

  test("is never cut: what has no group stays, however many that are", () => {
    expect(namedSelection(crowd(), ["a", ...many])).toEqual(["a", ...many]);
  });
});

describe("several things at once", () => {
  const members = membersOf({
    ...EMPTY_SCENE,
    shapes: [
      ball("a"),
      ball("b", {}, { radius: 2 }),
      ball("c", { type: "disc" }, { normal: [0, 1, 0], material: matte([0, 1, 0]) }),
    ],
  });

  test("share what all have and what one value can be given to", () => {
    const shown = sharedProperties(members).map(({ path, mixed }) => [path.join("."), mixed]);
    expect(shown).toEqual([
      ["radius", true],
      ["material.albedo", true],
    ]);
    expect(sharedMaterialKind(members)).toBe("lambertian");
  });

  test("with different materials share their kind only once it is chosen", () => {
    const glass = membersOf({ ...EMPTY_SCENE, shapes: [ball("a"), ball("g", {}, { material: "glass" })] });
    expect(sharedProperties(glass).map(({ path }) => path.join("."))).toEqual(["radius"]);
    expect(sharedMaterialKind(glass)).toBe("");
    expect(sharedMaterialKind(membersOf(SCENE))).toBeNull();
  });

  test("are given a value in one step, each keeping the rest of its material", () => {
    const calls = propertyCalls({ key: "a\tb\tc", kind: "many", members }, ["material", "albedo"], [0, 0, 1]);
    expect(calls.map(({ args }) => (args as { id: string }).id)).toEqual(["a", "b", "c"]);
    expect(calls[2]?.args).toMatchObject({ updates: { properties: { material: matte([0, 0, 1]) } } });
  });
});
