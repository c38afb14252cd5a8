import type { SceneFormat } from "../connection/api";
import type { ModelFormat } from "../raster/objects/model-export";

/** What a scene can be taken to other programs as. */
export const SCENE_FORMATS: readonly { format: SceneFormat; name: string; detail: string }[] = [
  { format: "glb", name: "GLB", detail: "One file for Blender, engines and viewers" },
  { format: "gltf", name: "glTF", detail: "The same as text, its data beside it, as a zip" },
  { format: "obj", name: "OBJ", detail: "Triangles and plain colors, as a zip" },
  { format: "pbrt", name: "PBRT", detail: "For renderers; with meshes as a zip" },
];

/** What the page itself makes of what it draws. */
export const MODEL_FORMATS: readonly { format: ModelFormat; name: string; detail: string }[] = [
  { format: "usdz", name: "USDZ", detail: "For phones and AR; what is shown, in plain colors" },
  { format: "ply", name: "PLY", detail: "One mesh of what is shown, in plain colors" },
];

/** Hands a file to the user as a download. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has taken its hold by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

const MAX_NAME_LENGTH = 60;

/** The name of a download: what the session is called, in letters that every file system takes. `suffix` stays whole. */
export function downloadName(
  session: string,
  ending: string,
  { fallback = "scene", suffix = "" }: { fallback?: string; suffix?: string } = {},
): string {
  const rest = suffix === "" ? "" : `-${suffix}`;
  const clean = session
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+/, "")
    .slice(0, MAX_NAME_LENGTH - rest.length)
    .replace(/-+$/, "");
  return `${clean || fallback}${rest}.${ending}`;
}

/** The name of an exported session's file. */
export function sessionFileName(name: string): string {
  return downloadName(name, "scene-llm", { fallback: "session" });
}

const ANY_FILE = ".json,.scene-llm,.zip,.glb,.gltf,.bin,.obj,.mtl,.pbrt,.ply,.stl,.hdr,.exr,image/*";
/** Exported objects. */
export const OBJECT_FILES = ".json";
/** Pictures that surfaces and environments can show. */
export const IMAGE_FILES = ".png,.jpg,.jpeg,.webp,.hdr,.exr";

/** Lets the user choose files, of any kind this page can open unless `accept` says otherwise. */
export function chooseFiles(onFiles: (files: readonly File[]) => void, accept = ANY_FILE): void {
  const field = document.createElement("input");
  field.type = "file";
  field.multiple = true;
  field.accept = accept;
  field.addEventListener("change", () => onFiles([...(field.files ?? [])]));
  field.click();
}
