import type { Moments } from "../document/motion/moments";
import { type Properties, type SceneDocument, STAGE } from "../document/scene";
import { rowsOf } from "../document/tree/tree";
import type { Bookmark } from "../protocol";
import { type PackedMesh, splitMesh, toBase64, type WebPageContents } from "./contents";
import { webPageHtml } from "./html";
import style from "./page.css?inline";

/** What becomes a web page: a scene as a page shows it. */
export interface WebPageSource {
  title: string;
  scene: SceneDocument;
  /** Ids of objects that are left out. */
  hidden: ReadonlySet<string>;
  /** From where it is seen; null for the scene's camera. */
  camera: Properties | null;
  bookmarks: readonly Bookmark[];
  /** The shapes that are drawn from the server's triangles, each with what names those. */
  serverMeshes: readonly (readonly [shape: string, key: string])[];
}

/** Where the rest of it comes from. */
export interface WebPageServer {
  /** The traced picture of what is shown. */
  picture(): Promise<Blob>;
  mesh(shape: string): Promise<ArrayBuffer>;
  asset(asset: string): Promise<Blob>;
  moments(): Promise<Moments>;
  /** The script that shows the page. */
  script(): Promise<string>;
}

/** So many meshes are asked for at a time. */
const MAX_REQUESTS = 6;

/** One HTML file that shows a scene by itself; `onProgress` is told what is being done. */
export async function makeWebPage(
  source: WebPageSource,
  server: WebPageServer,
  onProgress: (doing: string) => void,
): Promise<Blob> {
  const { title, hidden, bookmarks, camera } = source;
  const script = await server.script();
  onProgress("Rendering its picture");
  const picture = await dataUrl(await server.picture());
  const isShown = ({ id }: { id: string }) => !hidden.has(id);
  const scene: SceneDocument = {
    ...source.scene,
    shapes: source.scene.shapes.filter(isShown),
    lights: source.scene.lights.filter(isShown),
  };
  const wanted = source.serverMeshes.filter(([shape]) => !hidden.has(shape));
  const packed = await packMeshes(wanted, (shape) => server.mesh(shape), onProgress);
  onProgress("Collecting images");
  const pictures: [string, string][] = [];
  for (const asset of imageAssets(scene)) pictures.push([asset, await dataUrl(await server.asset(asset))]);
  const moments = scene.animation === null ? null : withoutHidden(await server.moments(), hidden);
  const contents: WebPageContents = { scene, camera, bookmarks, moments, pictures, ...packed };
  const nonce = toBase64(crypto.getRandomValues(new Uint8Array(16)).buffer);
  const description = describe(title, scene);
  const html = webPageHtml({ title, description, picture, contents, script, style, nonce });
  return new Blob([html], { type: "text/html" });
}

/** What is in a scene, in words: the outermost things of the list of objects. */
export function describe(title: string, scene: SceneDocument): string {
  const names = rowsOf(scene, new Set())
    .filter(({ kind, key }) => (kind === "shape" || kind === "group") && key !== STAGE)
    .map(({ label }) => label.replaceAll("_", " "));
  const shown = names.slice(0, MAX_NAMES);
  const others = names.length - shown.length;
  if (others > 0) shown.push(`${others} more`);
  const list = shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
  return names.length === 0 ? title : `${title}: a 3D scene with ${list}`;
}

const MAX_NAMES = 8;

/** Shapes with one key share their mesh, and shapes that are alike their numbers. */
async function packMeshes(
  wanted: WebPageSource["serverMeshes"],
  load: (shape: string) => Promise<ArrayBuffer>,
  onProgress: (doing: string) => void,
): Promise<Pick<WebPageContents, "meshes" | "bodies">> {
  const shapesOf = new Map<string, string[]>();
  for (const [shape, key] of wanted) shapesOf.set(key, [...(shapesOf.get(key) ?? []), shape]);
  const waiting = [...shapesOf.values()];
  const total = waiting.length;
  const meshes: PackedMesh[] = [];
  const bodies = new Map<string, number>();
  const loadNext = async (): Promise<void> => {
    const shapes = waiting.pop();
    const [first] = shapes ?? [];
    if (shapes === undefined || first === undefined) return;
    onProgress(`Collecting shapes: ${total - waiting.length} of ${total}`);
    const { header, body } = splitMesh(await load(first));
    const encoded = toBase64(body);
    const at = bodies.get(encoded) ?? bodies.size;
    bodies.set(encoded, at);
    meshes.push(...shapes.map((shape) => ({ shape, header, body: at })));
    return loadNext();
  };
  await Promise.all(Array.from({ length: MAX_REQUESTS }, loadNext));
  return { meshes, bodies: [...bodies.keys()] };
}

/** The pictures that surfaces and the environment show. Meshes are assets as well, but come as triangles. */
export function imageAssets({ shapes, lights, environment }: SceneDocument): Set<string> {
  const found = new Set<string>();
  const look = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === "asset" && typeof inner === "string") found.add(inner);
      else look(inner);
    }
  };
  look(environment);
  for (const { type, properties } of [...shapes, ...lights]) {
    const { asset: _, ...others } = properties;
    look(type === "mesh" ? others : properties);
  }
  return found;
}

function withoutHidden({ moments, ...rest }: Moments, hidden: ReadonlySet<string>): Moments {
  const isShown = ({ id }: { id: string | null }) => id === null || !hidden.has(id);
  return {
    ...rest,
    moments: moments.map(({ time, changes }) => ({ time, changes: changes.filter(isShown) })),
  };
}

async function dataUrl(file: Blob): Promise<string> {
  const type = file.type.split(";")[0] || "application/octet-stream";
  return `data:${type};base64,${toBase64(await file.arrayBuffer())}`;
}
