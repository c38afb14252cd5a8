import { Box3, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import type { Properties, SceneObject } from "../../src/document/scene";
import { patternOf } from "../../src/document/texture";
import { dot, type Triple } from "../../src/document/vector";
import { chartOf } from "../../src/kinds/uv-charts";

const object = (type: string, properties: Properties): SceneObject => ({ id: type, type, properties });

describe("patterns", () => {
  test("are what the document says, with the server's values for what it leaves out", () => {
    const brick = patternOf({ type: "brick", scale: 2, offset: [1, 0, 0] });
    expect(brick).toMatchObject({
      type: "brick",
      mapping: "box",
      first: [0.36, 0.1, 0.06],
      offset: [1, 0, 0],
    });
    // In widths of a brick, of 0.25 m: mortar, shift, variation and height.
    expect(brick?.numbers).toEqual([0.04, 0.5, 0.25, 0.3]);
    expect(brick?.rows[0][0]).toBeCloseTo(2);
    const nested = patternOf({ type: "checker", first: { type: "checker" }, second: [1, 1, 1] }, 0.5);
    expect(nested?.first[0]).toBeCloseTo(0.2125);
    expect(nested?.second).toEqual([0.5, 0.5, 0.5]);
    expect(patternOf({ type: "image", asset: "abc", wrap: "clamp" })).toMatchObject({
      mapping: "uv",
      image: { asset: "abc", wrap: "clamp" },
    });
    for (const other of [[1, 1, 1], { type: "plaid" }, { type: "image" }, undefined]) {
      expect(patternOf(other)).toBeNull();
    }
  });

  test("turn against their rotation, as textures that are turned do", () => {
    const { rows } = patternOf({ type: "stripes", rotation: [0, 0, 90], scale: [2, 1, 1] }) ?? { rows: [] };
    // A quarter turn about z: what lies along y is looked up along the pattern's x.
    const looked = rows.map((row) => row[0] * 0 + row[1] * 4 + row[2] * 0);
    expect(looked[0]).toBeCloseTo(2);
    expect(looked[1]).toBeCloseTo(0);
  });

  const box = () => new Box3(new Vector3(0, 0, 0), new Vector3(2, 4, 6));
  test.each([
    ["sphere", { center: [1, 2, 3], radius: 2 }, "sphere", [1, 2, 3]],
    ["quad", { corner: [1, 1, 1], u: [4, 0, 0], v: [0, 2, 0] }, "flat", [1, 1, 1]],
    ["cone", { base_center: [0, 1, 0], top_center: [0, 5, 0], base_radius: 1 }, "round", [0, 1, 0]],
    ["torus", { center: [0, 1, 0], normal: [0, 0, 1], radius: 2, thickness: 1 }, "torus", [0, 1, 0]],
    ["tube", {}, "box", [1, 2, 3]],
    ["mesh", { translation: [1, 2, 3] }, "box", [1, 2, 3]],
  ] as const)("on a %s are laid out in its own coordinates", (type, properties, surface, origin) => {
    const chart = chartOf(object(type, properties), box, false);
    expect(chart).toMatchObject({ surface, origin });
    const [x, y, z] = chart?.axes ?? [];
    for (const [a, b] of [
      [x, y],
      [y, z],
      [z, x],
    ])
      expect(dot(a as Triple, b as Triple)).toBeCloseTo(0);
  });

  test("number a square from its corner and a disc from its edge, as the tracer does", () => {
    const square = chartOf(object("quad", { corner: [1, 1, 1], u: [4, 0, 0], v: [0, 2, 0] }), box, false);
    expect(square?.numbers.map((number) => number + 0)).toEqual([0.25, 0, 0, 0.5, 0, 2, 1]);
    const disc = chartOf(object("disc", { center: [0, 0, 0], normal: [0, 0, 1], radius: 2 }), box, false);
    expect(disc?.numbers[4]).toBe(-0.5);
    expect(
      chartOf(object("capsule", { start: [0, 0, 0], end: [0, 2, 0], radius: 0.5 }), box, false)?.numbers,
    ).toEqual([-0.5, 3, 0.5]);
  });

  test("lie on a mesh by what its corners are numbered by, where they are", () => {
    const chart = chartOf(object("mesh", { asset: "abc", translation: [0, 1, 0] }), box, true);
    expect(chart).toMatchObject({ surface: "mesh", origin: [0, 1, 0] });
    expect(chartOf(object("mesh", { asset: "abc" }), box, false)?.numbers).toEqual([2, 4, 6]);
  });
});
