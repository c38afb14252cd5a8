import type { ImportPreview } from "../connection/api";
import type { Properties } from "../document/scene";
import { TO_CAMERA, VFOV } from "../document/staged-place";
import { add, isTriple, length, scale, subtract, type Triple } from "../document/vector";
import { type UploadedAsset, upright } from "./scene-files";

/** Coordinates and lengths of scenes end there. */
const MAX_LENGTH = 1e6;

/** What a file holds: shapes, and the box around them, in the axes and units of the file. */
export interface FileContent {
  shapes: readonly Record<string, unknown>[];
  bounds: { min: unknown; max: unknown };
}

export function contentOfMesh({ asset, bounds }: UploadedAsset): FileContent {
  const mesh = { id: "mesh", type: "mesh", properties: { asset, material: matte(0.6) } };
  return { shapes: [mesh], bounds: bounds ?? { min: null, max: null } };
}

export function contentOfScene({ scene, bounds }: ImportPreview): FileContent {
  return { shapes: scene.shapes, bounds };
}

/** A scene that shows nothing but what a file holds, on a ground, with what is up as `up` says; null for no size. */
export function importPicture({ shapes, bounds }: FileContent, up: "y" | "z"): Properties | null {
  const { min, max } = upright(bounds, up);
  if (!isTriple(min) || !isTriple(max)) return null;
  const radius = 0.5 * length(subtract(max, min));
  if (!(radius > 0)) return null;
  const middle = scale(add(min, max), 0.5);
  const away = (1.15 * radius) / Math.sin((0.5 * VFOV * Math.PI) / 180);
  // Not the shapes are turned but what is around them.
  const inFile = ([x, y, z]: Triple): Triple => (up === "z" ? [x, -z, y] : [x, y, z]);
  const ground = {
    id: "preview ground",
    type: "disc",
    properties: {
      center: inFile([middle[0], min[1] - 1e-3 * radius, middle[2]]),
      normal: inFile([0, 1, 0]),
      radius: Math.min(30 * radius, MAX_LENGTH),
      material: matte(0.4),
    },
  };
  const key = {
    id: "preview key",
    type: "directional_light",
    properties: { direction: inFile([0.41, -0.77, -0.49]), emission: [1.6, 1.6, 1.6], angular_diameter: 8 },
  };
  return {
    version: 1,
    shapes: [...shapes, ground],
    lights: [key],
    environment: { type: "uniform", emission: [0.3, 0.31, 0.33] },
    camera: {
      center: inFile(add(middle, scale(TO_CAMERA, away))),
      look_at: inFile(middle),
      up: inFile([0, 1, 0]),
      vfov: VFOV,
    },
  };
}

function matte(gray: number) {
  return { type: "lambertian", albedo: [gray, gray, gray] };
}
