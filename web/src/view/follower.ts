/** Pictures of the way: so many milliseconds apart. */
const EVERY_MS = 150;
/** So long without a move one stands still. */
const STILL_MS = 120;

/** Asks for pictures of a camera that moves: on the way, or only once it stands still. */
export class Follower {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly ask: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The camera has moved; `onTheWay` when pictures of the way are looked at. */
  moved(onTheWay: boolean): void {
    if (onTheWay && this.#timer !== undefined) return;
    clearTimeout(this.#timer);
    const wait = onTheWay ? this.#asked + EVERY_MS - this.now() : STILL_MS;
    if (wait <= 0) this.#send();
    else this.#timer = setTimeout(() => this.#send(), wait);
  }

  /** Asks now, or not at all any more. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #send(): void {
    this.settle();
    this.#asked = this.now();
    this.ask();
  }
}
