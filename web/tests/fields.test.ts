import { describe, expect, test } from "vitest";
import { cornersOf, extentOf } from "../src/document/bounds";
import { cameraFrame, project, projectedEdge } from "../src/document/camera";
import { decodeSrgb, encodeSrgb, fromHex, joinEmission, splitEmission, toHex } from "../src/document/colour";
import { copiesOf } from "../src/document/copies";
import { creationCall, freeId, NEW_LIGHTS, NEW_SHAPES } from "../src/document/creation";
import { controlOf, labelOf } from "../src/document/fields";
import { kindOf, materialOf, shownProperties } from "../src/document/materials";
import { formatNumber, parseNumber, scrubStep, stepped } from "../src/document/numbers";
import type { Sight } from "../src/document/placement";
import { EMPTY_SCENE, type SceneDocument, type SceneObject } from "../src/document/scene";
import { rangeOf, rowsOf, toggled } from "../src/document/tree";
import { isTriple, type Triple } from "../src/document/vector";
import type { EditCall } from "../src/protocol";

describe("colours", () => {
  test("every byte survives the way to linear and back", () => {
    for (let byte = 0; byte < 256; byte += 1) expect(encodeSrgb(decodeSrgb(byte))).toBe(byte);
    for (const hex of ["#000000", "#ffffff", "#123456", "#fedcba", "#0a0b0c"])
      expect(toHex(fromHex(hex))).toBe(hex);
  });

  test("known values of the standard", () => {
    // Middle grey: half of the light is #bcbcbc, and #808080 is 21.6 % of it.
    expect(toHex([0.5, 0.5, 0.5])).toBe("#bcbcbc");
    expect(decodeSrgb(128)).toBeCloseTo(0.21586, 5);
    expect(decodeSrgb(10)).toBeCloseTo(10 / 255 / 12.92, 12);
    expect(toHex([-1, 0, 7])).toBe("#0000ff");
  });

  test("light is a colour times a strength", () => {
    expect(splitEmission([8, 4, 2])).toEqual({ colour: [1, 0.5, 0.25], strength: 8 });
    expect(joinEmission([1, 0.5, 0.25], 8)).toEqual([8, 4, 2]);
    expect(joinEmission([0.5, 0.25, 0], 10), "only the ratio counts").toEqual([10, 5, 0]);
    expect(splitEmission([0, 0, 0])).toEqual({ colour: [1, 1, 1], strength: 0 });
  });
});

describe("numbers", () => {
  test.each([
    [0, "0"],
    [-0, "0"],
    [0.1 + 0.2, "0.3"],
    [1 / 3, "0.33333"],
    [0.00012345678, "0.0001235"],
    [1_000_000, "1000000"],
    [-2.5, "-2.5"],
  ])("%d reads %s", (value, text) => expect(formatNumber(value)).toBe(text));

  test.each([
    ["1.5", "m", 1.5],
    [" 1,5 ", "m", 1.5],
    ["30 cm", "m", 0.3],
    ["5MM", "m", 0.005],
    [".5", "", 0.5],
    ["1e3", "m", 1000],
    ["3 W/sr", "W/sr", 3],
    ["90°", "°", 90],
    ["1 rad", "°", 57.2957795131],
    ["90°", "m", null],
    ["3 apples", "", null],
    ["", "m", null],
    ["1.2.3", "m", null],
    ["Infinity", "m", null],
  ] as const)("'%s' in %s is %s", (text, unit, value) => expect(parseNumber(text, unit)).toBe(value));

  test("dragging goes in steps that fit the number, and stays in the range", () => {
    expect(scrubStep(1.5, "m", {})).toBe(0.01);
    expect(scrubStep(150, "m", {})).toBe(1);
    expect(scrubStep(0, "m", {})).toBe(0.001);
    expect(scrubStep(0.5, "", { min: 0, max: 1 })).toBe(0.005);
    expect(stepped(1.234, 3, 0.01, {})).toBe(1.26);
    expect(stepped(0.1, 2, 0.1, {})).toBe(0.3);
    expect(stepped(0.5, -500, 0.01, { min: 0 })).toBe(0);
    expect(stepped(0.5, 500, 0.01, { max: 1 })).toBe(1);
  });
});

