import { describe, expect, test } from "vitest";
import { applyCalls } from "../../src/document/edits";
import { EMPTY_SCENE, type SceneDocument, type SceneObject } from "../../src/document/scene";
import { CAMERA_KEY, membersOf } from "../../src/document/subject";
import {
  boxAround,
  middleOf,
  outlinedExtents,
  relativeCalls,
  undersideOf,
} from "../../src/document/transform/arrange";
import { stretchedProperties } from "../../src/document/transform/stretch";

const box = (id: string, center: number[], rotation = [0, 0, 0]): SceneObject => ({
  id,
  type: "box",
  properties: { center, dimensions: [1, 2, 1], rotation },
});
const mesh: SceneObject = { id: "m", type: "mesh", properties: { asset: "x" } };
const SCENE = { ...EMPTY_SCENE, shapes: [box("a", [0, 0, 0]), box("b", [4, 0, 0], [0, 0, 90]), mesh] };
const [a, b, m] = membersOf(SCENE) as [never, never, never];
const noBox = () => null;

describe("the box around several things", () => {
  test("is that of all, turned ones as they stand", () => {
    const around = boxAround([a, b], noBox);
    expect(around?.min.map((value) => Math.round(value * 1e9) / 1e9)).toEqual([-0.5, -1, -0.5]);
    expect(around?.max.map((value) => Math.round(value * 1e9) / 1e9)).toEqual([5, 1, 0.5]);
  });

  test("has what only the view knows by its drawing", () => {
    const drawn = { min: [9, 9, 9], max: [10, 10, 10] } as const;
    expect(boxAround([m], noBox)).toBeNull();
    expect(boxAround([m], () => drawn)).toEqual(drawn);
    expect(boxAround([a, m], () => drawn)?.max).toEqual([10, 10, 10]);
  });
});

test("several things move, turn and grow as one about their middle", () => {
  const members = membersOf(SCENE).slice(0, 2);
  const after = (transform: Parameters<typeof relativeCalls>[2]) =>
    applyCalls(SCENE, relativeCalls(members, [2, 0, 0], transform)).shapes.map(
      ({ properties }) => properties,
    );
  expect(middleOf({ min: [0, 0, 0], max: [2, 4, 6] })).toEqual([1, 2, 3]);
  expect(
    after({ position: [3, 1, 0] })
      .map(({ center }) => center)
      .slice(0, 2),
  ).toEqual([
    [1, 1, 0],
    [5, 1, 0],
  ]);
  const [first, second] = after({ rotation: [0, 90, 0] });
  expect([first?.center, second?.center]).toEqual([
    [2, 0, 2],
    [2, 0, -2],
  ]);
  expect(after({ factor: 2 })[0]).toMatchObject({ center: [-2, 0, 0], dimensions: [2, 4, 2] });
});

describe("what stands on something", () => {
  const around = { min: [0, 1, 0], max: [2, 2, 4] } as const;

  test("is scaled about the middle of its underside, what hovers or sinks in is not", () => {
    expect(undersideOf(around, 1)).toEqual([1, 1, 2]);
    expect(undersideOf(around, 1.01)).toEqual([1, 1, 2]);
    expect(undersideOf(around, 0.9)).toBeNull();
    expect(undersideOf(around, 1.5)).toBeNull();
  });

  test("stays there when it is stretched along its own axes", () => {
    const stretched = (rotation: number[], factors: [number, number, number]) =>
      stretchedProperties(box("a", [0, 1, 0], rotation), factors, [0, 0, 0]);
    expect(stretched([0, 0, 0], [1, 2, 1])).toEqual({ dimensions: [1, 4, 1], center: [0, 2, 0] });
    expect(stretched([0, 0, 0], [3, 1, 1])).toEqual({ dimensions: [3, 2, 1], center: [0, 1, 0] });
    // It lies on its side: its own x is up.
    expect(stretched([0, 0, 90], [2, 1, 1])).toEqual({ dimensions: [2, 2, 1], center: [0, 2, 0] });
  });
});

test("a group is outlined by one box, an object as it is turned, the camera by none", () => {
  const group = { id: "pair", parent: null } as SceneDocument["groups"][number];
  const shapes = [box("a", [0, 0, 0]), box("b", [4, 0, 0], [0, 0, 90])];
  const scene = { ...SCENE, shapes: shapes.map((each) => ({ ...each, group: "pair" })), groups: [group] };
  const outlined = (...keys: string[]) => outlinedExtents(scene, keys, noBox);
  expect(outlined("pair")).toHaveLength(1);
  expect(outlined("pair")[0]?.center).toEqual([2.25, 0, 0]);
  expect(outlined("a", "b").map(({ center }) => center)).toEqual([
    [0, 0, 0],
    [4, 0, 0],
  ]);
  expect(outlined(CAMERA_KEY, "gone")).toEqual([]);
});
