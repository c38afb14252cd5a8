import type { Ease } from "./forms";

/** How the scene is drawn while the camera moves. */
export interface Effort {
  /** Pixels each way, as a share of the screen's. */
  sharpness: number;
  ease: Ease;
}

/** All of it, as when nothing moves. */
export const WHOLE: Effort = { sharpness: 1, ease: "whole" };
/** From the best to what any machine can do. */
const EFFORTS: readonly Effort[] = [
  WHOLE,
  { sharpness: 1, ease: "quick" },
  { sharpness: 0.7, ease: "quick" },
  { sharpness: 0.5, ease: "quick" },
  { sharpness: 0.5, ease: "quickest" },
  { sharpness: 0.4, ease: "quickest" },
];
/** Where one begins that has no graphics card. */
const SLOW_STEP = 3;
/** Frames further apart than this, in milliseconds, are seen to stutter: 30 a second and some room. */
const SLOW_MS = 28;
/** A machine that is done sooner may try more the next time. */
const FAST_MS = 17.5;
/** So many frames are averaged before a step. */
const FRAMES = 4;
/** Longer than this nothing was drawn because nothing moved. */
const PAUSE_MS = 1_000;
/** After so long without a move all of it is drawn again. */
const STILL_MS = 300;

/** Draws less while the camera moves, where the machine is too slow for all of it. */
export class Pace {
  #step: number;
  #previous: number | null = null;
  #times: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isMoving = false;
  #isHeld = false;

  /** `slow`: begins with little, as one without a graphics card has to. */
  constructor(
    slow: boolean,
    private readonly onEffort: (effort: Effort) => void,
  ) {
    this.#step = slow ? SLOW_STEP : 0;
  }

  /** Whether all of it is too much for this machine. */
  get isSlow(): boolean {
    return this.#step > 0;
  }

  /** Whether all of it is drawn at present, and that takes long. */
  get isThorough(): boolean {
    return this.isSlow && !this.#isMoving;
  }

  /** The camera has moved. */
  moving(): void {
    if (!this.#isMoving) {
      this.#isMoving = true;
      this.#previous = null;
      this.#times = [];
      this.#make();
    }
    this.#wait();
  }

  /** Whether a pointer holds what moves: it may move on at any time, however long a frame takes. */
  hold(held: boolean): void {
    this.#isHeld = held;
    this.#wait();
  }

  /** A frame was drawn at a time, in milliseconds. */
  drawn(now: number): void {
    if (!this.#isMoving) return;
    this.#wait();
    if (this.#previous !== null && now - this.#previous < PAUSE_MS) this.#times.push(now - this.#previous);
    this.#previous = now;
    if (this.#times.length < FRAMES) return;
    const mean = this.#times.reduce((sum, time) => sum + time, 0) / this.#times.length;
    this.#times = [];
    if (mean > SLOW_MS && this.#step < EFFORTS.length - 1) {
      this.#step += 1;
      this.#make();
    } else if (mean < FAST_MS && this.#step > 1) {
      this.#step -= 1;
      this.#make();
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#isHeld || !this.#isMoving) return;
    this.#timer = setTimeout(() => {
      this.#isMoving = false;
      this.onEffort(WHOLE);
    }, STILL_MS);
  }

  #make(): void {
    this.onEffort(EFFORTS[this.#step] ?? WHOLE);
  }
}
