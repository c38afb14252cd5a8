/** The server renders a picture when it is asked for first: more at once would take what it traces with. */
const MAX_AT_ONCE = 4;

/** Starts loading pictures in the order they were asked for, a few at a time. */
export class PictureQueue {
  readonly #waiting = new Set<() => void>();
  #loading = 0;

  /** Calls `start` when it is its turn; what it returns is called once, when the picture has loaded or is not wanted. */
  add(start: () => void): () => void {
    let state: "waiting" | "loading" | "done" = "waiting";
    const begin = () => {
      state = "loading";
      start();
    };
    this.#waiting.add(begin);
    this.#next();
    return () => {
      this.#waiting.delete(begin);
      if (state === "loading") this.#loading -= 1;
      state = "done";
      this.#next();
    };
  }

  #next(): void {
    for (const begin of this.#waiting) {
      if (this.#loading >= MAX_AT_ONCE) return;
      this.#waiting.delete(begin);
      this.#loading += 1;
      begin();
    }
  }
}
