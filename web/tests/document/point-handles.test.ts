import { expect, test } from "vitest";
import { project, rayThrough, viewFrame } from "../../src/document/camera";
import { pointHandles } from "../../src/document/point-handles";
import type { Properties } from "../../src/document/scene";
import { add, subtract, type Triple } from "../../src/document/vector";

function frameFrom(center: Triple, up: Triple = [0, 1, 0]) {
  const frame = viewFrame({ center, look_at: [0, 0, 0], up, vfov: 45 }, 1);
  if (frame === null) throw new Error("the camera cannot be read");
  return frame;
}

const LATHE: Properties = {
  base_center: [0, -1, 0],
  profile: [
    [0.5, 0],
    [1, 2],
  ],
  rotation: [0, 0, 0],
};
const EXTRUSION: Properties = {
  center: [0, 0, 0],
  outline: [
    [-1, -1],
    [1, -1],
    [0, 1],
  ],
  depth: 0.5,
  rotation: [0, 0, 90],
};
const TUBE: Properties = {
  points: [
    [-1, 0, 0],
    [0, 1, 1],
    [1, 0, 0],
  ],
};

test.each([
  ["lathe", LATHE],
  ["extrusion", EXTRUSION],
  ["tube", TUBE],
])("a point of a %s that is dragged to where it is stays there", (_, properties) => {
  const frame = frameFrom([2, 3, 8]);
  const handles = pointHandles(properties, frame)[0];
  expect(handles).toBeDefined();
  handles?.places.forEach((place, index) => {
    const point = handles.dragged(index, rayThrough(frame, 1, project(frame, 1, place)));
    const before = handles.list[index] ?? [];
    expect(point).toHaveLength(before.length);
    point?.forEach((part, axis) => {
      expect(part).toBeCloseTo(before[axis] ?? Number.NaN, 1);
    });
  });
});

test("a profile stands to the right of its axis, from wherever one looks", () => {
  for (const center of [
    [0, 0, 8],
    [8, 0, 0],
    [-5, 2, -5],
  ] as const) {
    const frame = frameFrom(center);
    const places = pointHandles(LATHE, frame)[0]?.places ?? [];
    const axis = project(frame, 1, [0, 1, 0]);
    expect(project(frame, 1, places[1] ?? [0, 0, 0]).x).toBeGreaterThan(axis.x);
  }
});

test("an outline lies on the side of a turned shape that is seen", () => {
  const front = pointHandles(EXTRUSION, frameFrom([0, 0, 8]))[0];
  expect(front?.places[0]?.map((part) => Number(part.toFixed(6)))).toEqual([1, -1, 0.25]);
  expect(pointHandles(EXTRUSION, frameFrom([0, 0, -8]))[0]?.places[0]?.[2]).toBeCloseTo(-0.25);
});

test("a radius does not become negative", () => {
  const frame = frameFrom([0, 0, 8]);
  const handles = pointHandles(LATHE, frame)[0];
  const left = rayThrough(frame, 1, project(frame, 1, [-2, -1, 0]));
  expect(handles?.dragged(0, left)?.[0]).toBe(0);
});

test("a plane that is seen from its edge is not dragged in", () => {
  const frame = frameFrom([0, 0, 8]);
  const flat = pointHandles({ ...EXTRUSION, rotation: [90, 0, 0] }, frame)[0];
  expect(flat?.dragged(0, { origin: [0, 0.1, 8], direction: [0, 0, -1] })).toBeNull();
});

test("a point in space is moved parallel to the picture", () => {
  const frame = frameFrom([0, 0, 8]);
  const handles = pointHandles(TUBE, frame)[0];
  const to: Triple = add([0, 1, 1], [0.5, 0.25, 0]);
  const ray = rayThrough(frame, 1, project(frame, 1, to));
  const moved = handles?.dragged(1, ray) as unknown as Triple;
  expect(Math.hypot(...subtract(moved, to))).toBeLessThan(0.02);
});

test("other shapes have no such points", () => {
  expect(pointHandles({ center: [0, 0, 0], radius: 1 }, frameFrom([0, 0, 8]))).toEqual([]);
});

test("holes have points of their own, on the face of their outline", () => {
  const frame = frameFrom([0, 0, 8]);
  const hole = (x: number) => [
    [x, -0.2],
    [x + 0.1, -0.2],
    [x, 0],
  ];
  const holes = [hole(-0.3), hole(0.1)];
  const [outline, first, second, ...more] = pointHandles({ ...EXTRUSION, rotation: [0, 0, 0], holes }, frame);
  expect(more).toEqual([]);
  expect([outline, first, second].map((each) => each?.property)).toEqual(["outline", "holes", "holes"]);
  expect(second?.places[0]).toEqual([0.1, -0.2, 0.25]);
  const moved = second?.dragged(2, rayThrough(frame, 1, project(frame, 1, [0.15, 0.05, 0.25])));
  expect(moved).toEqual([expect.closeTo(0.15, 2), expect.closeTo(0.05, 2)]);
  expect(second?.valueWith([[7, 7]])).toEqual([holes[0], [[7, 7]]]);
});