describe("fields", () => {
  test.each([
    ["center", [0, 1, 2], "sphere", { kind: "vector", unit: "m" }],
    ["rotation", [0, 1, 2], "box", { kind: "vector", unit: "°" }],
    ["radius", 1, "sphere", { kind: "number", unit: "m", min: 0 }],
    ["focus_distance", null, "camera", { kind: "number", whenNull: "at the target" }],
    ["capped", true, "cone", { kind: "flag" }],
    [
      "vertices",
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
      "triangle",
      { kind: "points" },
    ],
    ["albedo", [0.1, 0.2, 0.3], "sphere", { kind: "colour" }],
    ["emission", [9, 9, 9], "area_quad_light", { kind: "emission", unit: "W/(sr m²)" }],
    ["emission", [9, 9, 9], "point_spot_light", { kind: "emission", unit: "W/sr" }],
    // What this page does not know, by what it is.
    ["base_color", [0.1, 0.2, 0.3], "principled", { kind: "colour" }],
    ["wind", [3, 4, 5], "flag", { kind: "vector", unit: "" }],
    ["sheen", 0.5, "principled", { kind: "number", unit: "" }],
    ["thin_walled", false, "principled", { kind: "flag" }],
    ["material", "gold", "sphere", { kind: "text" }],
    ["albedo", { texture: "wood.png" }, "sphere", { kind: "json" }],
    ["radius", [1, 2], "ellipsoid", { kind: "json" }],
    ["nothing", null, "thing", { kind: "json" }],
  ])("%s %j of %s", (name, value, type, control) => {
    expect(controlOf(name, value, type)).toMatchObject(control);
  });

  test("names are words", () => {
    expect(labelOf("base_radius")).toBe("Base radius");
    expect(labelOf("vfov")).toBe("View angle");
  });

  test("another material keeps the colour", () => {
    const red = { type: "lambertian", albedo: [1, 0, 0] };
    expect(materialOf("metal", red)).toEqual({ type: "metal", albedo: [1, 0, 0], fuzz: 0.1 });
    expect(materialOf("principled", red)).toEqual({ type: "principled", base_color: [1, 0, 0] });
    expect(materialOf("dielectric", red)).toEqual({ type: "dielectric", refractive_index: 1.5 });
    expect(materialOf("lambertian", "gold")).toEqual({ type: "lambertian", albedo: [0.8, 0.8, 0.8] });
    expect([kindOf("gold"), kindOf(red), kindOf(7)]).toEqual(["preset", "lambertian", ""]);
  });

  test("a principled material has all its properties, those it tells and those it leaves out", () => {
    const shown = shownProperties({ type: "principled", coat_weight: 0.5 });
    expect(shown).toMatchObject({ coat_weight: 0.5, specular_roughness: 0.3 });
    expect(shown).not.toHaveProperty("type");
    expect(shownProperties({ type: "metal", fuzz: 1 })).toEqual({ fuzz: 1 });
    expect(controlOf("coat_weight", 0.5, "sphere")).toMatchObject({ min: 0, max: 1 });
  });
});

const LEVEL = { center: [0, 0, 5], look_at: [0, 0, 0], up: [0, 1, 0], vfov: 90 };
const frameOf = (camera: object) => {
  const frame = cameraFrame(camera as Record<string, unknown>);
  if (frame === null) throw new Error("the camera is good");
  return frame;
};

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

const ball = (id: string, group?: string): SceneObject => ({
  id,
  type: "sphere",
  properties: { center: [1, 2, 3], radius: 0.5 },
  ...(group !== undefined && { group }),
});
const SIGHT: Sight = { camera: LEVEL, aspect: 4 / 3 };
const SCENE: SceneDocument = {
  ...EMPTY_SCENE,
  shapes: [ball("floor"), ball("head", "snowman"), ball("hat", "top")],
  lights: [{ id: "key", type: "area_sphere_light", properties: { center: [0, 4, 0], radius: 0.1 } }],
  groups: [{ id: "top", parent: "snowman" }],
  environment: { type: "gradient" },
  camera: LEVEL,
};

