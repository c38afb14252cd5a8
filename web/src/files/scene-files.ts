import { cameraFrame } from "../document/camera";
import { freeId } from "../document/free-id";
import { type CameraView, offsetToFreePlace, spawnPoint } from "../document/placement";
import { type SceneDocument, usedIds } from "../document/scene";
import { add, isTriple, scale, subtract, type Triple } from "../document/vector";
import type { EditCall } from "../protocol";

/** What a dropped or chosen file is; `foreign` is the scene of another program. */
export type FileKind = "picture" | "session" | "scene" | "foreign" | "mesh" | "unknown";

const IMPORT_FORMATS = ["glb", "gltf", "obj", "pbrt"];

export function kindOfFile({ name, type }: { name: string; type: string }): FileKind {
  const ending = name.toLowerCase().split(".").at(-1) ?? "";
  if (ending === "scene-llm") return "session";
  if (ending === "json") return "scene";
  if (ending === "ply") return "mesh";
  if (IMPORT_FORMATS.includes(ending)) return "foreign";
  return type.startsWith("image/") ? "picture" : "unknown";
}

/** Whether all of a file's triangles can be taken as one mesh. */
export function canImportAsMesh(name: string): boolean {
  return !name.toLowerCase().endsWith(".pbrt");
}

/** An uploaded mesh, as far as the page needs it. */
export interface UploadedAsset {
  /** What a scene names it by. */
  asset: string;
  /** The corners of the box around it, where it is a mesh. */
  bounds?: { min: unknown; max: unknown };
}

/** How much of the picture's height a mesh that is brought in takes. */
const FRACTION_OF_VIEW = 0.5;

/** The call that places an uploaded mesh in front of the camera, on what stands there, scaled to the view. */
export function createMeshCall(
  scene: SceneDocument,
  cameraView: CameraView,
  { asset, bounds }: UploadedAsset,
  name: string,
): EditCall {
  const stem = name.replace(/\.[^.]*$/, "").toLowerCase();
  const wanted = stem
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 60);
  const id = freeId(wanted || "mesh", usedIds(scene));
  const fit = bounds === undefined ? {} : fitToView(scene, cameraView, bounds);
  const properties = { asset, ...fit, material: { type: "lambertian", albedo: [0.6, 0.6, 0.6] } };
  return { name: "create_shape", args: { id, type: "mesh", properties } };
}

/** Where a mesh goes and how much it is scaled. */
function fitToView(
  scene: SceneDocument,
  cameraView: CameraView,
  { min, max }: { min: unknown; max: unknown },
): { translation?: Triple; scale?: Triple } {
  if (cameraFrame(cameraView.camera) === null || !isTriple(min) || !isTriple(max)) return {};
  const length = Math.max(...subtract(max, min));
  if (!(length > 0)) return {};
  const { position, visibleHeight } = spawnPoint(cameraView);
  const factor = Number(((FRACTION_OF_VIEW * visibleHeight) / length).toPrecision(2));
  const middle = scale(add(min, max), 0.5 * factor);
  const [x, y, z] = scale(subtract(max, min), 0.5 * factor);
  const half = [
    [x, 0, 0],
    [0, y, 0],
    [0, 0, z],
  ] as const;
  const way = offsetToFreePlace(scene, cameraView, { center: position, half });
  const place = subtract(add(position, way), middle);
  const translation = place.map((value) => Number(value.toPrecision(6))) as unknown as Triple;
  return { translation, scale: [factor, factor, factor] };
}
