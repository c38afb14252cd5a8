import { expect, test } from "vitest";
import { copiedText, pasteCalls } from "../../src/document/clipboard";
import { applyCalls } from "../../src/document/edits";
import { EMPTY_SCENE, groupIds } from "../../src/document/scene";
import { CAMERA_KEY } from "../../src/document/subject";
import { groupPath } from "../../src/document/tree/tree";
import { SCENE } from "../support/small-scene";

const copyOf = (...keys: string[]) => copiedText(SCENE, keys) ?? "";

test("a copied group comes whole into another scene, where it stood", () => {
  const pasted = pasteCalls(EMPTY_SCENE, copyOf("snowman", "key"));
  const scene = applyCalls(EMPTY_SCENE, pasted?.calls ?? []);
  expect(pasted?.keys).toEqual(["snowman", "key"]);
  expect([...groupIds(scene)].sort()).toEqual(["snowman", "top"]);
  expect(groupPath(scene, scene.shapes.find(({ id }) => id === "hat")?.group ?? "")).toEqual([
    "top",
    "snowman",
  ]);
  const properties = (id: string, { shapes }: typeof scene) =>
    shapes.find((each) => each.id === id)?.properties;
  expect(properties("head", scene)).toEqual(properties("head", SCENE));
  expect(scene.lights).toHaveLength(1);
});

test("in a scene that has them still, copies get other names and stand beside", () => {
  const pasted = pasteCalls(SCENE, copyOf("head"));
  expect(pasted?.keys).toEqual(["head_2"]);
  expect(pasted?.calls[0]).toMatchObject({ name: "create_shape", args: { id: "head_2" } });
  expect(pasted?.calls[0]?.args, "a part comes without its group").not.toHaveProperty("group");
});

test("nothing is copied without objects, and any other text is not pasted", () => {
  expect(copiedText(SCENE, [CAMERA_KEY])).toBeNull();
  for (const text of ["", "hello", '{"format":"scene-llm objects"}', "scene-llm objects", "[]"]) {
    expect(pasteCalls(SCENE, text), text).toBeNull();
  }
});
