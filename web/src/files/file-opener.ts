import { type Signal, signal } from "@preact/signals";
import type { ImportAxes, ImportPreview, SessionsApi } from "../connection/api";
import { errorMessage, type UploadProgress } from "../connection/http";
import type { Editor } from "../document/editor";
import { materialWithImage } from "../document/materials";
import { ENVIRONMENT_KEY, updateCall } from "../document/subject";
import { archiveOf } from "./archive";
import {
  checkBeginning,
  checkedJson,
  createMeshCall,
  type FileKind,
  isObjectFile,
  kindOfFile,
  likelyPlacing,
  type MeshPlacing,
  saysAxes,
  sceneWithFiles,
  type UploadedAsset,
} from "./scene-files";

/** A file of another program, from the moment it is brought until the user is done with it. */
export interface PendingImport {
  file: File;
  /** What becomes of it is asked, is being done, or was done with `notes` on what was left out. */
  phase: "asking" | "working" | "done";
  /** What it holds, once that is known. */
  preview: ImportPreview | null;
  notes: readonly string[];
}

/** A mesh that was uploaded, before it is known which way is up and how large it is. */
export interface PendingMesh {
  name: string;
  asset: UploadedAsset;
  /** What is likely. */
  placing: MeshPlacing;
}

/** What can become of a scene of another program. */
export type ImportChoice = "add" | "fit" | "replace";

const AS_IN_SCENES: ImportAxes = { up: "y", meters: 1 };

/** What the intake needs of the page around it. */
interface FileOpenerHost {
  api: SessionsApi;
  editor: Editor;
  sessionId(): string | null;
  canEdit(): boolean;
  attach(files: readonly File[]): void;
  /** Takes an exported object into the library. */
  importObject(file: File): Promise<unknown>;
  openSession(id: string): void;
  /** A file that is sent becomes the scene, or a part of it. */
  sceneWillChange(): void;
  showError(message: string): void;
  showNote(message: string): void;
}

const SUPPORTED_FILES =
  "pictures, environments (.hdr, .exr), scenes (.json), objects (.object.json), files of other programs (.glb, .gltf, .obj, .pbrt, .zip), meshes (.ply, .stl) and sessions (.scene-llm)";

/** Takes in the files that a user brings. */
export class FileOpener {
  /** The file that is asked about, where there is one. */
  readonly pendingImport: Signal<PendingImport | null> = signal(null);
  /** The mesh whose unit is asked for, where there is one. */
  readonly pendingMesh: Signal<PendingMesh | null> = signal(null);
  /** The file that is on its way to the server, and how much of it has gone, 0 to 1; null once that reads it. */
  readonly upload: Signal<{ name: string; share: number | null } | null> = signal(null);
  readonly #host: FileOpenerHost;
  /** Files that are asked about after that one. */
  #waiting: File[] = [];

  constructor(host: FileOpenerHost) {
    this.#host = host;
  }

  /**
   * Pictures go into the message that is being written, or one onto the object `onto`; a panorama becomes the
   * environment, a scene comes in place of this one, a mesh into it; a session is gone to, and of the scene of
   * another program it is asked what becomes of it.
   */
  async open(files: readonly File[], onto: string | null = null): Promise<void> {
    const { attach, canEdit, importObject, showError } = this.#host;
    const ofKind = (kind: FileKind) => files.filter((file) => kindOfFile(file) === kind);
    const [session] = ofKind("session");
    if (session !== undefined) {
      await this.importSession(session);
      return;
    }
    if (!canEdit()) return;
    const whole = sceneWithFiles(files);
    if (whole !== null) {
      await this.#openTogether(whole, files);
      return;
    }
    const pictures = ofKind("picture");
    const [texture] = pictures;
    if (onto !== null && texture !== undefined && files.length === 1) await this.#paint(onto, texture);
    else if (pictures.length > 0) attach(pictures);
    const [panorama] = ofKind("panorama");
    if (panorama !== undefined) await this.setEnvironment(panorama);
    for (const { name } of ofKind("unknown"))
      showError(`${name} is not supported. Supported files: ${SUPPORTED_FILES}.`);
    for (const object of ofKind("object")) await importObject(object);
    const [scene] = ofKind("scene");
    if (scene !== undefined) await this.#openJson(scene);
    for (const mesh of ofKind("mesh")) await this.#addMesh(mesh);
    this.#waiting.push(...ofKind("foreign"));
    if (this.pendingImport.value === null) await this.#next();
  }

