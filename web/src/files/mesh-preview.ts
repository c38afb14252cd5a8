import type { Properties } from "../document/scene";
import { TO_CAMERA, VFOV } from "../document/staged-place";
import { add, isTriple, length, scale, subtract } from "../document/vector";
import { type MeshPlacing, type UploadedAsset, upright } from "./scene-files";

/** A scene that shows nothing but a mesh, on a ground, with what is up as `up` says; null where its size is not known. */
export function meshPreviewScene({ asset, bounds }: UploadedAsset, up: MeshPlacing["up"]): Properties | null {
  const { min, max } = bounds === undefined ? { min: null, max: null } : upright(bounds, up);
  if (!isTriple(min) || !isTriple(max)) return null;
  const radius = 0.5 * length(subtract(max, min));
  if (!(radius > 0)) return null;
  const middle = scale(add(min, max), 0.5);
  const away = (1.15 * radius) / Math.sin((0.5 * VFOV * Math.PI) / 180);
  const matte = (gray: number) => ({ type: "lambertian", albedo: [gray, gray, gray] });
  const shapes = [
    {
      id: "mesh",
      type: "mesh",
      properties: { asset, material: matte(0.6), ...(up === "z" && { rotation: [-90, 0, 0] }) },
    },
    {
      id: "ground",
      type: "disc",
      properties: {
        center: [middle[0], min[1] - 1e-3 * radius, middle[2]],
        normal: [0, 1, 0],
        radius: 30 * radius,
        material: matte(0.4),
      },
    },
  ];
  const scene = {
    version: 1,
    shapes,
    lights: [
      {
        id: "key",
        type: "directional_light",
        properties: { direction: [0.41, -0.77, -0.49], emission: [1.6, 1.6, 1.6], angular_diameter: 8 },
      },
    ],
    environment: { type: "gradient", top_color: [0.4, 0.42, 0.45], bottom_color: [0.1, 0.1, 0.1] },
    camera: {
      center: add(middle, scale(TO_CAMERA, away)),
      look_at: middle,
      vfov: VFOV,
    },
  };
  return scene;
}
