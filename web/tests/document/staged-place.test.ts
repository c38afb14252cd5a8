import { describe, expect, test } from "vitest";
import { creationCall } from "../../src/document/creation";
import { EMPTY_SCENE, type SceneDocument, type SceneObject } from "../../src/document/scene";

const box = (id: string, center: number[], more: Partial<SceneObject> = {}): SceneObject => ({
  id,
  type: "box",
  properties: { center, dimensions: [0.6, 0.6, 0.6] },
  ...more,
});
const ground: SceneObject = {
  id: "stage_ground",
  type: "disc",
  group: "stage",
  properties: { center: [0, 0, 0], normal: [0, 1, 0], radius: 60 },
};
/** As a stage looks at a box of 0.6 m. */
const camera = {
  center: [1.2776505, 1.43497625, 1.8246745],
  look_at: [0, 0.3, 0],
  up: [0, 1, 0],
  vfov: 30,
};
const SCENE: SceneDocument = { ...EMPTY_SCENE, shapes: [box("box", [0, 0.3, 0]), ground], camera };
const radiusOf = (scene: SceneDocument, seen = scene.camera) => {
  const { args } = creationCall(scene, "sphere", { camera: seen, aspect: 4 / 3 });
  return (args as SceneObject).properties.radius as number;
};

describe("a new thing on a stage, whose camera steps back", () => {
  test("is as large as what is there, and stands beside it", () => {
    expect(radiusOf(SCENE)).toBeCloseTo(0.3, 5);
    const { args } = creationCall(SCENE, "sphere", { camera, aspect: 4 / 3 });
    const [x, y, z] = (args as SceneObject).properties.center as [number, number, number];
    expect(y).toBeCloseTo(0.3, 2);
    const away = Math.hypot(x, z);
    expect(away).toBeGreaterThan(0.6);
    expect(away).toBeLessThan(1.2);
    // To the right, as the camera has it: neither before the box nor behind it.
    expect(Math.abs(0.573 * x + 0.819 * z)).toBeLessThan(0.1 * away);
  });

  test("has the size that fits the view where no stage follows, or one looks from elsewhere", () => {
    const small = radiusOf({ ...SCENE, shapes: [box("box", [0, 0.3, 0])] });
    expect(small).toBeLessThan(0.2);
    expect(radiusOf(SCENE, { ...camera })).toBe(small);
  });

  test("takes no floor for a measure", () => {
    const floor = box("floor", [0, -0.1, 0], {
      properties: { center: [0, -0.1, 0], dimensions: [20, 0.2, 20] },
    });
    expect(radiusOf({ ...SCENE, shapes: [floor, ...SCENE.shapes] })).toBeCloseTo(0.3, 5);
  });
});
