import type { ReadonlySignal } from "@preact/signals";
import type { SceneFormat } from "../connection/api";
import { downloadName, saveFile, sessionFileName } from "../files/files";
import type { ModelFormat } from "../raster/objects/model-export";
import type { RasterView } from "../raster/raster-view";
import type { SessionStore } from "./session-store";

/** Files that the user takes out of the shown session. */
export class Downloads {
  constructor(
    private readonly store: SessionStore,
    private readonly rasterView: ReadonlySignal<RasterView | null>,
  ) {}

  /** The scene file. */
  sceneFile(): Promise<void> {
    return this.#file("scene", this.#name("json"));
  }

  /** The session with its history. */
  session(): Promise<void> {
    return this.#file("export", sessionFileName(this.store.state.value.name));
  }

  /** The scene in a format of other programs; tells what that format has no place for. */
  async scene(format: SceneFormat): Promise<void> {
    const { api, sessionId } = this.store;
    if (sessionId === null) return;
    await this.store.attempt(`The scene could not be exported as ${format.toUpperCase()}`, async () => {
      const { content, name, notes } = await api.exportScene(sessionId, format);
      // Several files come as one archive.
      const file = this.#name(name.endsWith(".zip") ? `${format}.zip` : format);
      saveFile(content, file);
      if (notes.length > 0) this.store.showNote(`${file} was downloaded. ${notes.map(sentence).join(" ")}`);
    });
  }

  /** What the raster view draws. */
  async model(format: ModelFormat): Promise<void> {
    await this.store.attempt(`The scene could not be exported as ${format.toUpperCase()}`, async () => {
      const rasterView = this.rasterView.value;
      if (rasterView === null) throw new Error("the raster view has not loaded yet");
      saveFile(await rasterView.exportModel(format), this.#name(format));
    });
  }

  async #file(path: "scene" | "export", name: string): Promise<void> {
    const { api, sessionId } = this.store;
    if (sessionId === null) return;
    await this.store.attempt(`${name} could not be downloaded`, async () => {
      saveFile(await api.file(sessionId, path), name);
    });
  }

  #name(ending: string): string {
    return downloadName(this.store.workName, ending);
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
