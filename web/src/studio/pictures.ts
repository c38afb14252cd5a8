import { type Signal, signal } from "@preact/signals";
import type { PictureFormat, PictureSettings, RenderedView } from "../connection/api";
import { errorMessage } from "../connection/http";
import { COMPOSED_ASPECT } from "../document/camera";
import { downloadName, saveFile } from "../files/files";
import type { Bookmark } from "../protocol";
import type { Playback } from "../view/playback";
import type { PreviewPainter } from "../view/preview-painter";
import type { SavedRender } from "../view/saved-renders";
import type { ViewState } from "../view/state";
import { RenderingMark } from "./rendering-mark";
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
  /** The same with few pixels and samples, of one that takes long; null where there is none, or not yet. */
  draft: Blob | null;
  /** How long it will take, as far as the picture on the page tells; null where there is none. */
  estimateMs: number | null;
}

/** What takes longer than this shows a draft meanwhile. */
const DRAFT_FROM_MS = 3_000;
/** The longer side of a draft in pixels, and its samples: it takes a second at most. */
const DRAFT_SIDE_PX = 360;
const DRAFT_SAMPLES = 8;

/** A picture of an earlier scene is for looking at once. */
const EARLIER_SETTINGS = { samples: 64, time_limit: 10, denoise: "builtin" } as const;
const DEFAULT_SIZE = { width: 960, height: 720 };

/** Pictures that the user takes out of the session: what is shown, and what is rendered on request. */
export class Pictures {
  /** The picture that is being rendered; null while there is none. */
  readonly job: Signal<RenderJob | null> = signal(null);
  /** Why the newest could not be rendered. */
  readonly failure: Signal<string | null> = signal(null);
  /** The render that was finished and saved last, since the page was loaded. */
  readonly finished: Signal<SavedRender | null> = signal(null);
  /** The revision of the scene of which a picture is made to be compared; null while there is none. */
  readonly earlier: Signal<number | null> = signal(null);
  #abort = new AbortController();
  #earlierAbort = new AbortController();

  constructor(
    private readonly store: SessionStore,
    private readonly view: ViewState,
    private readonly painter: PreviewPainter,
    private readonly animation: Pick<Playback, "heldTime">,
    private readonly mark: Pick<RenderingMark, "set" | "clear" | "take"> = new RenderingMark("image"),
  ) {}

  /** Tells that the page before this one was left while it rendered. */
  enter(session: string | null): void {
    if (session === null || !this.mark.take(session)) return;
    this.failure.value = "the page was loaded again meanwhile. Render it again.";
    this.store.showNote(`The image could not be rendered: ${this.failure.value}`);
  }

  /** Whether this page looks at something else than everybody: then there are two pictures to choose from. */
  get isViewOwn(): boolean {
    const { privateCamera, hidden } = this.view;
    return privateCamera.value !== null || hidden.value.size > 0 || this.animation.heldTime.value !== null;
  }

  /** Saves the picture as it is shown, traced or drawn by the page, without rendering it again. */
  async saveShown(): Promise<void> {
    const isRaster = this.view.shownMode.value === "raster";
    const shown = isRaster ? await this.view.rasterView.value?.capture() : this.painter.frame;
    if (shown == null) return;
    const name = downloadName(this.store.workName, endingOf(shown));
    saveFile(shown, name);
    this.store.showNote(`${name} was saved.`);
  }

