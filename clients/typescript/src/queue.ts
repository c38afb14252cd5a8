/** Values that wait for the one who reads them. */
export class Queue<T> implements AsyncIterableIterator<T> {
  #values: T[] = [];
  #waiting: ((result: IteratorResult<T>) => void) | null = null;
  #ended = false;

  constructor(private readonly left: () => void) {}

  push(value: T): void {
    if (this.#ended) return;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) waiting({ value, done: false });
    else this.#values.push(value);
  }

  /** Only the newest value waits. */
  replace(value: T): void {
    this.#values.length = 0;
    this.push(value);
  }

  /** No more comes. */
  end(): void {
    this.#ended = true;
    this.#waiting?.({ value: undefined, done: true });
    this.#waiting = null;
  }

  async next(): Promise<IteratorResult<T>> {
    if (this.#values.length > 0) return { value: this.#values.shift() as T, done: false };
    if (this.#ended) return { value: undefined, done: true };
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  async return(): Promise<IteratorResult<T>> {
    this.left();
    this.end();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
