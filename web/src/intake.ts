import { type Signal, signal } from "@preact/signals";
import { reasonOf, type SessionsApi } from "./api";
import type { Editor } from "./document/editor";
import { type FileKind, kindOfFile, meshCall } from "./scene-files";

/** A file of another program, from the moment it is brought until the person is done with it. */
export interface Arrival {
  file: File;
  /** What becomes of it is asked, is being done, or was done with `notes` on what was left out. */
  phase: "asking" | "working" | "done";
  notes: readonly string[];
}

/** What can become of a scene of another program. */
export type ArrivalChoice = "add" | "fit" | "replace";

/** What the intake needs of the page around it. */
interface Surroundings {
  api: SessionsApi;
  editor: Editor;
  sessionId(): string | null;
  mayEdit(): boolean;
  attach(files: readonly File[]): void;
  openSession(id: string): void;
  tell(fault: string): void;
}

const KNOWN =
  "pictures, scenes (.json), files of other programs (.glb, .gltf, .obj, .pbrt), meshes (.ply) and sessions (.scene-llm)";

/** Takes in the files that a person brings. */
export class Intake {
  /** The file that is asked about, where there is one. */
  readonly arrival: Signal<Arrival | null> = signal(null);
  readonly #surroundings: Surroundings;
  /** Files that are asked about after that one. */
  #waiting: File[] = [];

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /**
   * Pictures go into the message that is being written, a scene comes in place of this one, a mesh into it; a
   * session is gone to, and of the scene of another program it is asked what becomes of it.
   */
  async open(files: readonly File[]): Promise<void> {
    const { attach, mayEdit, tell } = this.#surroundings;
    const ofKind = (kind: FileKind) => files.filter((file) => kindOfFile(file) === kind);
    const [session] = ofKind("session");
    if (session !== undefined) {
      await this.importSession(session);
      return;
    }
    if (!mayEdit()) return;
    const pictures = ofKind("picture");
    if (pictures.length > 0) attach(pictures);
    for (const { name } of ofKind("unknown")) tell(`${name} cannot be opened here: ${KNOWN} can.`);
    const [scene] = ofKind("scene");
    if (scene !== undefined) await this.openScene(scene.name, () => scene.text());
    for (const mesh of ofKind("mesh")) await this.#addMesh(mesh);
    this.#waiting.push(...ofKind("foreign"));
    if (this.arrival.value === null) await this.#next();
  }

  /** Makes a scene file the scene of this session: one edit, which can be undone. */
  async openScene(name: string, read: () => Promise<string>): Promise<void> {
    const id = this.#surroundings.sessionId();
    if (id === null) return;
    await this.#attempt(`${name} could not be opened`, async () =>
      this.#surroundings.api.replaceScene(id, await read()),
    );
  }

  /** Makes a session of a file that was exported, and goes there. */
  async importSession(file: File): Promise<void> {
    const { api, openSession } = this.#surroundings;
    await this.#attempt(`${file.name} could not be opened`, async () => openSession(await api.import(file)));
  }

  /** Does with the file that is asked about what the person wants. */
  async choose(choice: ArrivalChoice): Promise<void> {
    const arrival = this.arrival.value;
    if (arrival?.phase !== "asking") return;
    this.arrival.value = { ...arrival, phase: "working" };
    const notes = choice === "fit" ? await this.#fit(arrival.file) : await this.#import(arrival.file, choice);
    // Another session may have been opened meanwhile, and brought a file of its own.
    if (this.arrival.value?.file !== arrival.file) return;
    if (notes.length > 0) this.arrival.value = { ...arrival, phase: "done", notes };
    else await this.#next();
  }

  /** The person wants nothing of the file, or has read what was left out of it. */
  async dismiss(): Promise<void> {
    if (this.arrival.value?.phase !== "working") await this.#next();
  }

  /** Of files for another session nothing becomes. */
  leave(): void {
    this.#waiting = [];
    this.arrival.value = null;
  }

  /** Asks about the next file; an empty scene simply becomes what the file holds. */
  async #next(): Promise<void> {
    const file = this.#waiting.shift();
    this.arrival.value = file === undefined ? null : { file, phase: "asking", notes: [] };
    const { shapes, lights } = this.#surroundings.editor.scene.value;
    if (file !== undefined && shapes.length + lights.length === 0) await this.choose("replace");
  }

  async #fit(file: File): Promise<readonly string[]> {
    await this.#addMesh(file);
    return [];
  }

  /** What was left out. */
  async #import(file: File, choice: "add" | "replace"): Promise<readonly string[]> {
    const { api, editor, sessionId } = this.#surroundings;
    const id = sessionId();
    if (id === null) return [];
    const done = await this.#attempt(`${file.name} could not be opened`, () =>
      api.importScene(id, file, choice === "replace"),
    );
    if (done === undefined || sessionId() !== id) return [];
    if (choice === "add") editor.selectWhenThere(done.ids);
    return done.notes;
  }

  /** Uploads a mesh and puts it in front of the camera. */
  async #addMesh(file: File): Promise<void> {
    const { api, editor, sessionId } = this.#surroundings;
    const id = sessionId();
    if (id === null) return;
    await this.#attempt(`${file.name} could not be added`, async () => {
      const asset = await api.upload(id, file);
      // While it was on its way, another session may have been opened.
      if (sessionId() !== id) return;
      const call = meshCall(editor.scene.value, editor.sight, asset, file.name);
      if (editor.edit([call])) editor.select([(call.args as { id: string }).id]);
    });
  }

  /** What the action gives; nothing when it fails, and the person reads why. */
  async #attempt<Result>(trouble: string, action: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await action();
    } catch (error) {
      this.#surroundings.tell(`${trouble}: ${reasonOf(error)}`);
      return undefined;
    }
  }
}
