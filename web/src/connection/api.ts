import type { BranchSummary } from "../chat/branches";
import type { Moments } from "../document/motion/moments";
import type { UploadedAsset } from "../files/scene-files";
import type { Access } from "../protocol";
import { type AnimationFrame, type AnimationSettings, renderAnimation } from "./animation-api";
import { fileNameOf, Http, type UploadProgress, uploadJson } from "./http";
import { LibraryApi } from "./library-api";
import { ServerApi } from "./server-api";

/** A session in the list. */
export interface SessionSummary {
  session_id: string;
  name: string;
  updated_ms: number;
  /** Messages of the user. */
  messages: number;
  /** The text around the search words. */
  excerpt?: string;
}

/** A share link of a session. */
export interface Share {
  token: string;
  access: Access;
  created_ms: number;
}

/** Between two moments the page goes straight. */
const MOMENTS_PER_SECOND = 30;

/** What pictures are kept as. */
const PICTURE_TYPES = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
  exr: "image/x-exr",
} as const;
export type PictureFormat = keyof typeof PICTURE_TYPES;

/** How a picture is rendered; the server's defaults for what is left out. */
export interface PictureSettings {
  /** Pixels. */
  width: number;
  height: number;
  /** Of each pixel, at most. */
  samples?: number;
  /** The relative error of a pixel at which it ends, above 0. */
  noise_threshold?: number;
  /** In seconds. */
  time_limit?: number;
  denoise?: "none" | "builtin";
  /** Whether albedo, normals, depth and objects are added as layers; for EXR only. */
  aov?: boolean;
  /** Whether pixels are transparent where the sky is seen; not for JPEG. */
  transparent?: boolean;
}

/** Forms of a scene that other programs read. */
export type SceneFormat = "glb" | "gltf" | "obj" | "pbrt";

/** A scene as a file of another program. */
export interface SceneExport {
  content: Blob;
  /** What the server calls it: several files come as one archive. */
  name: string;
  /** What the format has no place for. */
  notes: readonly string[];
}

/** What a file of another program came to. */
export interface SceneImport {
  /** Of its objects and groups in the scene. */
  ids: readonly string[];
  /** What was left out. */
  notes: readonly string[];
}

/** How a file of another program is read: which of its axes is up, and how many meters a unit has. */
export interface ImportAxes {
  up: "y" | "z";
  meters: number;
}

/** What a file of another program holds, before it is imported. */
export interface ImportPreview {
  /** As a scene file, in the units of the file. */
  scene: { shapes: readonly Record<string, unknown>[] };
  /** The box around its shapes. */
  bounds: { min: unknown; max: unknown };
}

/** What is rendered of a session, instead of its scene as it is. */
export interface RenderedView {
  /** A camera that looks instead of the scene's. */
  camera?: Record<string, unknown>;
  /** Ids of objects that are not shown. */
  hidden?: readonly string[];
  /** As in a `view` message. */
  fit_aspect?: number;
  at_time?: number;
  /** Another scene, as a scene file. */
  scene?: Record<string, unknown>;
  /** The scene as it was then. */
  revision?: number;
}

/** The server's HTTP API. A refused request is an `Error` with the server's message. */
export class SessionsApi {
  readonly library: LibraryApi;
  readonly server: ServerApi;
  readonly #http: Http;