  /** Stores a picture for textures or the environment; what scenes name it by, or null when it could not be. */
  async uploadImage(file: File): Promise<string | null> {
    const { api, sessionId } = this.#host;
    const id = sessionId();
    if (id === null) return null;
    const asset = await this.#attempt(`${file.name} could not be added`, () =>
      this.#uploaded(file, (onProgress) => api.upload(id, file, onProgress)),
    );
    // While it was on its way, another session may have been opened.
    return asset === undefined || sessionId() !== id ? null : asset.asset;
  }

  /** Lights the scene with a panorama. */
  async setEnvironment(file: File): Promise<void> {
    const asset = await this.uploadImage(file);
    if (asset === null) return;
    const { strength = 1, rotation = 0, type } = this.#host.editor.scene.value.environment;
    const kept = type === "image" ? { strength, rotation } : {};
    const args = { type: "image", asset, ...kept };
    if (this.#host.editor.edit([{ name: "set_environment_lighting", args }])) {
      this.#host.editor.select([ENVIRONMENT_KEY]);
    }
  }

  /** Gives a shape a picture as its color. */
  async #paint(id: string, file: File): Promise<void> {
    const asset = await this.uploadImage(file);
    const { editor } = this.#host;
    const shape = editor.scene.value.shapes.find((each) => each.id === id);
    if (asset === null || shape === undefined) return;
    const { material } = shape.properties;
    const present = typeof material === "string" ? await presetNamed(material) : material;
    const properties = { material: materialWithImage(present, asset) };
    if (editor.edit([updateCall({ kind: "shape", object: shape }, { properties })])) editor.select([id]);
  }

  /** A JSON file is a scene, unless it says that it is an object. */
  async #openJson(file: File): Promise<void> {
    if (isObjectFile(await file.slice(0, 200).text())) await this.#host.importObject(file);
    else await this.openScene(file.name, () => file.text());
  }

  /** Makes a scene file the scene of this session: one edit, which can be undone. */
  async openScene(name: string, read: () => Promise<string>): Promise<void> {
    const id = this.#host.sessionId();
    if (id === null) return;
    const { shapes, lights } = this.#host.editor.scene.value;
    await this.#attempt(`${name} could not be opened`, async () => {
      this.#host.sceneWillChange();
      await this.#host.api.replaceScene(id, checkedJson(await read()));
      if (shapes.length + lights.length > 0)
        this.#host.showNote(`${name} has replaced the scene. Undo brings back the one before.`);
    });
  }

  /** Makes a session of a file that was exported, and goes there. */
  async importSession(file: File): Promise<void> {
    const { api, openSession } = this.#host;
    await this.#attempt(`${file.name} could not be opened`, async () => openSession(await api.import(file)));
  }

  /** A scene and the files it names travel as one archive. */
  async #openTogether({ name }: File, files: readonly File[]): Promise<void> {
    const packed = await this.#attempt(`${name} could not be opened`, () =>
      archiveOf(files, name.replace(/\.[^.]*$/, ".zip")),
    );
    if (packed !== undefined) await this.open([packed]);
  }

  /** Puts the mesh that is asked about in front of the camera; with null nothing becomes of it. */
  placeMesh(placing: MeshPlacing | null): void {
    const pending = this.pendingMesh.value;
    this.pendingMesh.value = null;
    if (pending !== null && placing !== null) this.#createMesh(pending.asset, pending.name, placing);
  }

  #createMesh(asset: UploadedAsset, name: string, placing?: MeshPlacing): void {
    const { editor } = this.#host;
    const call = createMeshCall(editor.scene.value, editor.cameraView, asset, name, placing);
    if (editor.edit([call])) editor.select([(call.args as { id: string }).id]);
  }

  /** Does with the file that is asked about what the user wants. */
  async choose(choice: ImportChoice, axes: ImportAxes = AS_IN_SCENES): Promise<void> {
    const pending = this.pendingImport.value;
    if (pending?.phase !== "asking") return;
    this.pendingImport.value = { ...pending, phase: "working" };
    const notes =
      choice === "fit"
        ? await this.#importAsMesh(pending.file, axes)
        : await this.#import(pending.file, { ...axes, replace: choice === "replace" });
    // Another session may have been opened meanwhile, and brought a file of its own.
    if (this.pendingImport.value?.file !== pending.file) return;
    if (notes.length > 0) this.pendingImport.value = { ...pending, phase: "done", notes };
    else await this.#next();
  }

  /** The user wants nothing of the file, or has read what was left out of it. */
  async dismiss(): Promise<void> {
    if (this.pendingImport.value?.phase !== "working") await this.#next();
  }

  /** Of files for another session nothing becomes. */
  reset(): void {
    this.#waiting = [];
    this.pendingMesh.value = null;
    this.pendingImport.value = null;
  }

  /**
   * Asks about the next file. An empty scene simply becomes what the file holds, if that says how large it is and
   * which way is up.
   */
  async #next(): Promise<void> {
    const file = this.#waiting.shift();
    this.pendingImport.value =
      file === undefined ? null : { file, phase: "asking", preview: null, notes: [] };
    if (file === undefined) return;
    const { shapes, lights } = this.#host.editor.scene.value;
    if (shapes.length + lights.length === 0 && saysAxes(file.name)) await this.choose("replace");
    else await this.#look(file);
  }

  /** Shows what a file holds; of one that cannot be read nothing is asked. */
  async #look(file: File): Promise<void> {
    const { api, sessionId } = this.#host;
    const id = sessionId();
    if (id === null) return;
    const preview = await this.#attempt(`${file.name} could not be opened`, async () => {
      await checkBeginning(file);
      return this.#uploaded(file, (onProgress) => api.previewImport(id, file, onProgress));
    });
    const pending = this.pendingImport.value;
    if (pending?.file !== file || pending.phase !== "asking") return;
    if (preview === undefined) await this.#next();
    else this.pendingImport.value = { ...pending, preview };
  }

  async #importAsMesh(file: File, { up }: ImportAxes): Promise<readonly string[]> {
    await this.#addMesh(file, { up, meters: null });
    return [];
  }

  /** What was left out. */
  async #import(file: File, how: ImportAxes & { replace: boolean }): Promise<readonly string[]> {
    const { api, editor, sceneWillChange, sessionId } = this.#host;
    const id = sessionId();
    if (id === null) return [];
    sceneWillChange();
    const done = await this.#attempt(`${file.name} could not be opened`, async () => {
      await checkBeginning(file);
      return this.#uploaded(file, (onProgress) => api.importScene(id, file, how, onProgress));
    });
    if (done === undefined || sessionId() !== id) return [];
    if (!how.replace) editor.selectOnceLoaded(done.ids);
    return done.notes;
  }

  /** Uploads a mesh, and puts it in front of the camera or asks how it stands. */
  async #addMesh(file: File, placing?: MeshPlacing): Promise<void> {
    const { api, sessionId } = this.#host;
    const id = sessionId();
    if (id === null) return;
    await this.#attempt(`${file.name} could not be added`, async () => {
      await checkBeginning(file);
      const asset = await this.#uploaded(file, (onProgress) => api.upload(id, file, onProgress));
      // While it was on its way, another session may have been opened.
      if (sessionId() !== id) return;
      if (placing === undefined)
        this.pendingMesh.value = { name: file.name, asset, placing: likelyPlacing(file.name) };
      else this.#createMesh(asset, file.name, placing);
    });
  }

  /** Shows how far a file has gone. */
  async #uploaded<Answer>(
    { name }: File,
    send: (onProgress: UploadProgress) => Promise<Answer>,
  ): Promise<Answer> {
    this.upload.value = { name, share: 0 };
    try {
      return await send((share) => {
        this.upload.value = { name, share };
      });
    } finally {
      this.upload.value = null;
    }
  }

  /** What the action gives; nothing when it fails, and the user reads why. */
  async #attempt<Result>(failure: string, action: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await action();
    } catch (error) {
      this.#host.showError(`${failure}: ${errorMessage(error)}`);
      return undefined;
    }
  }
}

/** What a preset is made of; nothing where that cannot be loaded. */
async function presetNamed(name: string): Promise<unknown> {
  const presets = await import("../presets").catch(() => null);
  return presets?.presetMaterial(name);
}
