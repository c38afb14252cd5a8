import { expect } from "vitest";
import { cameraFrame } from "../../src/document/camera";
import { EMPTY_SCENE, type SceneDocument, type SceneObject } from "../../src/document/scene";

/** Looks along -z, level; half of the height is as far as the distance. */
export const LEVEL = { center: [0, 0, 5], look_at: [0, 0, 0], up: [0, 1, 0], vfov: 90 };

export const frameOf = (camera: object) => {
  const frame = cameraFrame(camera as Record<string, unknown>);
  if (frame === null) throw new Error("the camera is good");
  return frame;
};

export const ball = (id: string, group?: string): SceneObject => ({
  id,
  type: "sphere",
  properties: { center: [1, 2, 3], radius: 0.5 },
  ...(group !== undefined && { group }),
});

/** Three balls, one in a group inside a group, and a light. */
export const SCENE: SceneDocument = {
  ...EMPTY_SCENE,
  shapes: [ball("floor"), ball("head", "snowman"), ball("hat", "top")],
  lights: [{ id: "key", type: "area_sphere_light", properties: { center: [0, 4, 0], radius: 0.1 } }],
  groups: [{ id: "top", parent: "snowman" }],
  environment: { type: "gradient" },
  camera: LEVEL,
};

/** The same point of a picture, but for rounding. */
export function near(point: { x: number; y: number }, { x, y }: { x: number; y: number }): void {
  expect(point.x).toBeCloseTo(x, 10);
  expect(point.y).toBeCloseTo(y, 10);
}
