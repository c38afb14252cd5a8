import { type Signal, signal } from "@preact/signals";
import type { PictureFormat, PictureSettings, SceneFile } from "../connection/api";
import { errorMessage } from "../connection/http";
import type { Properties } from "../document/scene";
import { downloadName, saveFile } from "../files/files";
import type { Bookmark } from "../view/bookmarks";
import type { PreviewPainter } from "../view/preview-painter";
import type { ViewState } from "../view/state";
import type { SessionStore } from "./session-store";

/** What is rendered into a file. */
export interface PictureRequest {
  format: PictureFormat;
  settings: PictureSettings;
  /**
   * What this page looks at, with its own camera and without what it hides; the scene with its camera; or what this
   * page shows, from a camera of its bookmarks.
   */
  from: "shown" | "scene" | Bookmark;
}

/** A picture that is being rendered. */
export interface RenderJob {
  startedMs: number;
  /** How long it will take, as far as the picture on the page tells; null where there is none. */
  estimateMs: number | null;
}

/** A picture that was rendered. */
export interface RenderedPicture {
  name: string;
  content: Blob;
  width: number;
  height: number;
}

/** Pictures that the user takes out of the session: what is shown, and what is rendered on request. */
export class Pictures {
  /** The picture that is being rendered; null while there is none. */
  readonly job: Signal<RenderJob | null> = signal(null);
  /** Why the newest could not be rendered. */
  readonly failure: Signal<string | null> = signal(null);
  /** The newest that was rendered. */
  readonly last: Signal<RenderedPicture | null> = signal(null);
  #abort = new AbortController();

  constructor(
    private readonly store: SessionStore,
    private readonly view: ViewState,
    private readonly painter: PreviewPainter,
  ) {}

  /** Whether this page looks at something else than everybody: then there are two pictures to choose from. */
  get isViewOwn(): boolean {
    return this.view.privateCamera.value !== null || this.view.hidden.value.size > 0;
  }

  /** Saves the picture as it is shown, traced or drawn by the page, without rendering it again. */
  async saveShown(): Promise<void> {
    const isRaster = this.view.shownMode.value === "raster";
    const shown = isRaster ? await this.view.rasterView.value?.capture() : this.painter.frame;
    if (shown == null) return;
    const ending = shown.type === "image/jpeg" ? "jpg" : (shown.type.split("/")[1] ?? "png");
    saveFile(shown, downloadName(this.store.workName, ending));
  }

  /** Renders a picture and saves it; one at a time. */
  async render({ format, settings, from }: PictureRequest): Promise<void> {
    const { api, sessionId } = this.store;
    if (sessionId === null || this.job.value !== null) return;
    this.job.value = { startedMs: Date.now(), estimateMs: this.#estimateMs(settings) };
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.failure.value = null;
    await this.store.attempt("The image could not be rendered", async () => {
      try {
        const camera = typeof from === "object" ? from.camera : this.view.privateCamera.value;
        const isOwn = typeof from === "object" || (from === "shown" && this.isViewOwn);
        const scene = isOwn ? this.#shownPart(await api.scene(sessionId), camera) : sessionId;
        const content = await api.renderPicture(scene, format, settings, signal);
        const { width, height } = settings;
        const name = downloadName(this.store.workName, format === "jpeg" ? "jpg" : format, {
          suffix: `${width}x${height}`,
        });
        this.last.value = { name, content, width, height };
        saveFile(content, name);
      } catch (error) {
        if (signal.aborted) return;
        this.failure.value = errorMessage(error);
        throw error;
      }
    });
    this.job.value = null;
  }

  /** Ends the rendering; nothing is saved. */
  cancel(): void {
    this.#abort.abort();
  }

  /** Whether the newest rendered picture shows as much as the traced one, and can lie over it. */
  get canCompare(): boolean {
    const { value: last } = this.last;
    if (last === null || last.content.type === "image/x-exr") return false;
    return Math.abs(last.width / last.height / this.view.aspect.value - 1) < 0.01;
  }

  /** Puts the newest rendered picture beside the traced one. */
  async compareLast(): Promise<void> {
    const { value: last } = this.last;
    if (last === null) return;
    this.view.savedRenders.save(await createImageBitmap(last.content), last.name);
    this.view.setMode("wipe");
  }

  /** Nothing of another session is taken along. */
  reset(): void {
    this.cancel();
    this.last.value = null;
    this.failure.value = null;
  }

  /** By what the samples of the picture on the page took; the server tells nothing before the end. */
  #estimateMs({ width, height, samples, time_limit }: PictureSettings): number | null {
    const { render, shown } = this.store.state.value;
    if (time_limit !== undefined) return 1000 * time_limit;
    if (
      samples === undefined ||
      render === null ||
      shown === null ||
      !render.elapsedMs ||
      render.samples === 0
    )
      return null;
    const each = render.elapsedMs / (render.samples * shown.width * shown.height);
    return each * samples * width * height;
  }

  #shownPart(scene: SceneFile, camera: Properties | null): SceneFile {
    const isShown = ({ id }: { id: string }) => !this.view.hidden.value.has(id);
    return {
      ...scene,
      shapes: (scene.shapes ?? []).filter(isShown),
      lights: (scene.lights ?? []).filter(isShown),
      ...(camera !== null && { camera: { ...scene.camera, ...camera } }),
    };
  }
}
