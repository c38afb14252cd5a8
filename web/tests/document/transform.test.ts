import { describe, expect, test } from "vitest";
import { cornersOf } from "../../src/document/bounds";
import type { Properties, SceneObject } from "../../src/document/scene";
import { stretchAxes, stretchedProperties } from "../../src/document/transform/stretch";
import {
  changedProperties,
  eulerAngles,
  IDENTITY,
  type Transform,
  torusAxes,
  transformedProperties,
  transformPoint,
} from "../../src/document/transform/transform";
import { add, dot, rotatedAxes, scale, subtract, type Triple } from "../../src/document/vector";
import { extentOf } from "../../src/kinds/extents";

const object = (type: string, properties: Properties): SceneObject => ({ id: "it", type, properties });
const KINDS: SceneObject[] = [
  object("sphere", { center: [1, 2, 3], radius: 0.5 }),
  object("box", { center: [1, 2, 3], dimensions: [1, 2, 3], rotation: [10, 20, 30] }),
  object("box", { center: [1, 2, 3], dimensions: [1, 2, 3] }),
  object("ellipsoid", { center: [1, 2, 3], radii: [0.5, 1, 2], rotation: [10, 20, 30] }),
  object("rounded_box", { center: [1, 2, 3], dimensions: [1, 2, 3], radius: 0.1, rotation: [10, 20, 30] }),
  object("quad", { corner: [1, 2, 3], u: [1, 0, 0.5], v: [0, 1, 0] }),
  object("disc", { center: [1, 2, 3], normal: [1, 1, 0], radius: 0.5 }),
  object("cylinder", { base_center: [0, 0, 0], top_center: [1, 2, 0], radius: 0.5, capped: true }),
  object("cone", { base_center: [0, 0, 0], top_center: [1, 2, 0], base_radius: 0.5, top_radius: 0.1 }),
  object("capsule", { start: [0, 0, 0], end: [1, 2, 0], radius: 0.5 }),
  object("torus", { center: [1, 2, 3], normal: [1, 1, 0], radius: 2, thickness: 0.5 }),
  object("area_quad_light", { corner: [1, 2, 3], u: [1, 0, 0.5], v: [0, 1, 0], emission: [1, 1, 1] }),
  object("disc_spot_light", { center: [1, 2, 3], normal: [1, 1, 0], radius: 0.5, emission: [1, 1, 1] }),
  object("area_sphere_light", { center: [1, 2, 3], radius: 0.5, emission: [1, 1, 1] }),
];
const MOTION: Transform = {
  pivot: [1, -1, 0.5],
  axes: rotatedAxes([40, -25, 70]),
  factor: 1.7,
  translation: [3, 1, -2],
};

const near = (a: Triple, b: Triple) => Math.sqrt(dot(subtract(a, b), subtract(a, b))) < 1e-6;

describe("what moves", () => {
  test.each(KINDS.map((each) => [each.type, each] as const))("a %s goes where its points go", (_, before) => {
    const changes = transformedProperties(before, MOTION);
    expect(changes).not.toBeNull();
    const after = object(before.type, { ...before.properties, ...changes });
    const [was, is] = [extentOf(before), extentOf(after)];
    if (was === null || is === null) throw new Error("no extent");
    expect(near(is.center, transformPoint(was.center, MOTION))).toBe(true);
    // Round things may have another pair of axes across theirs: what counts is how long they are.
    const lengths = (half: readonly Triple[]) => half.map((axis) => Math.sqrt(dot(axis, axis)));
    lengths(is.half).forEach((length, axis) => {
      expect(length).toBeCloseTo(1.7 * (lengths(was.half)[axis] ?? 0), 6);
    });
  });

  test("every corner of what has corners", () => {
    for (const before of KINDS.filter(({ type }) =>
      ["box", "rounded_box", "quad", "area_quad_light"].includes(type),
    )) {
      const after = object(before.type, { ...before.properties, ...transformedProperties(before, MOTION) });
      const corners = (each: SceneObject) => {
        const extent = extentOf(each);
        return extent === null ? [] : cornersOf(extent);
      };
      const expected = corners(before).map((corner) => transformPoint(corner, MOTION));
      expect(corners(after).every((corner, index) => near(corner, expected[index] ?? [0, 0, 0]))).toBe(true);
    }
  });

  test("a triangle by its corners, a spot by its direction, a mesh also by what it leaves out", () => {
    const shift = { ...IDENTITY, translation: [1, 0, 0] as Triple };
    const vertices = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ];
    expect(transformedProperties(object("triangle", { vertices }), shift)).toEqual({
      vertices: [
        [1, 0, 0],
        [2, 0, 0],
        [1, 1, 0],
      ],
    });
    const quarter = { ...IDENTITY, axes: rotatedAxes([0, 0, 90]) };
    const spot = object("point_spot_light", { center: [1, 0, 0], direction: [1, 0, 0], cutoff_angle: 30 });
    expect(transformedProperties(spot, quarter)).toEqual({ center: [0, 1, 0], direction: [0, 1, 0] });
    expect(
      transformedProperties(object("mesh", { asset: "a" }), {
        ...IDENTITY,
        factor: 2,
        translation: [1, 2, 3],
      }),
    ).toEqual({
      translation: [1, 2, 3],
      rotation: [0, 0, 0],
      scale: 2,
    });
  });

  test("an arc keeps its ends and its way round", () => {
    const arc = {
      center: [0, 1, 0],
      normal: [0.3, -0.4, 1],
      radius: 2,
      thickness: 0.4,
      start_angle: 40,
      end_angle: 250,
    };
    const pointsOf = (properties: Properties) =>
      [properties.start_angle, 100, properties.end_angle].map((degrees) => {
        const [zero, quarter] = torusAxes(properties.normal as Triple);
        const angle = ((degrees as number) * Math.PI) / 180;
        const arm = add(scale(zero, Math.cos(angle)), scale(quarter, Math.sin(angle)));
        return add(properties.center as Triple, scale(arm, properties.radius as number));
      });
    for (const turn of [
      [0, 0, 180],
      [90, 0, 0],
      [10, 200, -70],
    ] as Triple[]) {
      const transform = { ...IDENTITY, pivot: [1, 0, 2] as Triple, axes: rotatedAxes(turn) };
      const after = { ...arc, ...transformedProperties(object("torus", arc), transform) };
      const [start, , end] = pointsOf(after);
      const [from, , to] = pointsOf(arc).map((point) => transformPoint(point, transform));
      expect(near(start as Triple, from as Triple) && near(end as Triple, to as Triple)).toBe(true);
      expect((after.end_angle as number) - (after.start_angle as number)).toBeCloseTo(210, 6);
    }
  });

  test("what is only shifted is sent without its lists and angles, nor with what it leaves out", () => {
    const shift = { ...IDENTITY, translation: [0, 1, 0] as Triple };
    const profile = [
      [0.5, 0],
      [0.123456789012, 2],
    ];
    const vase = object("lathe", { base_center: [0, 0, 0], profile, rotation: [100, 100, 0] });
    expect(changedProperties(vase, shift)).toEqual({ base_center: [0, 1, 0] });
    const points = [
      [0, 0, 0],
      [1, 0, 0],
    ];
    const tube = object("tube", { points, radius: [0.1, 0.2] });
    expect(changedProperties(tube, { ...shift, factor: 2 })).toEqual({
      points: [
        [0, 1, 0],
        [2, 1, 0],
      ],
      radius: [0.2, 0.4],
    });
    expect(changedProperties(object("point_spot_light", { center: [0, 0, 0] }), IDENTITY)).toEqual({});
  });

  test("what is newer than the page is left to the server", () => {
    expect(transformedProperties(object("moebius_strip", { center: [0, 0, 0] }), MOTION)).toBeNull();
  });
});