describe("new objects", () => {
  test("ids count on", () => {
    expect(freeId("ball", new Set())).toBe("ball");
    expect(freeId("ball", new Set(["ball"]))).toBe("ball_2");
    expect(freeId("ball_2", new Set(["ball", "ball_2", "ball_3"]))).toBe("ball_4");
  });

  test.each([...NEW_SHAPES, ...NEW_LIGHTS])("a new %s is in the middle part of the picture", (type) => {
    const { name, args } = creationCall(SCENE, type, SIGHT);
    const object = args as SceneObject;
    expect(name).toBe(type.endsWith("light") ? "create_light" : "create_shape");
    const extent = extentOf(object);
    // How wide letters are, and how high noise is, only the server knows.
    const anchor = [object.properties.base_center, object.properties.center].filter(isTriple);
    const corners = extent === null ? anchor : cornersOf(extent);
    expect(corners).toHaveLength(["text", "height_field"].includes(type) ? 1 : 8);
    for (const corner of corners) {
      const { x, y } = project(frameOf(LEVEL), 4 / 3, corner);
      expect(x).toBeGreaterThan(0.2);
      expect(x).toBeLessThan(0.8);
      expect(y).toBeGreaterThan(0.1);
      expect(y).toBeLessThan(0.9);
    }
  });

  describe("on a table in a room", () => {
    const box = (id: string, center: Triple, dimensions: Triple): SceneObject => ({
      id,
      type: "box",
      properties: { center, dimensions },
    });
    const room = box("room", [0, 2, 0], [20, 4, 20]);
    const table = box("table", [0, 0.4, 0], [3, 0.8, 3]);
    const camera = { center: [0, 2, 5], look_at: [0, 0.8, -2], up: [0, 1, 0], vfov: 45 };
    const lowest = (call: EditCall) => {
      const extent = extentOf(call.args as SceneObject);
      return Math.min(
        ...cornersOf(
          extent ?? {
            center: [0, 0, 0],
            half: [
              [0, 0, 0],
              [0, 0, 0],
              [0, 0, 0],
            ],
          },
        ).map(([, y]) => y),
      );
    };

    test("things stand on what is under them, beside each other, as seen by who looks", () => {
      let scene: SceneDocument = { ...EMPTY_SCENE, shapes: [room, table] };
      const made: Triple[] = [];
      for (const type of ["sphere", "cylinder", "box"] as const) {
        const call = creationCall(scene, type, { camera, aspect: 4 / 3 });
        expect(lowest(call), type).toBeCloseTo(0.8, 6);
        const object = call.args as SceneObject;
        const { x, y } = project(frameOf(camera), 4 / 3, extentOf(object)?.center as Triple);
        expect(Math.abs(x - 0.5), type).toBeLessThan(0.45);
        expect(Math.abs(y - 0.5), type).toBeLessThan(0.45);
        made.push(extentOf(object)?.center as Triple);
        scene = { ...scene, shapes: [...scene.shapes, object] };
      }
      expect(new Set(made.map(([x]) => x)).size).toBe(3);
    });

    test("nothing is put inside a thing that stands there already", () => {
      const crate = box("crate", [0, 1.3, 1.5], [1, 1, 1]);
      const call = creationCall({ ...EMPTY_SCENE, shapes: [table, crate] }, "sphere", {
        camera,
        aspect: 4 / 3,
      });
      const { center, radius } = (call.args as SceneObject).properties as { center: Triple; radius: number };
      const apart = center.map(
        (value, axis) => Math.abs(value - ([0, 1.3, 1.5][axis] as number)) - radius - 0.5,
      );
      expect(Math.max(...apart)).toBeGreaterThan(-0.05 * radius);
    });

    test("where one looks away from the scene they hover in the picture", () => {
      const up = { ...camera, center: [0, 50, 0], look_at: [0, 60, -5] };
      const call = creationCall({ ...EMPTY_SCENE, shapes: [table] }, "sphere", { camera: up, aspect: 1 });
      const { x, y } = project(frameOf(up), 1, (call.args as SceneObject).properties.center as Triple);
      near({ x, y }, { x: 0.5, y: 0.5 });
    });
  });

  test("at any scale stand in a row", () => {
    for (const distance of [1e-4, 1, 1e5]) {
      let scene: SceneDocument = { ...EMPTY_SCENE, camera: { ...LEVEL, center: [0, 0, distance] } };
      for (let count = 0; count < 3; count += 1) {
        scene = {
          ...scene,
          shapes: [
            ...scene.shapes,
            creationCall(scene, "sphere", { ...SIGHT, camera: scene.camera }).args as SceneObject,
          ],
        };
      }
      const places = scene.shapes.map(({ properties }) => (properties.center as Triple)[0] / distance);
      expect(new Set(places).size, `${distance} m away: ${places}`).toBe(3);
    }
  });

  test("things made in a row stand in a row", () => {
    const first = creationCall(SCENE, "sphere", SIGHT).args as SceneObject;
    const second = creationCall({ ...SCENE, shapes: [...SCENE.shapes, first] }, "cone", SIGHT)
      .args as SceneObject;
    const [from, to] = [extentOf(first)?.center, extentOf(second)?.center];
    expect(to?.[0]).toBeGreaterThan((from?.[0] ?? 0) + 2 * (first.properties.radius as number));
    expect(to?.slice(1)).toEqual(from?.slice(1));
  });

  test("copies stand beside the originals, as one whole", () => {
    const [first, second] = SCENE.shapes;
    if (first === undefined || second === undefined) throw new Error("two shapes");
    const pair = [first, { ...second, properties: { center: [3, 2, 3], radius: 0.5 } }];
    const copies = copiesOf(
      SCENE,
      pair.map((object) => ({ kind: "shape" as const, object })),
    );
    expect(copies).toEqual([
      {
        name: "create_shape",
        args: { ...first, id: "floor_2", properties: { center: [4.3, 2, 3], radius: 0.5 } },
      },
      {
        name: "create_shape",
        args: { ...second, id: "head_2", properties: { center: [6.3, 2, 3], radius: 0.5 } },
      },
    ]);
    const triangle = {
      id: "t",
      type: "triangle",
      properties: {
        vertices: [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
        ],
      },
    };
    const [copy] = copiesOf(SCENE, [{ kind: "shape", object: triangle }]);
    expect(copy).toHaveProperty("args.properties.vertices", [
      [1.1, 0, 0],
      [2.1, 0, 0],
      [1.1, 1, 0],
    ]);
    const blob = { id: "blob", type: "fractal", properties: { seed: 3 } };
    expect(copiesOf(SCENE, [{ kind: "shape", object: blob }])).toMatchObject([{ args: { ...blob } }]);
  });
});

