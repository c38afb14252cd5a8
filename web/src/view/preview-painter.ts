import type { PreviewHeader } from "../protocol";
import type { PreviewFrame } from "../protocol/decode";

/** Draws preview frames on a canvas; while one is being decoded only the newest waits. */
export class PreviewPainter {
  #canvas: HTMLCanvasElement | null = null;
  #waiting: PreviewFrame | null = null;
  #decoding = false;
  /** Frames from before the last `clear` are not shown. */
  #generation = 0;
  #frame: Blob | null = null;

  constructor(private readonly onShown: (header: PreviewHeader) => void) {}

  attach(canvas: HTMLCanvasElement | null): void {
    this.#canvas = canvas;
    if (canvas !== null) void this.#drain();
  }

  show(frame: PreviewFrame): void {
    this.#waiting = frame;
    void this.#drain();
  }

  /** What is shown, as it came from the server; null before the first picture. */
  get frame(): Blob | null {
    return this.#frame;
  }

  /** Forgets every frame so far: another session's picture follows. */
  clear(): void {
    this.#waiting = null;
    this.#generation += 1;
    this.#frame = null;
    delete this.#canvas?.dataset.revision;
    delete this.#canvas?.dataset.samples;
  }

  async #drain(): Promise<void> {
    if (this.#decoding || this.#canvas === null) return;
    this.#decoding = true;
    while (this.#waiting !== null) {
      const { header, image } = this.#waiting;
      const generation = this.#generation;
      this.#waiting = null;
      try {
        const frame = new Blob([image], { type: header.mime_type });
        const bitmap = await createImageBitmap(frame);
        if (generation === this.#generation && this.#draw(bitmap, header)) this.#frame = frame;
        bitmap.close();
      } catch (error) {
        console.warn("a preview frame could not be decoded", error);
      }
    }
    this.#decoding = false;
  }

  /** Whether there was a canvas to draw on. */
  #draw(bitmap: ImageBitmap, header: PreviewHeader): boolean {
    const canvas = this.#canvas;
    const context = canvas?.getContext("2d");
    if (canvas == null || context == null) return false;
    // Setting a canvas's size clears it, so only when it differs.
    if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
    if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
    context.drawImage(bitmap, 0, 0);
    canvas.dataset.revision = String(header.revision);
    canvas.dataset.samples = String(header.samples);
    this.onShown(header);
    return true;
  }
}
