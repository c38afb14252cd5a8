import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { COMPOSED_ASPECT, focusedLike } from "../document/camera";
import type { Properties } from "../document/scene";
import { storeQuality } from "../preferences";
import type { PreviewHeader, Quality } from "../protocol";
import type { Playback } from "../view/playback";
import { PreviewPainter } from "../view/preview-painter";
import { isAlike, pictureAspect, previewSize, type Size } from "../view/preview-size";
import { RenderPace } from "../view/render-pace";
import { type RequestedView, RequestedViews } from "../view/requested-views";
import type { ViewState } from "../view/state";
import { ViewRequestThrottle } from "../view/view-request-throttle";
import type { SessionStore } from "./session-store";

/** Sides are whole pixels, so that pictures of one shape differ by as much. */
const SHAPE_TOLERANCE = 0.01;
/** A picture that could be this many times as small as it is takes too long, if it has no more samples than these. */
const MAX_EXCESS = 2;
const EARLY_SAMPLES = 2;
const GOOD_SAMPLES = 64;
const GOOD_WIDTH = 1000;

/** The path-traced picture: what is asked of the server, and what it sends. */
export class TracedView {
  readonly painter: PreviewPainter;
  /** The camera of the picture that is shown: null is the scene's, undefined one that nobody knows. */
  readonly shownCamera: ReadonlySignal<Properties | null | undefined>;
  /** The time of the animation that is shown; undefined for one that nobody knows. */
  readonly shownTime: ReadonlySignal<number | null | undefined>;
  /** Whether the picture that is shown is of another scene or view than the present one. */
  readonly outdated: ReadonlySignal<boolean>;
  /** Whether the server is to make other pictures first. */
  readonly #yielding: Signal<boolean> = signal(false);
  /** The same, where there is a picture already of what is shown. */
  readonly #waits: ReadonlySignal<boolean>;
  readonly #requestedViews = new RequestedViews();
  readonly #throttle = new ViewRequestThrottle(() => {
    this.#resize();
    this.request();
  });
  readonly #pace = new RenderPace();
  /** The size that is asked for. */
  #size: Size;

  constructor(
    private readonly store: SessionStore,
    private readonly view: ViewState,
    /** The time of the animation that is to be traced, null for the scene at rest; and whether the page plays it. */
    private readonly animation: Pick<Playback, "heldTime" | "playing">,
  ) {
    this.#size = this.#wantedSize();
    this.painter = new PreviewPainter((header) => {
      const shapes = [pictureAspect(view.place.peek()), view.tracedAspect.peek()];
      const aspect = header.width / header.height;
      view.tracedAspect.value =
        shapes.find((shape) => Math.abs(aspect / shape - 1) < SHAPE_TOLERANCE) ?? aspect;
      store.dispatch({ type: "preview_shown", header });
      this.#followPace(header);
    });
    const shownView = computed((): RequestedView | undefined =>
      this.#requestedViews.get(store.state.value.shown?.view),
    );
    this.shownCamera = computed(() => shownView.value?.camera);
    this.shownTime = computed(() => shownView.value?.time);
    this.outdated = computed(() => {
      const { shown, revision } = store.state.value;
      if (shown === null) return false;
      const { camera, hidden, time } = shownView.value ?? {};
      const isElsewhere = camera !== view.privateCamera.value || time !== animation.heldTime.value;
      return shown.revision < revision || isElsewhere || !isSameSet(hidden, view.hidden.value);
    });
    this.#waits = computed(
      () => this.#yielding.value && store.state.value.shown !== null && !this.outdated.value,
    );
  }

  /** Lets the library have its pictures: a picture that is there already is refined after them. */
  setYielding(yielding: boolean): void {
    this.#yielding.value = yielding;
  }

  /** Requests pictures from now on whenever the camera or what is hidden changes. */
  start(): void {
    const { privateCamera, shownMode, hidden, rasterStatus, place } = this.view;
    effect(() => {
      privateCamera.value;
      const mode = shownMode.value;
      // While the camera moves, pictures are only for a view that the raster does not cover.
      const covered = mode === "raster" || (mode === "traced" && rasterStatus.peek().phase === "ready");
      untracked(() => this.#throttle.cameraMoved(!covered));
    });
    effect(() => {
      place.value;
      untracked(() => {
        if (!isAlike(this.#size, this.#wantedSize())) this.#throttle.cameraMoved(false);
      });
    });
    effect(() => {
      this.animation.heldTime.value;
      this.animation.playing.value;
      untracked(() => this.#throttle.cameraMoved(false));
    });
    effect(() => {
      hidden.value;
      untracked(() => this.request());
    });
    effect(() => {
      this.#waits.value;
      untracked(() => this.request());
    });
    const focus = computed(() => this.store.state.value.document.scene.camera.focus_distance);
    effect(() => {
      focus.value;
      untracked(() => {
        if (privateCamera.value !== null) this.request();
      });
    });
  }

  /**
   * Tells the server what this page wants to see, which it forgets with the connection. Behind a raster nothing is
   * traced, nor while the page plays the animation: it needs the machine.
   */
  request(): void {
    const { quality, paused, document } = this.store.state.value;
    const { privateCamera, shownMode, hidden } = this.view;
    const requestId = this.store.nextRequestId();
    const time = this.animation.heldTime.peek();
    const camera = privateCamera.peek();
    this.#requestedViews.add(requestId, { camera, hidden: hidden.peek(), time });
    this.store.send({
      type: "view",
      request_id: requestId,
      quality,
      ...this.#size,
      fit_aspect: COMPOSED_ASPECT,
      paused: paused || shownMode.peek() === "raster" || this.animation.playing.peek() || this.#waits.peek(),
      camera: camera && focusedLike(document.scene.camera, camera),
      hidden: [...hidden.peek()],
      at_time: time,
    });
  }

  setQuality(quality: Quality): void {
    storeQuality(quality);
    this.store.dispatch({ type: "view_chosen", quality, paused: this.store.state.value.paused });
    this.#resize();
    this.request();
  }

  setPaused(paused: boolean): void {
    this.store.dispatch({ type: "view_chosen", quality: this.store.state.value.quality, paused });
    this.request();
  }

  #wantedSize(): Size {
    return previewSize({
      quality: this.store.state.peek().quality,
      place: this.view.place.peek(),
      pixelRatio: globalThis.devicePixelRatio || 1,
      pace: this.#pace.samplesPerSecond,
    });
  }

  /** Takes the size that fits now, unless the one that was asked for looks alike. */
  #resize(): void {
    const size = this.#wantedSize();
    if (!isAlike(this.#size, size)) this.#size = size;
  }

  /** Asks for a smaller picture where a large one has begun that takes too long. A larger one waits for the next view. */
  #followPace(header: PreviewHeader): void {
    const hasTold = this.#pace.observe(header, performance.now());
    if (!hasTold || header.samples > EARLY_SAMPLES) return;
    const [asked, wanted] = [this.#size, this.#wantedSize()];
    if (asked.width * asked.height < MAX_EXCESS * wanted.width * wanted.height) return;
    this.#size = wanted;
    this.request();
  }

  /** Saves the shown picture, and compares with it. */
  saveRender(): void {
    const { shown } = this.store.state.value;
    const content = this.painter.frame;
    if (content === null || shown === null) return;
    const { revision, samples, width, height } = shown;
    const name = `Revision ${revision}, ${samples} samples`;
    const { savedRenders } = this.view;
    savedRenders.choose("left", savedRenders.save({ name, content, width, height }).id);
    savedRenders.choose("right", null);
    this.view.setMode("wipe");
  }

  /** The picture as it is shown, if it is of the scene as it is now, at rest, and large and smooth enough to be sent. */
  get goodPicture(): Blob | null {
    const { shown } = this.store.state.value;
    const isGood =
      shown !== null &&
      !this.outdated.value &&
      this.animation.heldTime.value === null &&
      shown.samples >= GOOD_SAMPLES &&
      shown.width >= GOOD_WIDTH;
    return isGood ? this.painter.frame : null;
  }

  /** Another session's pictures follow. */
  reset(): void {
    this.painter.clear();
    this.#requestedViews.clear();
  }
}

function isSameSet(a: ReadonlySet<string> | undefined, b: ReadonlySet<string>): boolean {
  return a === b || (a?.size === b.size && [...b].every((each) => a.has(each)));
}