  /** `base` is the address the page was served from. */
  constructor(base: URL) {
    this.#http = new Http(base);
    this.library = new LibraryApi(this.#http);
    this.server = new ServerApi(this.#http);
  }

  /** Sessions with messages, newest first; with `words`, those that contain them. */
  async list(words: string): Promise<SessionSummary[]> {
    const query = words.trim() === "" ? "" : `?q=${encodeURIComponent(words.trim())}`;
    const { sessions } = await this.#requestJson<{ sessions: SessionSummary[] }>("GET", query);
    return sessions;
  }

  /** The URL of an uploaded image or mesh. */
  assetUrl(hash: string): string {
    return this.#http.url(`assets/${encodeURIComponent(hash)}`).href;
  }

  /** An uploaded image. */
  async asset(hash: string): Promise<Blob> {
    return (await this.#http.request("GET", new URL(this.assetUrl(hash)))).blob();
  }

  /** The script of the web pages that scenes are downloaded as. */
  async viewerScript(): Promise<string> {
    const response = await this.#http.request("GET", this.#http.pageFile("viewer.js"));
    const isScript = /javascript/.test(response.headers.get("content-type") ?? "");
    if (!isScript) throw new Error("the page has no viewer.js: build it with 'npm run build'");
    return response.text();
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#requestJson("PATCH", sessionPath(id), JSON.stringify({ name }));
  }

  async remove(id: string): Promise<void> {
    await this.#requestJson("DELETE", sessionPath(id));
  }

  /** The id of the copy. */
  async duplicate(id: string): Promise<string> {
    return (await this.#requestJson<{ session_id: string }>("POST", sessionPath(id, "duplicate"))).session_id;
  }

  /** The id of the session that `file`, an exported one, becomes. */
  async import(file: Blob): Promise<string> {
    return (await this.#requestJson<{ session_id: string }>("POST", "/import", file)).session_id;
  }

  async branches(id: string): Promise<BranchSummary[]> {
    return (await this.#requestJson<{ branches: BranchSummary[] }>("GET", sessionPath(id, "branches")))
      .branches;
  }

  async shares(id: string): Promise<Share[]> {
    return (await this.#requestJson<{ shares: Share[] }>("GET", sessionPath(id, "shares"))).shares;
  }

  /** Makes a link; the token that goes into it. */
  async share(id: string, access: Access): Promise<string> {
    return (await this.#requestJson<Share>("POST", sessionPath(id, "shares"), JSON.stringify({ access })))
      .token;
  }

  async revokeShare(id: string, token: string): Promise<void> {
    await this.#requestJson("DELETE", sessionPath(id, `shares/${encodeURIComponent(token)}`));
  }

  /** Where the picture of a message is, `index` from 0. */
  imageUrl(id: string, messageId: string, index: number): string {
    return this.#sessionUrl(imagePath(id, messageId, index)).href;
  }

  async image(id: string, messageId: string, index: number): Promise<Blob> {
    return (await this.#requestSession("GET", imagePath(id, messageId, index))).blob();
  }

  /** Where the picture of a variant of the goal is. Its revision tells variants of different goals apart. */
  variantUrl(sessionId: string, number: number, revision: number): string {
    const picture = this.#sessionUrl(sessionPath(sessionId, `goal/variants/${number}/picture`));
    picture.searchParams.set("revision", String(revision));
    return picture.href;
  }

  /** Where the small picture of a session is. */
  thumbnailUrl(id: string): string {
    return this.#sessionUrl(sessionPath(id, "thumbnail")).href;
  }

  /** Makes `scene`, a scene file, the session's scene: one edit. */
  async replaceScene(id: string, scene: string): Promise<void> {
    await this.#requestJson("PUT", sessionPath(id, "scene"), scene);
  }

  /** Adds what a file of another program holds to the session's scene, or makes it the scene: one edit. */
  importScene(
    id: string,
    file: File,
    { replace, up, meters }: ImportAxes & { replace: boolean },
    onProgress: UploadProgress,
  ): Promise<SceneImport> {
    const query = new URLSearchParams({
      name: file.name,
      replace: String(replace),
      up,
      scale: String(meters),
    });
    return uploadJson(this.#sessionUrl(sessionPath(id, `scene/import?${query}`)), file, onProgress);
  }

  /** What a file of another program holds; nothing is added. */
  previewImport(id: string, file: File, onProgress: UploadProgress): Promise<ImportPreview> {
    const query = new URLSearchParams({ name: file.name, preview: "true" });
    return uploadJson(this.#sessionUrl(sessionPath(id, `scene/import?${query}`)), file, onProgress);
  }

  /** The scene as a file of another program. */
  async exportScene(id: string, format: SceneFormat): Promise<SceneExport> {
    const response = await this.#requestSession("GET", sessionPath(id, `scene/export?format=${format}`));
    const { headers } = response;
    const name = fileNameOf(response);
    const notes: unknown = JSON.parse(decodeURIComponent(headers.get("scene-notes") ?? "[]"));
    return {
      content: await response.blob(),
      name: name ?? `scene.${format}`,
      notes: Array.isArray(notes) ? notes.map(String) : [],
    };
  }

  /** Uploads a mesh or a picture for a session. */
  upload(id: string, file: File, onProgress: UploadProgress): Promise<UploadedAsset> {
    const query = new URLSearchParams({ name: file.name, session: id });
    return uploadJson(this.#http.url(`assets?${query}`), file, onProgress);
  }

  /** A file of the session. */
  async file(id: string, name: string): Promise<Blob> {
    return (await this.#requestSession("GET", sessionPath(id, name))).blob();
  }

  /** What somebody sees of a session, rendered; `signal` ends the rendering. */
  async renderPicture(
    id: string,
    view: RenderedView,
    format: PictureFormat,
    settings: PictureSettings,
    signal: AbortSignal,
  ): Promise<Blob> {
    const about = { wanted: { accept: PICTURE_TYPES[format] }, signal };
    const body = JSON.stringify({ ...view, ...settings });
    const address = this.#sessionUrl(sessionPath(id, "render"));
    return (await this.#http.request("POST", address, body, about)).blob();
  }

  /** How things stand over the animation, as finely as the server tells. */
  async moments(id: string): Promise<Moments> {
    return (await this.#requestJson(
      "GET",
      sessionPath(id, `animation/poses?fps=${MOMENTS_PER_SECOND}`),
    )) as Moments;
  }

  /** The animation of a session's scene as a file; `onFrame` gets each frame, `signal` ends the rendering. */
  renderAnimation(
    id: string,
    settings: AnimationSettings,
    onFrame: (frame: AnimationFrame) => void,
    signal: AbortSignal,
  ): Promise<Blob> {
    const query = new URLSearchParams(Object.entries(settings).map(([name, value]) => [name, String(value)]));
    const address = this.#sessionUrl(sessionPath(id, `animation?${query}`));
    return renderAnimation(this.#http, address, onFrame, signal);
  }

  /** A shape as triangles, see `docs/protocol.md`. */
  async shapeMesh(id: string, shapeId: string): Promise<ArrayBuffer> {
    return (await this.file(id, `shapes/${encodeURIComponent(shapeId)}/mesh`)).arrayBuffer();
  }

  /** True when the server says that the session does not exist. */
  async isUnknown(id: string): Promise<boolean> {
    try {
      return (await fetch(this.#sessionUrl(sessionPath(id)))).status === 404;
    } catch {
      return false;
    }
  }

  #requestJson<Answer>(method: string, rest: string, body?: string | Blob): Promise<Answer> {
    return this.#http.json(method, this.#sessionUrl(rest), body);
  }

  #requestSession(method: string, rest: string, body?: string | Blob): Promise<Response> {
    return this.#http.request(method, this.#sessionUrl(rest), body);
  }

  #sessionUrl(rest: string): URL {
    return this.#http.url(`sessions${rest}`);
  }
}

function sessionPath(id: string, rest?: string): string {
  const session = `/${encodeURIComponent(id)}`;
  return rest === undefined ? session : `${session}/${rest}`;
}

function imagePath(id: string, messageId: string, index: number): string {
  return sessionPath(id, `messages/${encodeURIComponent(messageId)}/images/${index}`);
}
