import { cameraFrame } from "../document/camera";
import { freeId } from "../document/free-id";
import { type CameraView, offsetToFreePlace, spawnPoint } from "../document/placement";
import { type SceneDocument, usedIds } from "../document/scene";
import { add, isTriple, scale, subtract, type Triple } from "../document/vector";
import type { EditCall } from "../protocol";

/** What a dropped or chosen file is; `foreign` is the scene of another program, `panorama` light all around. */
export type FileKind =
  | "picture"
  | "panorama"
  | "session"
  | "scene"
  | "object"
  | "foreign"
  | "mesh"
  | "unknown";

const IMPORT_FORMATS = ["glb", "gltf", "obj", "pbrt", "zip"];
/** Scenes that name files beside them: materials, data, pictures. */
const FORMATS_WITH_FILES = ["gltf", "obj", "pbrt"];

export function kindOfFile({ name, type }: { name: string; type: string }): FileKind {
  const ending = name.toLowerCase().split(".").at(-1) ?? "";
  if (ending === "scene-llm") return "session";
  if (name.toLowerCase().endsWith(".object.json")) return "object";
  if (ending === "json") return "scene";
  if (ending === "ply" || ending === "stl") return "mesh";
  if (ending === "hdr" || ending === "exr") return "panorama";
  if (IMPORT_FORMATS.includes(ending)) return "foreign";
  return type.startsWith("image/") ? "picture" : "unknown";
}

/**
 * The scene among files that were brought together with those that it names, which belong to it; null where there is
 * no such scene or nothing beside it.
 */
export function sceneWithFiles<F extends { name: string; type: string }>(files: readonly F[]): F | null {
  const scenes = files.filter(({ name }) =>
    FORMATS_WITH_FILES.some((ending) => name.toLowerCase().endsWith(`.${ending}`)),
  );
  const [scene] = scenes;
  const others = files.filter((file) => file !== scene);
  const isPart = (file: F) => ["picture", "panorama", "mesh", "unknown"].includes(kindOfFile(file));
  return scene !== undefined && scenes.length === 1 && others.length > 0 && others.every(isPart)
    ? scene
    : null;
}

/** The text of a file that has to be JSON; of any other an error says where it is none. */
export function checkedJson(text: string): string {
  if (text.trim() === "") throw new Error("the file is empty.");
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new Error(`it is not valid JSON${placeIn(text, String(error))}.`);
  }
}

/** Whether the text of a JSON file is an exported object, whatever the file is called. */
export function isObjectFile(text: string): boolean {
  return /^\s*\{\s*"format"\s*:\s*"scene-llm object"/.test(text);
}

/** Where an error of a browser's parser is; browsers tell a line and a column, a position, or nothing. */
function placeIn(text: string, message: string): string {
  const told = /line (\d+) column (\d+)/.exec(message);
  if (told !== null) return ` (line ${told[1]}, column ${told[2]})`;
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return "";
  const before = text.slice(0, Number(position)).split("\n");
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

/** What files of a format begin with, and what the format is called. */
const BEGINNINGS: Readonly<Record<string, { text: string; format: string }>> = {
  zip: { text: "PK", format: "a ZIP" },
  glb: { text: "glTF", format: "a GLB" },
  ply: { text: "ply", format: "a PLY" },
};

/** Fails, with words, for a file that is not what its name says, as far as its beginning tells. */
export async function checkBeginning(file: File): Promise<void> {
  const ending = file.name.toLowerCase().split(".").at(-1) ?? "";
  if (file.size === 0) throw new Error("the file is empty.");
  if (ending === "gltf") checkedJson(await file.text());
  const expected = BEGINNINGS[ending];
  if (expected === undefined) return;
  const beginning = await file.slice(0, expected.text.length).text();
  if (beginning !== expected.text) throw new Error(`it is not ${expected.format} file.`);
}

/** Whether files of this kind say their unit and up axis: others are looked at before they are opened. */
export function saysAxes(name: string): boolean {
  return /\.(gltf|glb|pbrt)$/i.test(name);
}

/** Whether all of a file's triangles can be taken as one mesh. */
export function canImportAsMesh(name: string): boolean {
  return !/\.(pbrt|zip)$/i.test(name);
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
  placing: MeshPlacing = AS_IT_IS,
): EditCall {
  const stem = name.replace(/\.[^.]*$/, "").toLowerCase();
  const wanted = stem
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 60);
  const id = freeId(wanted || "mesh", usedIds(scene));
  const fit =
    bounds === undefined ? {} : placed(scene, cameraView, upright(bounds, placing.up), placing.meters);
  const turned = placing.up === "z" ? { rotation: [-90, 0, 0] } : {};
  const properties = { asset, ...fit, ...turned, material: { type: "lambertian", albedo: [0.6, 0.6, 0.6] } };
  return { name: "create_shape", args: { id, type: "mesh", properties } };
}

/** What is not in a mesh file: which way is up, and how many meters a unit has; null is half as high as the view. */
export interface MeshPlacing {
  up: "y" | "z";
  meters: number | null;
}

const AS_IT_IS: MeshPlacing = { up: "y", meters: null };

/** What is likely: most STL files are in millimeters with z upwards, and nothing is known of others. */
export function likelyPlacing(name: string): MeshPlacing {
  return name.toLowerCase().endsWith(".stl") ? { up: "z", meters: 0.001 } : AS_IT_IS;
}

/** The corners of the box of a mesh after what was up has become y. */
export function upright({ min, max }: { min: unknown; max: unknown }, up: "y" | "z") {
  if (up === "y" || !isTriple(min) || !isTriple(max)) return { min, max };
  return { min: [min[0], min[2], -max[1]], max: [max[0], max[2], -min[1]] };
}

/** Where a mesh goes and how much it is scaled. */
function placed(
  scene: SceneDocument,
  cameraView: CameraView,
  { min, max }: { min: unknown; max: unknown },
  meters: number | null,
): { translation?: Triple; scale?: Triple } {
  if (cameraFrame(cameraView.camera) === null || !isTriple(min) || !isTriple(max)) return {};
  const length = Math.max(...subtract(max, min));
  if (!(length > 0)) return {};
  const { position, visibleHeight } = spawnPoint(cameraView);
  const factor = meters ?? Number(((FRACTION_OF_VIEW * visibleHeight) / length).toPrecision(2));
  const middle = scale(add(min, max), 0.5 * factor);
  const [x, y, z] = scale(subtract(max, min), 0.5 * factor);
  const half = [
    [x, 0, 0],
    [0, y, 0],
    [0, 0, z],
  ] as const;
  const way = offsetToFreePlace(scene, cameraView, { center: position, half });
  const inView = subtract(add(position, way), middle);
  // What has a size of its own may not fit the view: it stands on the ground then, too.
  const place = meters === null ? inView : ([inView[0], -factor * min[1], inView[2]] as const);
  const translation = place.map((value) => Number(value.toPrecision(6))) as unknown as Triple;
  return { translation, scale: [factor, factor, factor] };
}
