import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { PictureFormat, PictureSize, SceneFormat } from "../connection/api";
import { saveFile } from "../files/files";
import type { ModelFormat } from "../raster/objects/model-export";
import type { RasterView } from "../raster/raster-view";
import type { SessionStore } from "./session-store";

/** Of a downloaded picture, 4:3 like the previews. */
const DEFAULT_SIZE: PictureSize = { width: 800, height: 600, samples: 64 };

/** Files that the user takes out of the shown session. */
export class Downloads {
  /** Whether a picture is being rendered for a download. */
  readonly rendering: Signal<boolean> = signal(false);

  constructor(
    private readonly store: SessionStore,
    private readonly rasterView: ReadonlySignal<RasterView | null>,
  ) {}

  /** The scene file, or the session with its history. */
  async file(path: "scene" | "export", name: string): Promise<void> {
    const { api, sessionId } = this.store;
    if (sessionId === null) return;
    await this.store.attempt(`${name} could not be downloaded`, async () => {
      saveFile(await api.file(sessionId, path), name);
    });
  }

  /** The scene in a format of other programs; tells what that format has no place for. */
  async scene(format: SceneFormat): Promise<void> {
    const { api, sessionId } = this.store;
    if (sessionId === null) return;
    await this.store.attempt(`The scene could not be exported as ${format.toUpperCase()}`, async () => {
      const { content, name, notes } = await api.exportScene(sessionId, format);
      saveFile(content, name);
      for (const note of notes) this.store.showError(`${name}: ${note}.`);
    });
  }

  /** What the raster view draws. */
  async model(format: ModelFormat): Promise<void> {
    await this.store.attempt(`The scene could not be exported as ${format.toUpperCase()}`, async () => {
      const rasterView = this.rasterView.value;
      if (rasterView === null) throw new Error("the raster view has not loaded yet");
      saveFile(await rasterView.exportModel(format), `scene.${format}`);
    });
  }

  /** A rendered picture. */
  async picture(format: PictureFormat, size: PictureSize = DEFAULT_SIZE): Promise<void> {
    const { api, sessionId } = this.store;
    if (sessionId === null || this.rendering.value) return;
    this.rendering.value = true;
    await this.store.attempt("The image could not be rendered", async () => {
      saveFile(await api.renderPicture(sessionId, format, size), `scene.${format}`);
    });
    this.rendering.value = false;
  }
}
