import { expect, test } from "vitest";
import { planeOf, planeProperties } from "../../src/document/transform/plane";

test("a plane that lies flat has no rotation; its size and middle are those of its edges", () => {
  expect(planeOf({ corner: [-1, 0, 1.5], u: [2, 0, 0], v: [0, 0, -3] })).toEqual({
    center: [0, 0, 0],
    size: [2, 3],
    rotation: [0, 0, 0],
  });
  expect(planeOf({ corner: [0, 0, 0], u: [1, 0, 0], v: [0, 2, 0] })?.rotation, "a wall").toEqual([90, 0, 0]);
});

test("whatever its center, size and rotation, its edges give them back", () => {
  for (const rotation of [
    [0, 0, 0],
    [90, 0, 0],
    [0, 35, 0],
    [10, 20, 30],
    [-80, 5, 120],
  ] as const) {
    const plane = { center: [1, 2, 3], size: [2, 0.5], rotation } as const;
    const again = planeOf(planeProperties(plane));
    expect(again?.size).toEqual([expect.closeTo(2), expect.closeTo(0.5)]);
    expect(again?.center.map((value) => Number(value.toFixed(6)))).toEqual([1, 2, 3]);
    expect(planeProperties(again ?? plane).u, String(rotation)).toEqual(
      (planeProperties(plane).u as number[]).map((value) => expect.closeTo(value, 6)),
    );
  }
});

test("what has no right angles is no plane with a size", () => {
  expect(planeOf({ corner: [0, 0, 0], u: [1, 0, 0], v: [1, 1, 0] })).toBeNull();
  expect(planeOf({ corner: [0, 0, 0], u: [0, 0, 0], v: [1, 1, 0] })).toBeNull();
  expect(planeOf({ corner: "x" })).toBeNull();
});