describe("the outline", () => {
  const lines = (collapsed: string[] = []) =>
    rowsOf(SCENE, new Set(collapsed)).map(
      ({ level, label, position, siblings }) => `${level} ${label} ${position}/${siblings}`,
    );

  test("has groups inside groups, members below them", () => {
    expect(lines()).toEqual([
      "1 Camera 1/5",
      "1 Environment 2/5",
      "1 snowman 3/5",
      "2 top 1/2",
      "3 hat 1/1",
      "2 head 2/2",
      "1 floor 4/5",
      "1 key 5/5",
    ]);
    expect(lines(["snowman"])).toHaveLength(5);
  });

  test("a range ends with the row that was clicked", () => {
    const rows = rowsOf(SCENE, new Set());
    expect(rangeOf(rows, "hat", "floor")).toEqual(["hat", "head", "floor"]);
    expect(rangeOf(rows, "floor", "hat")).toEqual(["head", "floor", "hat"]);
    expect(rangeOf(rows, "gone", "hat")).toEqual(["hat"]);
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
    expect(toggled(["a"], "b")).toEqual(["a", "b"]);
  });
});

function near(point: { x: number; y: number }, { x, y }: { x: number; y: number }): void {
  expect(point.x).toBeCloseTo(x, 10);
  expect(point.y).toBeCloseTo(y, 10);
}
