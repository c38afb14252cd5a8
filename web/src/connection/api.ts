import type { BranchSummary } from "../chat/branches";
import type { UploadedAsset } from "../files/scene-files";
import type { LibraryContents, LibraryObject, LibraryObjectDetails } from "../library/objects";
import type { Access, ModelInfo } from "../protocol";

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

/** A provider that a key can be entered for. */
export interface KeyStatus {
  provider: string;
  label: string;
  /** The page where keys are issued. */
  key_page: string;
  set: boolean;
  /** A key of the server's own start can only be changed there. */
  from_page: boolean;
  saved: boolean;
  /** The key's last letters, of a long one. */
  ending: string | null;
}

export interface KeyList {
  providers: readonly KeyStatus[];
  /** Whether there is a place to save keys. */
  can_remember: boolean;
}

/** What the test of a key came to. */
export interface KeyTest {
  /** How many models it may use; null where the provider could not be asked. */
  models: number | null;
  problem: string | null;
  saved: boolean;
  /** The model of new sessions now. */
  default: string;
}

/** A scene file, as far as the page looks into it. */
export interface SceneFile {
  shapes?: readonly { id: string }[];
  lights?: readonly { id: string }[];
  camera?: Record<string, unknown>;
}

/** What is saved as an object, and what is said of it. */
export interface ObjectRequest {
  session: string;
  /** Shapes, lights and groups. */
  ids: readonly string[];
  name: string;
  words: readonly string[];
  category: string;
  note: string;
  /** Degrees about the vertical. */
  front?: number;
}

/** A plan with parameters, which a goal can follow. */
export interface Workflow {
  name: string;
  /** What it does, in a sentence. */
  description: string;
  parameters: Record<string, WorkflowParameter>;
}

export interface WorkflowParameter {
  description: string;
  type: "text" | "integer" | "number" | "choice";
  default: string;
  min?: number;
  max?: number;
  /** Of a choice. */
  values?: readonly string[];
}

interface RequestOptions {
  /** More headers. */
  wanted?: Record<string, string>;
  signal?: AbortSignal;
}

/** The server's HTTP API. A refused request is an `Error` with the server's message. */
export class SessionsApi {
  /** `base` is the address the page was served from. */
  constructor(private readonly base: URL) {}

  /** Sessions with messages, newest first; with `words`, those that contain them. */
  async list(words: string): Promise<SessionSummary[]> {
    const query = words.trim() === "" ? "" : `?q=${encodeURIComponent(words.trim())}`;
    const { sessions } = await this.#requestJson<{ sessions: SessionSummary[] }>("GET", query);
    return sessions;
  }

  async workflows(): Promise<Workflow[]> {
    const response = await this.#request("GET", new URL("api/workflows", this.base));
    return ((await response.json()) as { workflows: Workflow[] }).workflows;
  }

  /** The ready-made objects of the server's catalogue. */
  async objects(): Promise<LibraryContents> {
    const response = await this.#request("GET", new URL("api/objects", this.base));
    return (await response.json()) as LibraryContents;
  }

  /** One of them, with its shapes. */
  async object(name: string): Promise<LibraryObjectDetails> {
    const response = await this.#request("GET", this.#objectUrl(name));
    return (await response.json()) as LibraryObjectDetails;
  }

