import type { RasterVisibility } from "./canvas-renderer";

/** Duration of fading out, in milliseconds. */
const FADE_MS = 150;

/** How much of the scene is drawn: it comes at once, and fades out. */
export class Fade {
  #now: RasterVisibility = { opacity: 0, width: 1 };
  /** The opacity it fades to. */
  #target = 0;
  /** When the fading went on last, in milliseconds. */
  #at: number | null = null;

  get visibility(): RasterVisibility {
    return this.#now;
  }

  set({ opacity, width }: RasterVisibility, isSudden: boolean): void {
    this.#target = opacity;
    this.#at = null;
    this.#now = { opacity: opacity > this.#now.opacity || isSudden ? opacity : this.#now.opacity, width };
  }

  /** One step towards the opacity that is to be; whether there are more. */
  step(nowMs: number): boolean {
    const { opacity, width } = this.#now;
    if (opacity <= this.#target) return false;
    const passed = this.#at === null ? 0 : nowMs - this.#at;
    this.#at = nowMs;
    this.#now = { opacity: Math.max(this.#target, opacity - passed / FADE_MS), width };
    return true;
  }
}
