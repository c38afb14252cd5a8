import { Box3, Matrix4, Raycaster, Vector2, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { cornersOf } from "../../src/document/bounds";
import { project, viewFrame } from "../../src/document/camera";
import type { Properties, SceneObject } from "../../src/document/scene";
import type { Triple } from "../../src/document/vector";
import { extentOf } from "../../src/kinds/extents";
import { punctualLightOf } from "../../src/kinds/light-sources";
import { skyOf } from "../../src/kinds/skies";
import { surfaceOf } from "../../src/kinds/surfaces";
import {
  applyCameraProperties,
  cameraPropertiesOf,
  isSameView,
  setDepthRange,
} from "../../src/raster/camera/camera-pose";
import { ViewportCamera } from "../../src/raster/camera/viewport-camera";
import { surroundingsOf } from "../../src/raster/environment/surroundings";
import { createGeometry } from "../../src/raster/geometry/primitives";
import { gridStep } from "../../src/raster/helpers/grid";
import { sunDirection } from "../../src/raster/lighting/daylight";
import { punctualLightOfShape } from "../../src/raster/lighting/punctual-lights";
import { PRESETS } from "../../src/raster/materials/presets";
import { partsOfLight, partsOfShape } from "../../src/raster/objects/parts";

const object = (type: string, properties: Properties, id = type): SceneObject => ({ id, type, properties });
const matte = (albedo: Triple) => ({ type: "lambertian", albedo });

const SHAPES: SceneObject[] = [
  object("sphere", { center: [1, 2, 3], radius: 0.5 }),
  object("ellipsoid", { center: [1, 2, 3], radii: [0.5, 1, 2], rotation: [10, 20, 30] }),
  object("box", { center: [1, 2, 3], dimensions: [1, 2, 3], rotation: [10, 20, 30] }),
  object("quad", { corner: [1, 2, 3], u: [1, 0, 0.5], v: [0, 1, 0] }),
  object("disc", { center: [1, 2, 3], normal: [1, 1, 0], radius: 0.5 }),
  object("cylinder", { base_center: [0, 0, 0], top_center: [1, 2, 0], radius: 0.5, capped: false }),
  object("cone", {
    base_center: [0, 0, 0],
    top_center: [1, 2, 0],
    base_radius: 0.5,
    top_radius: 0,
    capped: true,
  }),
  object("capsule", { start: [0, 0, 0], end: [1, 2, 0], radius: 0.5 }),
  object("torus", {
    center: [1, 2, 3],
    normal: [1, 1, 0],
    radius: 2,
    thickness: 0.5,
    start_angle: 0,
    end_angle: 360,
  }),
];

/** The corners of all triangles in the world. */
function pointsOf(shape: SceneObject): Vector3[] {
  return partsOfShape(shape, PRESETS, () => null).flatMap(({ primitive, matrix }) => {
    if (primitive.kind === "triangles") return [];
    const positions = createGeometry(primitive, "fine").getAttribute("position");
    return Array.from({ length: positions.count }, (_, index) =>
      new Vector3().fromBufferAttribute(positions, index).applyMatrix4(matrix),
    );
  });
}

describe("every shape", () => {
  test.each(SHAPES.map((shape) => [shape.type, shape] as const))("a %s fills its box", (_, shape) => {
    const extent = extentOf(shape);
    if (extent === null) throw new Error("no extent");
    // In the box's own axes, where each side of it is at 1 and at -1.
    const points = pointsOf(shape).map((point) => point.sub(new Vector3(...extent.center)));
    for (const half of extent.half) {
      const axis = new Vector3(...half);
      const square = axis.lengthSq();
      if (square === 0) continue;
      const reach = points.map((point) => point.dot(axis) / square);
      expect(Math.max(...reach)).toBeCloseTo(1, 2);
      expect(Math.min(...reach)).toBeCloseTo(-1, 2);
    }
  });

  test.each(SHAPES.map((shape) => [shape.type, shape] as const))("a %s faces outwards", (_, shape) => {
    for (const { matrix } of partsOfShape(shape, PRESETS, () => null))
      expect(matrix.determinant()).toBeGreaterThan(0);
  });

  test("a triangle has its corners", () => {
    const vertices = [
      [1, 0, 0],
      [0, 2, 0],
      [0, 0, 3],
    ];
    const points = pointsOf(object("triangle", { vertices }));
    for (const [index, vertex] of vertices.entries()) {
      expect(points[index]?.distanceTo(new Vector3(...vertex))).toBeLessThan(1e-6);
    }
  });

  test("an arc stands from its first angle to its last: half a ring is an arch", () => {
    const arch = {
      center: [0, 0, 0],
      normal: [0, 0, 1],
      radius: 2,
      thickness: 0.5,
      start_angle: 0,
      end_angle: 180,
    };
    const box = new Box3().setFromPoints(pointsOf(object("torus", arch)));
    expect(box.max.y).toBeCloseTo(2.25, 2);
    expect(box.min.y).toBeCloseTo(0, 6);
    expect([box.min.x, box.max.x].map(Math.abs)).toEqual([expect.closeTo(2.25, 2), expect.closeTo(2.25, 2)]);
  });

  test("with properties that are none is left out", () => {
    expect(partsOfShape(object("sphere", { center: "here" }), PRESETS, () => null)).toEqual([]);
  });
});

describe("lights", () => {
  test("with an area glow on the side they shine to, and are black on the other", () => {
    const light = object("area_quad_light", {
      corner: [0, 0, 0],
      u: [1, 0, 0],
      v: [0, 0, 1],
      emission: [8, 8, 8],
    });
    const [front, back] = partsOfLight(light);
    expect([front?.side, front?.surface.kind, back?.side, back?.surface.kind]).toEqual([
      "front",
      "emissive",
      "back",
      "black",
    ]);
    const normal = new Vector3(0, 0, 1).transformDirection(front?.matrix ?? new Matrix4());
    // Of u x v.
    expect(normal.toArray().map(Math.round)).toEqual([0, -1, 0]);
  });

  test("shine as strongly as they are bright and large", () => {
    const emission = [2, 2, 2];
    const of = (type: string, properties: Properties) =>
      punctualLightOf(object(type, { emission, ...properties }));
    expect(of("point_spot_light", { center: [0, 0, 0], cutoff_angle: 180 })?.intensity[0]).toBe(2);
    expect(of("area_quad_light", { corner: [0, 0, 0], u: [3, 0, 0], v: [0, 0, 2] })?.intensity[0]).toBe(12);
    expect(of("area_sphere_light", { center: [0, 0, 0], radius: 1 })?.intensity[0]).toBeCloseTo(2 * Math.PI);
    const disc = { center: [0, 0, 0], normal: [0, -2, 0], radius: 1 };
    expect(of("disc_spot_light", disc)).toMatchObject({ direction: [0, -1, 0], coneAngle: Math.PI / 2 });
    expect(of("area_disc_spot_light", { ...disc, cutoff_angle: 30 })?.coneAngle).toBeCloseTo(Math.PI / 6);
    expect(of("laser", {})).toBeNull();
  });

  test("are also shapes that glow", () => {
    const material = { type: "emissive", emission: [3, 3, 3] };
    const ball = object("sphere", { center: [0, 0, 0], radius: 1, material });
    expect(punctualLightOfShape(ball, PRESETS)?.intensity[0]).toBe(18);
    expect(
      punctualLightOfShape({ ...ball, properties: { ...ball.properties, material: "gold" } }, PRESETS),
    ).toBeNull();
  });

  test("far away shine the same everywhere, from where they come", () => {
    const light = object("directional_light", { direction: [0, -2, 0], emission: [3, 2, 1] });
    const lamp = punctualLightOf(light, [5, 0, 0]);
    const { position = [0, 0, 0], intensity = [0, 0, 0] } = lamp ?? {};
    const irradianceAt = (x: number) => intensity[0] / ((position[0] - x) ** 2 + position[1] ** 2);
    expect(position[1]).toBeGreaterThan(1000);
    expect(irradianceAt(5)).toBeCloseTo(3, 6);
    expect(irradianceAt(105)).toBeCloseTo(3, 2);
  });

  test("the sun stands where the server has it, and sets", () => {
    const noon = sunDirection({ type: "sky", time: 12 });
    // In midsummer at 45 degrees north: 68.4 degrees above the south.
    expect(noon[1]).toBeCloseTo(Math.sin((68.44 * Math.PI) / 180), 3);
    expect(noon[2]).toBeGreaterThan(0.3);
    expect(sunDirection({ type: "sky", time: 8 })[0]).toBeGreaterThan(0.5);
    expect(sunDirection({ type: "sky", time: 12, sky_rotation: 90 })[0]).toBeLessThan(-0.3);
    expect(surroundingsOf({ type: "sky", time: 12 }, null).sun).not.toBeNull();
    expect(surroundingsOf({ type: "sky", time: 0 }, null).sun).toBeNull();
    expect(surroundingsOf({ type: "uniform" }, null).sun).toBeNull();
    const [day, night] = [12, 0].map((time) => skyOf({ type: "sky", time }));
    expect(Math.max(...(night?.bottom ?? []))).toBeLessThan(0.3 * Math.max(...(day?.bottom ?? [])));
  });

  test("environments shine from above and below", () => {
    expect(skyOf({ type: "gradient", top_color: [0, 0, 1], bottom_color: [1, 1, 1] })).toEqual({
      top: [0, 0, 1],
      bottom: [1, 1, 1],
    });
    expect(skyOf({ type: "uniform", emission: [2, 2, 2] }).bottom).toEqual([2, 2, 2]);
    expect(skyOf({ type: "none" }).top).toEqual([0, 0, 0]);
  });
});

describe("materials", () => {
  test.each([
    [matte([0.1, 0.2, 0.3]), "matte", [0.1, 0.2, 0.3]],
    [{ type: "metal", albedo: [0.9, 0.8, 0.7], fuzz: 0.2 }, "glossy", [0.9, 0.8, 0.7]],
    [{ type: "dielectric", refractive_index: 1.5 }, "glass", [1, 1, 1]],
    [{ type: "emissive", emission: [5, 4, 3] }, "emissive", [5, 4, 3]],
    [{ type: "principled", base_color: [0.2, 0.2, 0.2], specular_roughness: 0.9 }, "matte", [0.2, 0.2, 0.2]],
    [
      // A coat takes more of what is dark already: (1 - K) / (1 - base K) with K = 0.649.
      {
        type: "principled",
        base_color: [0.7, 0.4, 0.2],
        coat_weight: 1,
        coat_color: [0.9, 0.7, 0.5],
        specular_weight: 0,
      },
      "matte",
      [0.406, 0.133, 0.0404].map((channel) => expect.closeTo(channel, 2)),
    ],
    [{ type: "principled", transmission_weight: 1, transmission_color: [1, 0, 0] }, "glass", [1, 0, 0]],
    [{ type: "principled", emission_luminance: 4, emission_color: [1, 0.5, 0] }, "emissive", [4, 2, 0]],
    [
      { type: "lambertian", albedo: { type: "checker", first: [1, 0, 0], second: [0, 0, 1] } },
      "matte",
      [0.5, 0, 0.5],
    ],
    [{ type: "lambertian", albedo: { type: "noise" } }, "matte", [0.5, 0.5, 0.5]],
    ["gold", "glossy", [1, 0.765557, 0.336057]],
    [
      {
        type: "mix",
        first: { type: "lambertian", albedo: [1, 0, 0] },
        second: { type: "lambertian", albedo: [0, 0, 1] },
        weight: 0.25,
      },
      "matte",
      [0.75, 0, 0.25],
    ],
    [{ type: "mix", first: "glass", second: "rust", weight: 0.2 }, "glass", [1, 1, 1]],
    [{ type: "preset", name: "gold" }, "glossy", [1, 0.765557, 0.336057]],
    [undefined, "matte", [0.5, 0.5, 0.5]],
    [{ type: "hologram" }, "matte", [0.5, 0.5, 0.5]],
  ])("%j", (material, kind, colour) => {
    expect(surfaceOf(material, PRESETS)).toMatchObject({ kind, colour });
  });

  test("all presets are known", () => {
    expect(PRESETS.size).toBeGreaterThan(70);
    for (const name of PRESETS.keys()) expect(surfaceOf(name, new Map())).not.toBe(surfaceOf(name, PRESETS));
    expect(surfaceOf("chrome", PRESETS).metalness).toBe(1);
  });
});

describe("the camera", () => {
  const CAMERAS: Properties[] = [
    { center: [0, 1, 5], look_at: [0, 1, 0], up: [0, 1, 0], vfov: 45 },
    { center: [3, 4, -5], look_at: [-1, 0.5, 0.2], up: [0.2, 1, 0], vfov: 70 },
    { center: [0, 9, 0], look_at: [0, 0, 0], up: [0, 1, 0], vfov: 20 },
    { center: [0, 9, 0], look_at: [0, 0, 0], up: [0, 0, -1], vfov: 100 },
    { center: [2, -3, 1], look_at: [2, 5, 1], up: [0, 1, 0], vfov: 33 },
    { center: [0, 0, 5], look_at: [0, 0, 0], up: [0, 1, 0], vfov: 45, projection: "orthographic" },
    {
      center: [3, 4, -5],
      look_at: [-1, 0, 0],
      up: [0, 1, 0],
      vfov: 45,
      projection: "orthographic",
      height: 2,
    },
  ];
  const corners = cornersOf({
    center: [0.3, 0.2, 0.1],
    half: [
      [0.5, 0.1, 0],
      [-0.1, 0.5, 0],
      [0, 0, 0.7],
    ],
  });

  test.each([[4 / 3], [16 / 9], [0.5], [1]])("frames as the tracer does, at an aspect of %f", (aspect) => {
    for (const properties of CAMERAS) {
      const camera = new ViewportCamera();
      expect(applyCameraProperties(camera, properties, aspect)).toBe(true);
      const frame = viewFrame(properties, aspect);
      if (frame === null) throw new Error("no frame");
      for (const corner of corners) {
        const seen = new Vector3(...corner).project(camera);
        const expected = project(frame, aspect, corner);
        expect(0.5 * (1 + seen.x)).toBeCloseTo(expected.x, 6);
        expect(0.5 * (1 - seen.y)).toBeCloseTo(expected.y, 6);
      }
    }
  });

  test.each(CAMERAS)(
    "shows as much from side to side in a narrow picture as in one of 4:3: %j",
    (properties) => {
      const across = (aspect: number) => {
        const camera = new ViewportCamera();
        applyCameraProperties(camera, properties, aspect);
        return new Vector3(0.3, 0.2, 0.1).project(camera).x;
      };
      expect(across(0.8)).toBeCloseTo(across(4 / 3), 9);
      expect(across(16 / 9)).not.toBeCloseTo(across(4 / 3), 3);
    },
  );

  test("that cannot be read moves nothing", () => {
    expect(applyCameraProperties(new ViewportCamera(), { center: [0, 0, 0] }, 1)).toBe(false);
  });

  test("gives back what it was set to, with the lens", () => {
    const properties = { ...CAMERAS[1], aperture: 0.1, focus_distance: 3 };
    const camera = new ViewportCamera();
    applyCameraProperties(camera, properties, 1.5);
    const read = cameraPropertiesOf(camera, new Vector3(-1, 0.5, 0.2), properties);
    expect(read).toMatchObject({ center: [3, 4, -5], look_at: [-1, 0.5, 0.2], vfov: 70, aperture: 0.1 });
    applyCameraProperties(camera, CAMERAS.at(-1) as Properties, 0.8);
    expect(
      cameraPropertiesOf(camera, new Vector3(-1, 0, 0), CAMERAS.at(-1) as Properties).height,
    ).toBeCloseTo(2, 6);
  });
});

describe("one orbits", () => {
  const axisOf = (up: Triple, look_at: Triple = [0, 0, 0]) => {
    const camera = new ViewportCamera();
    applyCameraProperties(camera, { center: [0, 3, 5], look_at, up, vfov: 45 }, 1);
    return camera.up.toArray();
  };

  test("around the vertical, however the camera tilts or rolls", () => {
    expect(axisOf([0, 0.857, -0.514]), "up as a file has it whose camera looks down").toEqual([0, 1, 0]);
    expect(axisOf([0.5, 0.8, 0.1]), "rolled to its side").toEqual([0, 1, 0]);
    expect(axisOf([0, 1, 0], [0, 0, 5]), "straight down").toEqual([0, 1, 0]);
  });

  test("around another axis of the world where the scene has that as up", () => {
    expect(axisOf([0, 0, 1], [4, 8, 4])).toEqual([0, 0, 1]);
    expect(axisOf([0, -2, 0])).toEqual([0, -1, 0]);
  });
});

describe("an orthographic camera", () => {
  const flat = { center: [0, 0, 5], look_at: [0, 0, 0], up: [0, 1, 0], vfov: 45, projection: "orthographic" };

  test("shows the same of what is near and far, by its height", () => {
    const camera = new ViewportCamera();
    applyCameraProperties(camera, { ...flat, height: 4 }, 2);
    for (const z of [4, 0, -30]) {
      setDepthRange(camera, null);
      const seen = new Vector3(2, 1, z).project(camera);
      expect([seen.x, seen.y]).toEqual([expect.closeTo(0.5, 6), expect.closeTo(0.5, 6)]);
    }
  });

  test("is picked through along its own lines of sight", () => {
    const camera = new ViewportCamera();
    applyCameraProperties(camera, { ...flat, height: 4 }, 2);
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(0.5, -0.5), camera);
    expect(ray.ray.direction.toArray()).toEqual([0, 0, -1]);
    expect([ray.ray.origin.x, ray.ray.origin.y]).toEqual([expect.closeTo(2, 6), expect.closeTo(-1, 6)]);
  });

  test("is zoomed by its height, and perspective comes back whole", () => {
    const camera = new ViewportCamera();
    applyCameraProperties(camera, { ...flat, height: 4 }, 1);
    camera.zoom = 2;
    camera.updateProjectionMatrix();
    const read = cameraPropertiesOf(camera, new Vector3(0, 0, 0), flat);
    expect(read).toMatchObject({ projection: "orthographic", height: 2 });
    expect(isSameView(read, { ...flat, height: 4 })).toBe(false);
    const perspective = { ...flat, projection: "perspective" };
    applyCameraProperties(camera, perspective, 1);
    expect(cameraPropertiesOf(camera, new Vector3(0, 0, 0), perspective)).not.toHaveProperty("height");
    expect(camera.isPerspectiveCamera).toBe(true);
  });
});

test("the grid's step is a power of ten that one sees some dozens of", () => {
  expect([0.5, 5, 40, 400].map(gridStep)).toEqual([0.1, 1, 10, 100]);
});
