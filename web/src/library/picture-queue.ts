import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** The server renders a picture when it is asked for first: more at once would take what it traces with. */
const MAX_AT_ONCE = 4;
/** So many of those that are not seen yet. */
const MAX_AHEAD = 2;

interface Waiting {
  /** Whether one sees its place; others are loaded ahead, when there is nothing else to do. */
  isSeen: boolean;
  begin: () => void;
}

/** Starts loading pictures in the order they were asked for, a few at a time, those that are seen first. */
export class PictureQueue {
  readonly #waiting = new Set<Waiting>();
  readonly #loading = new Set<Waiting>();
  readonly #isBusy: Signal<boolean> = signal(false);

  /** Whether pictures that are to be seen are not there yet. */
  get isBusy(): ReadonlySignal<boolean> {
    return this.#isBusy;
  }

  /** Calls `start` when it is its turn; what it returns is called once, when the picture has loaded or is not wanted. */
  add(start: () => void, isSeen = true): () => void {
    const picture: Waiting = { isSeen, begin: start };
    this.#waiting.add(picture);
    this.#next();
    return () => {
      this.#waiting.delete(picture);
      this.#loading.delete(picture);
      this.#next();
    };
  }

  #next(): void {
    for (const picture of [...this.#waiting].sort((a, b) => Number(b.isSeen) - Number(a.isSeen))) {
      if (this.#loading.size >= (picture.isSeen ? MAX_AT_ONCE : MAX_AHEAD)) break;
      this.#waiting.delete(picture);
      this.#loading.add(picture);
      picture.begin();
    }
    this.#isBusy.value = [...this.#waiting, ...this.#loading].some(({ isSeen }) => isSeen);
  }
}