  /** Saves what a scene has under some ids as an object of the user's own. */
  async saveObject(request: ObjectRequest): Promise<LibraryObject> {
    const url = new URL("api/objects", this.base);
    return (await (await this.#request("POST", url, JSON.stringify(request))).json()) as LibraryObject;
  }

  /** Gives an object of the user's own another name, other words, another category or note. */
  async changeObject(name: string, change: Partial<ObjectRequest>): Promise<LibraryObject> {
    const response = await this.#request("PATCH", this.#objectUrl(name), JSON.stringify(change));
    return (await response.json()) as LibraryObject;
  }

  async removeObject(name: string): Promise<void> {
    await this.#request("DELETE", this.#objectUrl(name));
  }

  /** An object of the user's own as a file. */
  async exportObject(name: string): Promise<{ content: Blob; name: string }> {
    const response = await this.#request("GET", this.#objectUrl(name, "/export"));
    return { content: await response.blob(), name: fileNameOf(response) ?? `${name}.object.json` };
  }

  /** The object that an exported file becomes. */
  async importObject(file: Blob): Promise<LibraryObject> {
    const response = await this.#request("POST", new URL("api/objects/import", this.base), file);
    return (await response.json()) as LibraryObject;
  }

  /** Where the picture of one of them is; another `version` may look different. */
  objectPictureUrl(name: string, version: string | undefined): string {
    const url = this.#objectUrl(name, "/picture");
    if (version !== undefined) url.searchParams.set("v", version);
    return url.href;
  }

  #objectUrl(name: string, rest = ""): URL {
    return new URL(`api/objects/${encodeURIComponent(name)}${rest}`, this.base);
  }

  /** The URL of an uploaded image or mesh. */
  assetUrl(hash: string): string {
    return new URL(`api/assets/${encodeURIComponent(hash)}`, this.base).href;
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
  importScene(id: string, file: File, replace: boolean): Promise<SceneImport> {
    const query = new URLSearchParams({ name: file.name, replace: String(replace) });
    return this.#requestJson("POST", sessionPath(id, `scene/import?${query}`), file);
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

  /** Uploads a mesh for a session. */
  async upload(id: string, file: File): Promise<UploadedAsset> {
    const query = new URLSearchParams({ name: file.name, session: id });
    const response = await this.#request("POST", new URL(`api/assets?${query}`, this.base), file);
    return (await response.json()) as UploadedAsset;
  }

  /** A file of the session. */
  async file(id: string, name: string): Promise<Blob> {
    return (await this.#requestSession("GET", sessionPath(id, name))).blob();
  }

  /** The session's scene as a scene file. */
  async scene(id: string): Promise<SceneFile> {
    return (await (await this.#requestSession("GET", sessionPath(id, "scene"))).json()) as SceneFile;
  }

  /** The scene of a session as it is now, or one that is given, rendered; `signal` ends the rendering. */
  async renderPicture(
    scene: string | SceneFile,
    format: PictureFormat,
    settings: PictureSettings,
    signal: AbortSignal,
  ): Promise<Blob> {
    const about = { wanted: { accept: PICTURE_TYPES[format] }, signal };
    if (typeof scene !== "string") {
      const body = JSON.stringify({ scene, ...settings });
      return (await this.#request("POST", new URL("api/render", this.base), body, about)).blob();
    }
    const query = new URLSearchParams(Object.entries(settings).map(([name, value]) => [name, String(value)]));
    const address = this.#sessionUrl(sessionPath(scene, `render?${query}`));
    return (await this.#request("GET", address, undefined, about)).blob();
  }

  /** A shape as triangles, see `docs/protocol.md`. */
  async shapeMesh(id: string, shapeId: string): Promise<ArrayBuffer> {
    return (await this.file(id, `shapes/${encodeURIComponent(shapeId)}/mesh`)).arrayBuffer();
  }

  /** The models to choose from, after a look for those that run on the server's machine. */
  async models(): Promise<readonly ModelInfo[]> {
    const response = await this.#request("GET", new URL("api/models?refresh=true", this.base));
    return ((await response.json()) as { models: ModelInfo[] }).models;
  }

  /** Which providers have a key; refused where the server takes none from the page. */
  async keys(): Promise<KeyList> {
    return (await (await this.#request("GET", new URL("api/keys", this.base))).json()) as KeyList;
  }

  /** Gives the server a key; refused when the provider refuses it. */
  async setKey(provider: string, key: string, remember: boolean): Promise<KeyTest> {
    const body = JSON.stringify({ key, remember });
    return (await (await this.#request("PUT", this.#keyUrl(provider), body)).json()) as KeyTest;
  }

  async removeKey(provider: string): Promise<void> {
    await this.#request("DELETE", this.#keyUrl(provider));
  }

  #keyUrl(provider: string): URL {
    return new URL(`api/keys/${encodeURIComponent(provider)}`, this.base);
  }

  /** True when the server says that the session does not exist. */
  async isUnknown(id: string): Promise<boolean> {
    try {
      return (await fetch(this.#sessionUrl(sessionPath(id)))).status === 404;
    } catch {
      return false;
    }
  }

  /** The answer's document; its form is the server's promise. */
  async #requestJson<Answer>(method: string, rest: string, body?: string | Blob): Promise<Answer> {
    const response = await this.#requestSession(method, rest, body);
    return response.status === 204 ? (undefined as Answer) : ((await response.json()) as Answer);
  }

  #requestSession(method: string, rest: string, body?: string | Blob): Promise<Response> {
    return this.#request(method, this.#sessionUrl(rest), body);
  }

  async #request(
    method: string,
    address: URL,
    body?: string | Blob,
    { wanted = {}, signal }: RequestOptions = {},
  ): Promise<Response> {
    const headers: Record<string, string> =
      typeof body === "string" ? { ...wanted, "content-type": "application/json" } : wanted;
    let response: Response;
    try {
      response = await fetch(address, {
        method,
        headers,
        ...(signal && { signal }),
        ...(body !== undefined && { body }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Error("the server cannot be reached");
    }
    if (!response.ok) throw new Error(await problemDetail(response));
    return response;
  }

  #sessionUrl(rest: string): URL {
    return new URL(`api/sessions${rest}`, this.base);
  }
}

/** What the server calls a file that it sends. */
function fileNameOf({ headers }: Response): string | undefined {
  return /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1];
}

/** The message of an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sessionPath(id: string, rest?: string): string {
  const session = `/${encodeURIComponent(id)}`;
  return rest === undefined ? session : `${session}/${rest}`;
}

function imagePath(id: string, messageId: string, index: number): string {
  return sessionPath(id, `messages/${encodeURIComponent(messageId)}/images/${index}`);
}

/** The `detail` of a problem document, else the status. */
async function problemDetail(response: Response): Promise<string> {
  try {
    const problem: unknown = await response.json();
    if (typeof problem === "object" && problem !== null && "detail" in problem) return String(problem.detail);
  } catch {
    // Not every error carries a document.
  }
  return `the server answered ${response.status}`;
}
