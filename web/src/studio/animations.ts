import { type Signal, signal } from "@preact/signals";
import type { AnimationFrame, AnimationSettings } from "../connection/animation-api";
import { errorMessage } from "../connection/http";
import { downloadName, saveFile } from "../files/files";
import { RenderStorage } from "../view/render-storage";
import { RenderingMark } from "./rendering-mark";
import type { SessionStore } from "./session-store";

/** An animation that is being rendered. */
export interface AnimationJob {
  startedMs: number;
  /** The newest frame; null before the first. */
  frame: AnimationFrame | null;
}

/** An animation that was rendered. */
export interface RenderedAnimation {
  name: string;
  content: Blob;
}

/** What the newest animation of a session is stored under, beside the session's pictures. */
const storedUnder = (session: string) => `${session} animation`;

/** Animations that are rendered into files, one at a time. The newest of a session is kept in this browser. */
export class Animations {
  /** Null while none is being rendered. */
  readonly job: Signal<AnimationJob | null> = signal(null);
  /** Why the newest could not be rendered. */
  readonly failure: Signal<string | null> = signal(null);
  readonly newest: Signal<RenderedAnimation | null> = signal(null);
  #abort = new AbortController();

  constructor(
    private readonly store: SessionStore,
    private readonly storage: Pick<RenderStorage, "load" | "write"> = new RenderStorage(),
    private readonly mark: Pick<RenderingMark, "set" | "clear" | "take"> = new RenderingMark("animation"),
  ) {}

  /** Shows the newest of a session, or that it was not finished. */
  async enter(session: string | null): Promise<void> {
    if (session === null) return;
    if (this.mark.take(session)) {
      this.failure.value = "the page was loaded again meanwhile. Render it again.";
      this.store.showNote(`The animation could not be rendered: ${this.failure.value}`);
    }
    const [stored] = await this.storage.load(storedUnder(session));
    if (stored !== undefined && this.store.sessionId === session) this.newest.value ??= stored;
  }

  /** Renders the animation of the scene, and saves it. */
  async render(settings: AnimationSettings): Promise<void> {
    const { api, sessionId } = this.store;
    if (sessionId === null || this.job.value !== null) return;
    const startedMs = Date.now();
    this.job.value = { startedMs, frame: null };
    this.mark.set(sessionId);
    this.failure.value = null;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const onFrame = (frame: AnimationFrame) => {
      if (!signal.aborted) this.job.value = { startedMs, frame };
    };
    await this.store.attempt("The animation could not be rendered", async () => {
      try {
        const content = await api.renderAnimation(sessionId, settings, onFrame, signal);
        const suffix = `${settings.width}x${settings.height}`;
        const name = downloadName(this.store.workName, settings.format, { suffix });
        this.newest.value = { name, content };
        saveFile(content, name);
        const { width, height } = settings;
        void this.storage.write(storedUnder(sessionId), [{ name, content, width, height }]);
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

  save({ content, name }: RenderedAnimation): void {
    saveFile(content, name);
  }

  /** Nothing of another session is taken along; whether something was being rendered. */
  reset(): boolean {
    const wasRendering = this.job.value !== null;
    this.cancel();
    this.newest.value = null;
    this.failure.value = null;
    return wasRendering;
  }
}
