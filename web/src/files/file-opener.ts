import { type Signal, signal } from "@preact/signals";
import { errorMessage, type SessionsApi } from "../connection/api";
import type { Editor } from "../document/editor";
import { checkBeginning, checkedJson, createMeshCall, type FileKind, kindOfFile } from "./scene-files";

/** A file of another program, from the moment it is brought until the user is done with it. */
export interface PendingImport {
  file: File;
  /** What becomes of it is asked, is being done, or was done with `notes` on what was left out. */
  phase: "asking" | "working" | "done";
  notes: readonly string[];
}

/** What can become of a scene of another program. */
export type ImportChoice = "add" | "fit" | "replace";

/** What the intake needs of the page around it. */
interface FileOpenerHost {
  api: SessionsApi;
  editor: Editor;
  sessionId(): string | null;
  canEdit(): boolean;
  attach(files: readonly File[]): void;
  openSession(id: string): void;
  showError(message: string): void;
}

const SUPPORTED_FILES =
  "pictures, scenes (.json), files of other programs (.glb, .gltf, .obj, .pbrt), meshes (.ply) and sessions (.scene-llm)";

/** Takes in the files that a user brings. */
export class FileOpener {
  /** The file that is asked about, where there is one. */
  readonly pendingImport: Signal<PendingImport | null> = signal(null);
  readonly #host: FileOpenerHost;
  /** Files that are asked about after that one. */
  #waiting: File[] = [];

  constructor(host: FileOpenerHost) {
    this.#host = host;
  }

  /**
   * Pictures go into the message that is being written, a scene comes in place of this one, a mesh into it; a
   * session is gone to, and of the scene of another program it is asked what becomes of it.
   */
  async open(files: readonly File[]): Promise<void> {
    const { attach, canEdit, showError } = this.#host;
    const ofKind = (kind: FileKind) => files.filter((file) => kindOfFile(file) === kind);
    const [session] = ofKind("session");
    if (session !== undefined) {
      await this.importSession(session);
      return;
    }
    if (!canEdit()) return;
    const pictures = ofKind("picture");
    if (pictures.length > 0) attach(pictures);
    for (const { name } of ofKind("unknown"))
      showError(`${name} is not supported. Supported files: ${SUPPORTED_FILES}.`);
    const [scene] = ofKind("scene");
    if (scene !== undefined) await this.openScene(scene.name, () => scene.text());
    for (const mesh of ofKind("mesh")) await this.#addMesh(mesh);
    this.#waiting.push(...ofKind("foreign"));
    if (this.pendingImport.value === null) await this.#next();
  }

  /** Makes a scene file the scene of this session: one edit, which can be undone. */
  async openScene(name: string, read: () => Promise<string>): Promise<void> {
    const id = this.#host.sessionId();
    if (id === null) return;
    await this.#attempt(`${name} could not be opened`, async () =>
      this.#host.api.replaceScene(id, checkedJson(await read())),
    );
  }

  /** Makes a session of a file that was exported, and goes there. */
  async importSession(file: File): Promise<void> {
    const { api, openSession } = this.#host;
    await this.#attempt(`${file.name} could not be opened`, async () => openSession(await api.import(file)));
  }

  /** Does with the file that is asked about what the user wants. */
  async choose(choice: ImportChoice): Promise<void> {
    const pending = this.pendingImport.value;
    if (pending?.phase !== "asking") return;
    this.pendingImport.value = { ...pending, phase: "working" };
    const notes =
      choice === "fit" ? await this.#importAsMesh(pending.file) : await this.#import(pending.file, choice);
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
    this.pendingImport.value = null;
  }

  /** Asks about the next file; an empty scene simply becomes what the file holds. */
  async #next(): Promise<void> {
    const file = this.#waiting.shift();
    this.pendingImport.value = file === undefined ? null : { file, phase: "asking", notes: [] };
    const { shapes, lights } = this.#host.editor.scene.value;
    if (file !== undefined && shapes.length + lights.length === 0) await this.choose("replace");
  }

  async #importAsMesh(file: File): Promise<readonly string[]> {
    await this.#addMesh(file);
    return [];
  }

  /** What was left out. */
  async #import(file: File, choice: "add" | "replace"): Promise<readonly string[]> {
    const { api, editor, sessionId } = this.#host;
    const id = sessionId();
    if (id === null) return [];
    const done = await this.#attempt(`${file.name} could not be opened`, async () => {
      await checkBeginning(file);
      return api.importScene(id, file, choice === "replace");
    });
    if (done === undefined || sessionId() !== id) return [];
    if (choice === "add") editor.selectOnceLoaded(done.ids);
    return done.notes;
  }

  /** Uploads a mesh and puts it in front of the camera. */
  async #addMesh(file: File): Promise<void> {
    const { api, editor, sessionId } = this.#host;
    const id = sessionId();
    if (id === null) return;
    await this.#attempt(`${file.name} could not be added`, async () => {
      await checkBeginning(file);
      const asset = await api.upload(id, file);
      // While it was on its way, another session may have been opened.
      if (sessionId() !== id) return;
      const call = createMeshCall(editor.scene.value, editor.cameraView, asset, file.name);
      if (editor.edit([call])) editor.select([(call.args as { id: string }).id]);
    });
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
