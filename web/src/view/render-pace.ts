import type { PreviewHeader } from "../protocol";

/** Times between two pictures that are shorter tell little. */
const MIN_SECONDS = 0.05;
/** How much the newest time counts against those before. */
const WEIGHT = 0.4;

/** How many samples are traced in a second, by when pictures of one view and revision arrive. */
export class RenderPace {
  #last: { header: PreviewHeader; ms: number } | null = null;
  #samplesPerSecond: number | null = null;

  /** Null while nothing is known. */
  get samplesPerSecond(): number | null {
    return this.#samplesPerSecond;
  }

  /** A picture has arrived at a time in milliseconds; whether it told something. */
  observe(header: PreviewHeader, ms: number): boolean {
    const last = this.#last;
    this.#last = { header, ms };
    if (last === null || last.header.revision !== header.revision || last.header.view !== header.view)
      return false;
    const seconds = (ms - last.ms) / 1000;
    const passes = header.pass - last.header.pass;
    // The first traced picture of a large view counts no samples and has one; a skipped one is not known.
    const samples = header.samples - last.header.samples || (header.pass === 1 ? 1 : 0);
    if (passes !== 1 || samples <= 0 || seconds < MIN_SECONDS) return false;
    const pace = (samples * header.width * header.height) / seconds;
    const before = this.#samplesPerSecond ?? pace;
    this.#samplesPerSecond = before + WEIGHT * (pace - before);
    return true;
  }
}
