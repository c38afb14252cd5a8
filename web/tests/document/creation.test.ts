import { describe, expect, test } from "vitest";
import { cornersOf } from "../../src/document/bounds";
import { project } from "../../src/document/camera";
import { creationCall, NEW_LIGHTS, NEW_SHAPES } from "../../src/document/creation";
import { duplicateCalls } from "../../src/document/duplicates";
import { freeId } from "../../src/document/free-id";
import type { CameraView } from "../../src/document/placement";
import { EMPTY_SCENE, type SceneDocument, type SceneObject } from "../../src/document/scene";
import { isTriple, type Triple } from "../../src/document/vector";
import { extentOf } from "../../src/kinds/extents";
import type { EditCall } from "../../src/protocol";
import { frameOf, LEVEL, near, SCENE } from "../support/small-scene";

const SIGHT: CameraView = { camera: LEVEL, aspect: 4 / 3 };
const NEW_KINDS = [...NEW_SHAPES, ...NEW_LIGHTS].map(({ kind }) => kind);

describe("new objects", () => {
  test("ids count on", () => {
    expect(freeId("ball", new Set())).toBe("ball");
    expect(freeId("ball", new Set(["ball"]))).toBe("ball_2");
    expect(freeId("ball_2", new Set(["ball", "ball_2", "ball_3"]))).toBe("ball_4");
  });

  test.each(NEW_KINDS)("a new %s is in the middle part of the picture", (type) => {
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

  test("a new shape stands where a table has room for its box", () => {
    const asked: Triple[] = [];
    const onTable = (size: Triple): Triple => {
      asked.push(size);
      return [1, 0.75, 2];
    };
    const { args } = creationCall(SCENE, "sphere", SIGHT, onTable);
    const { center, radius } = (args as SceneObject).properties as { center: Triple; radius: number };
    expect(asked).toEqual([[2 * radius, 2 * radius, 2 * radius].map((side) => expect.closeTo(side, 9))]);
    expect(center).toEqual([1, 0.75 + radius, 2].map((value) => expect.closeTo(value, 6)));
    const light = creationCall(SCENE, "point_spot_light", SIGHT, onTable);
    expect(asked, light.name).toHaveLength(1);
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
    const copies = duplicateCalls(
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
    const [copy] = duplicateCalls(SCENE, [{ kind: "shape", object: triangle }]);
    expect(copy).toHaveProperty("args.properties.vertices", [
      [1.1, 0, 0],
      [2.1, 0, 0],
      [1.1, 1, 0],
    ]);
    const blob = { id: "blob", type: "fractal", properties: { seed: 3 } };
    expect(duplicateCalls(SCENE, [{ kind: "shape", object: blob }])).toMatchObject([{ args: { ...blob } }]);
  });

  test("a copy stays in the picture: beside the original, or else a little aside", () => {
    const camera = { center: [0, 1, 6], look_at: [0, 1, 0], up: [0, 1, 0], vfov: 45 };
    const wall = (center: number, width: number): SceneObject => ({
      id: "wall",
      type: "box",
      properties: { center: [center, 1, 0], dimensions: [width, 1, 0.2] },
    });
    const copyOf = (object: SceneObject) => {
      const members = [{ kind: "shape" as const, object }];
      const [copy] = duplicateCalls(SCENE, members, new Set(), { camera, aspect: 4 / 3 });
      return copy?.args;
    };
    expect(copyOf(wall(0, 1))).toHaveProperty("properties.center", [1.1, 1, 0]);
    expect(copyOf(wall(2, 1))).toHaveProperty("properties.center", [2.11, 1, 0.11]);
    expect(copyOf(wall(0, 4))).toHaveProperty("properties.center", [0.44, 1, 0.44]);
  });

  test("of a tube stands beside it, too", () => {
    const points = [
      [0, 0, 0],
      [1, 0, 0],
    ];
    const tube: SceneObject = { id: "tube", type: "tube", properties: { points, radius: 0.5 } };
    const [copy] = duplicateCalls(SCENE, [{ kind: "shape", object: tube }]);
    // Two metres wide, and a tenth of that as a gap.
    expect(copy).toHaveProperty("args.properties.points", [
      [2.2, 0, 0],
      [3.2, 0, 0],
    ]);
  });
});
