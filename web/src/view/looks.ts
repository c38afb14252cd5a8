import type { Properties } from "../document/scene";

/** Pictures of older looks than these do not come any more. */
const MOST_NAMED = 64;

/** Which look each `view` message asked for: pictures tell the message they answer. */
export class Looks {
  readonly #named = new Map<string, Properties | null>();

  /** `look` is null for the scene's own camera. */
  name(requestId: string, look: Properties | null): void {
    this.#named.set(requestId, look);
    const [oldest] = this.#named.keys();
    if (this.#named.size > MOST_NAMED && oldest !== undefined) this.#named.delete(oldest);
  }

  /** The look that a picture shows; undefined when nobody knows. Pictures nobody asked for show the scene's. */
  of(view: unknown): Properties | null | undefined {
    return typeof view === "string" ? this.#named.get(view) : null;
  }

  /** Another session's pictures follow. */
  clear(): void {
    this.#named.clear();
  }
}