test("angles come back from the axes they turn to", () => {
  for (const x of [-170, -30, 0, 45]) {
    for (const y of [-90, -89, 0, 33, 90]) {
      for (const z of [-120, 0, 77]) {
        const axes = rotatedAxes([x, y, z]);
        const again = rotatedAxes(eulerAngles(axes));
        expect(axes.every((axis, index) => near(axis, again[index] ?? [0, 0, 0]))).toBe(true);
      }
    }
  }
});

test("a turn about Y goes on beyond 90 degrees instead of turning over", () => {
  const turnedBy = (rotation: Triple, degrees: number) => {
    const box = object("box", { center: [0, 0, 0], dimensions: [1, 1, 1], rotation });
    const axes = rotatedAxes([0, degrees, 0]);
    return transformedProperties(box, { ...IDENTITY, axes })?.rotation;
  };
  expect(turnedBy([0, 80, 0], 20.8)).toEqual([0, 100.8, 0]);
  expect(turnedBy([0, 0, 0], 179)).toEqual([0, 179, 0]);
  expect(turnedBy([0, 0, 0], -100)).toEqual([0, -100, 0]);
  expect(turnedBy([0, 170, 0], 20)).toEqual([0, -170, 0]);
  expect(turnedBy([180, 79.2, 180], 0.8), "near to how it stood").toEqual([180, 78.4, 180]);
});

test("boxes and meshes are stretched along their own axes, nothing else is", () => {
  const factors: Triple = [2, 1, 0.5];
  expect(stretchedProperties(object("box", { dimensions: [1, 2, 3] }), factors)).toEqual({
    dimensions: [2, 2, 1.5],
  });
  expect(stretchedProperties(object("mesh", { scale: 2 }), factors)).toEqual({ scale: [4, 2, 1] });
  expect(stretchedProperties(object("mesh", {}), factors)).toEqual({ scale: [2, 1, 0.5] });
  expect(stretchedProperties(object("sphere", { radius: 1 }), factors)).toBeNull();
});

test("a rectangle is stretched along its edges, and about a pivot moves with it", () => {
  const light = object("area_quad_light", { corner: [-1, 2, -1], u: [2, 0, 0], v: [0, 0, 2] });
  expect(stretchedProperties(light, [2, 5, 0.5])).toEqual({
    corner: [-2, 2, -0.5],
    u: [4, 0, 0],
    v: [0, 0, 1],
  });
  expect(stretchedProperties(light, [2, 1, 1], [1, 2, 0])).toEqual({
    corner: [-3, 2, -1],
    u: [4, 0, 0],
    v: [0, 0, 2],
  });
  const slanted = object("quad", { corner: [0, 0, 0], u: [1, 0, 0], v: [1, 1, 0] });
  expect(stretchedProperties(slanted, [2, 1, 1])).toBeNull();
  expect(stretchAxes(slanted)).toBeNull();
  expect(stretchAxes(light)?.[0].map((value) => value + 0)).toEqual([1, 0, 0]);
});
