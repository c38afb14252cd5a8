import type { DetailLevel } from "../geometry/primitives";

/** The quality at which the scene is drawn. */
export interface RenderQuality {
  /** Pixels each way, as a share of the screen's. */
  resolutionScale: number;
  detailLevel: DetailLevel;
}

/** Full quality, as when nothing moves. */
export const FULL_QUALITY: RenderQuality = { resolutionScale: 1, detailLevel: "full" };
/** From the best to what any machine can do in time. */
const QUALITIES: readonly RenderQuality[] = [
  FULL_QUALITY,
  { resolutionScale: 1, detailLevel: "low" },
  { resolutionScale: 0.7, detailLevel: "low" },
  { resolutionScale: 0.5, detailLevel: "low" },
  { resolutionScale: 0.5, detailLevel: "lowest" },
  { resolutionScale: 0.4, detailLevel: "lowest" },
];
/** The first step without a graphics card. */
const SLOW_STEP = 3;
/** Frames further apart than this, in milliseconds, stutter: 30 a second and some tolerance. */
const SLOW_MS = 28;
/** With shorter frame times the next move may use a higher quality. */
const FAST_MS = 17.5;
/** So many frames are averaged before a step. */
const FRAMES = 4;
/** Longer than this nothing was drawn because nothing moved. */
const PAUSE_MS = 1_000;
/** After so long without a move the scene is drawn at full quality. */
const IDLE_MS = 300;

/** Lowers the quality while the camera moves, where the machine is too slow for full quality. */
export class AdaptiveQuality {
  #step: number;
  #previous: number | null = null;
  #times: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isMoving = false;
  #isHeld = false;

  /** `slow`: begins at a low quality, for machines without a graphics card. */
  constructor(
    slow: boolean,
    private readonly onQuality: (quality: RenderQuality) => void,
  ) {
    this.#step = slow ? SLOW_STEP : 0;
  }

  /** Whether this machine is too slow for full quality. */
  get isSlow(): boolean {
    return this.#step > 0;
  }

  /** Whether full quality is drawn at present, on a slow machine. */
  get isSlowAtFullQuality(): boolean {
    return this.isSlow && !this.#isMoving;
  }

  /** The camera has moved. */
  cameraMoved(): void {
    if (!this.#isMoving) {
      this.#isMoving = true;
      this.#previous = null;
      this.#times = [];
      this.#apply();
    }
    this.#restartTimer();
  }

  /** Whether a pointer drags: it may move at any time, however long a frame takes. */
  setHeld(held: boolean): void {
    this.#isHeld = held;
    this.#restartTimer();
  }

  /** A frame was drawn at a time, in milliseconds. */
  frameDrawn(now: number): void {
    if (!this.#isMoving) return;
    this.#restartTimer();
    if (this.#previous !== null && now - this.#previous < PAUSE_MS) this.#times.push(now - this.#previous);
    this.#previous = now;
    if (this.#times.length < FRAMES) return;
    const mean = this.#times.reduce((sum, time) => sum + time, 0) / this.#times.length;
    this.#times = [];
    if (mean > SLOW_MS && this.#step < QUALITIES.length - 1) {
      this.#step += 1;
      this.#apply();
    } else if (mean < FAST_MS && this.#step > 1) {
      this.#step -= 1;
      this.#apply();
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #restartTimer(): void {
    clearTimeout(this.#timer);
    if (this.#isHeld || !this.#isMoving) return;
    this.#timer = setTimeout(() => {
      this.#isMoving = false;
      this.onQuality(FULL_QUALITY);
    }, IDLE_MS);
  }

  #apply(): void {
    this.onQuality(QUALITIES[this.#step] ?? FULL_QUALITY);
  }
}
