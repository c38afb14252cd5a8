/** The least time between two requests while the camera moves, in milliseconds. */
const MIN_INTERVAL_MS = 150;
/** Without a move for this long the camera has stopped. */
const IDLE_MS = 120;

/** Throttles the view requests of a moving camera: while it moves, or only once it has stopped. */
export class ViewRequestThrottle {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastRequestMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly request: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The camera has moved; `onTheWay` when traced pictures are visible while it moves. */
  cameraMoved(onTheWay: boolean): void {
    if (onTheWay && this.#timer !== undefined) return;
    clearTimeout(this.#timer);
    const wait = onTheWay ? this.#lastRequestMs + MIN_INTERVAL_MS - this.now() : IDLE_MS;
    if (wait <= 0) this.#send();
    else this.#timer = setTimeout(() => this.#send(), wait);
  }

  /** Asks now, or not at all any more. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #send(): void {
    this.cancel();
    this.#lastRequestMs = this.now();
    this.request();
  }
}
