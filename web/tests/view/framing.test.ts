import { describe, expect, test } from "vitest";
import { cornersOf } from "../../src/document/bounds";
import { cameraFrame, project, projectedEdge } from "../../src/document/camera";
import type { SceneObject } from "../../src/document/scene";
import type { Triple } from "../../src/document/vector";
import { extentOf } from "../../src/kinds/extents";
import { frameOf, LEVEL, near } from "../support/small-scene";

describe("the camera's framing", () => {
  test("the corners of the picture are where the tracer has them", () => {
    const frame = frameOf(LEVEL);
    // As in `tracer::camera`: at distance 1, twice as wide as high, the corner is (-2, 1, -1).
    expect(project(frame, 2, [0, 0, 0])).toEqual({ x: 0.5, y: 0.5 });
    near(project(frame, 2, [-2, 1, 4]), { x: 0, y: 0 });
    near(project(frame, 2, [2, -1, 4]), { x: 1, y: 1 });
    near(project(frame, 2, [5, 0, 0]), { x: 0.75, y: 0.5 });
  });

  test.each([
    [
      [0, -5, 0],
      [0, 0, -1],
    ],
    [
      [0, 5, 0],
      [0, 0, 1],
    ],
  ])("looking along up to %j, the top of the picture is towards %j", (look_at, top) => {
    const { right, up } = frameOf({ ...LEVEL, center: [0, 0, 0], look_at });
    expect([...right, ...up].map((value) => Number(value.toFixed(12)) + 0)).toEqual([1, 0, 0, ...top]);
  });

  test("an edge that passes the camera is cut, one behind it is not there", () => {
    const frame = frameOf(LEVEL);
    expect(projectedEdge(frame, 1, [0, 0, 6], [1, 0, 9])).toBeNull();
    const edge = projectedEdge(frame, 1, [1, 0, 0], [1, 0, 10]);
    if (edge === null) throw new Error("its first half is in front");
    near(edge[0], { x: 0.6, y: 0.5 });
    expect(edge[1].x, "far out of the picture").toBeGreaterThan(100);
  });

  test("a camera this page cannot read has no framing", () => {
    expect(cameraFrame({ type: "fisheye" })).toBeNull();
  });
});

describe("the box of an object", () => {
  const range = (object: Pick<SceneObject, "type" | "properties">) => {
    const extent = extentOf(object);
    if (extent === null) return null;
    const corners = cornersOf(extent);
    return [0, 1, 2].map((axis) => {
      const values = corners.map((corner) => corner[axis] ?? 0);
      return [Math.min(...values), Math.max(...values)].map((value) => Number(value.toFixed(3)) + 0);
    });
  };

  const half = Number(Math.SQRT2.toFixed(3));
  test.each<[string, Record<string, unknown>, number[][]]>([
    [
      "sphere",
      { center: [1, 2, 3], radius: 1 },
      [
        [0, 2],
        [1, 3],
        [2, 4],
      ],
    ],
    // The bounds that `scene::to_context_text` tells of the same box.
    [
      "box",
      { center: [3, 1, 0], dimensions: [2, 2, 2], rotation: [0, 45, 0] },
      [
        [1.586, 4.414],
        [0, 2],
        [-half, half],
      ],
    ],
    [
      "quad",
      { corner: [0, 0, 0], u: [2, 0, 0], v: [0, 1, 1] },
      [
        [0, 2],
        [0, 1],
        [0, 1],
      ],
    ],
    [
      "disc",
      { center: [0, 0, 0], normal: [0, 3, 0], radius: 2 },
      [
        [-2, 2],
        [0, 0],
        [-2, 2],
      ],
    ],
    [
      "cylinder",
      { base_center: [0, 0, 0], top_center: [0, 4, 0], radius: 1 },
      [
        [-1, 1],
        [0, 4],
        [-1, 1],
      ],
    ],
    [
      "cone",
      { base_center: [0, 0, 0], top_center: [0, 4, 0], base_radius: 1, top_radius: 0 },
      [
        [-1, 1],
        [0, 4],
        [-1, 1],
      ],
    ],
    [
      "capsule",
      { start: [0, 0, 0], end: [0, 4, 0], radius: 1 },
      [
        [-1, 1],
        [-1, 5],
        [-1, 1],
      ],
    ],
    [
      "torus",
      { center: [0, 0, 0], normal: [0, 1, 0], radius: 2, thickness: 1 },
      [
        [-2.5, 2.5],
        [-0.5, 0.5],
        [-2.5, 2.5],
      ],
    ],
    [
      "triangle",
      {
        vertices: [
          [0, 0, 0],
          [1, 0, 0],
          [0, 2, -3],
        ],
      },
      [
        [0, 1],
        [0, 2],
        [-3, 0],
      ],
    ],
    [
      "point_spot_light",
      { center: [1, 2, 3] },
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    ],
  ])("%s %j", (type, properties, expected) => expect(range({ type, properties })).toEqual(expected));

  test("turns about X, then Y, then Z", () => {
    const [x, y, z] = [20, 35, 10].map((angle) => (angle * Math.PI) / 180) as [number, number, number];
    const about = (axis: number, angle: number, point: Triple): Triple => {
      const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
      const turned = [...point];
      turned[next] = Math.cos(angle) * (point[next] ?? 0) - Math.sin(angle) * (point[last] ?? 0);
      turned[last] = Math.sin(angle) * (point[next] ?? 0) + Math.cos(angle) * (point[last] ?? 0);
      return turned as unknown as Triple;
    };
    const axes: Triple[] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const expected = axes.map((axis) => about(2, z, about(1, y, about(0, x, axis))));
    const properties = { center: [0, 0, 0], dimensions: [2, 2, 2], rotation: [20, 35, 10] };
    const { half } = extentOf({ type: "box", properties }) ?? { half: [] };
    const digits = (rows: readonly Triple[]) => rows.map((row) => row.map((value) => value.toFixed(12)));
    expect(digits(half)).toEqual(digits(expected));
    const upright = { ...properties, rotation: [0, 90, 90] };
    expect(
      extentOf({ type: "box", properties: upright })?.half[0].map((value) => Math.round(value) + 0),
    ).toEqual([0, 0, -1]);
  });

  test.each([
    ["mesh", { asset: "bunny.ply" }],
    ["fractal", { center: [0, 0, 0], radius: 1 }],
    ["sphere", { center: "here", radius: 1 }],
  ])("is not known of a %s %j", (type, properties) => expect(extentOf({ type, properties })).toBeNull());
});