  /** Renders a picture and saves it; one at a time. */
  async render({ format, settings, from }: PictureRequest): Promise<void> {
    const { api, sessionId } = this.store;
    if (sessionId === null || this.job.value !== null) return;
    this.job.value = { startedMs: Date.now(), estimateMs: this.#estimateMs(settings), draft: null };
    this.mark.set(sessionId);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.failure.value = null;
    await this.store.attempt("The image could not be rendered", async () => {
      try {
        const seen = from === "scene" ? {} : this.#seenFrom(from);
        const { width, height } = settings;
        await this.#renderDraft(seen, settings, signal);
        const content = await api.renderPicture(sessionId, seen, format, settings, signal);
        const name = this.#nameOf(`${width}x${height}`, format === "jpeg" ? "jpg" : format);
        this.finished.value = this.view.savedRenders.save({ name, content, width, height });
        saveFile(content, name);
        this.store.showNote(`${name} was rendered and saved.`);
      } catch (error) {
        if (signal.aborted) return;
        this.failure.value = errorMessage(error);
        throw error;
      }
    });
    this.job.value = null;
    this.mark.clear();
  }

  /** Ends the rendering; nothing is saved. */
  cancel(): void {
    this.#abort.abort();
  }

  /** Saves a picture that is kept as a file. */
  save({ content, name }: SavedRender): void {
    const isFileName = name.endsWith(`.${endingOf(content)}`);
    saveFile(content, isFileName ? name : downloadName(name, endingOf(content)));
  }

  /** Puts the scene as it was at a revision beside the live picture: from where this page looks now, and as large. */
  async compareWith(revision: number, name: string): Promise<void> {
    const { api, sessionId } = this.store;
    if (sessionId === null || this.earlier.value !== null) return;
    const { width, height } = this.store.state.value.shown ?? DEFAULT_SIZE;
    const settings: PictureSettings = { width, height, ...EARLIER_SETTINGS };
    this.earlier.value = revision;
    this.#earlierAbort = new AbortController();
    const { signal } = this.#earlierAbort;
    await this.store.attempt("The scene of then could not be rendered", async () => {
      try {
        const seen = { ...this.#seenFrom("shown"), revision };
        const content = await api.renderPicture(sessionId, seen, "jpeg", settings, signal);
        this.compare(this.view.savedRenders.replace({ name, content, width, height }), null);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
    this.earlier.value = null;
  }

  /** Puts two pictures beside each other; null is the live traced picture. */
  compare(left: SavedRender, right: SavedRender | null): void {
    this.view.savedRenders.choose("left", left.id);
    this.view.savedRenders.choose("right", right?.id ?? null);
    this.view.setMode("wipe");
  }

  /** Nothing of another session is taken along; whether something was being rendered. */
  reset(): boolean {
    const wasRendering = this.job.value !== null;
    this.cancel();
    this.#earlierAbort.abort();
    this.finished.value = null;
    this.failure.value = null;
    return wasRendering;
  }

  /** Shows what a long render will be like; that there is none stops nothing. */
  async #renderDraft(seen: RenderedView, settings: PictureSettings, signal: AbortSignal): Promise<void> {
    const { api, sessionId } = this.store;
    const { width, height, transparent } = settings;
    const estimate = this.job.value?.estimateMs ?? Number.POSITIVE_INFINITY;
    const scale = DRAFT_SIDE_PX / Math.max(width, height);
    if (estimate < DRAFT_FROM_MS || scale >= 1 || sessionId === null) return;
    const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
    const small: PictureSettings = {
      width: side(width),
      height: side(height),
      samples: DRAFT_SAMPLES,
      denoise: "builtin",
      ...(transparent !== undefined && { transparent }),
    };
    const draft = await api.renderPicture(sessionId, seen, "png", small, signal).catch(() => null);
    const job = this.job.value;
    if (job !== null) this.job.value = { ...job, draft };
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

  /** What this page shows, from where it looks or from a bookmark. */
  #seenFrom(from: "shown" | Bookmark): RenderedView {
    const camera = from === "shown" ? this.view.privateCamera.value : from.camera;
    const hidden = [...this.view.hidden.value];
    const time = this.animation.heldTime.value;
    return {
      ...(camera !== null && { camera }),
      ...(time !== null && { at_time: time }),
      hidden,
      fit_aspect: COMPOSED_ASPECT,
    };
  }

  /** A file name that no other render of the list has: they are told apart by it. */
  #nameOf(size: string, ending: string): string {
    const taken = new Set(this.view.savedRenders.list.value.map(({ name }) => name));
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? size : `${size}-${number}`;
      const name = downloadName(this.store.workName, ending, { suffix });
      if (!taken.has(name)) return name;
    }
  }
}

/** The ending of the file of a picture. */
function endingOf({ type }: Blob): string {
  const format = type.split("/")[1]?.replace("x-", "") ?? "png";
  return format === "jpeg" ? "jpg" : format;
}
