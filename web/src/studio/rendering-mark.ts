/**
 * Tells the page that is loaded after this one, in the same tab, that something was being rendered, which the loading
 * ended. A browser may have its storage switched off: then nothing is told.
 */
export class RenderingMark {
  constructor(
    /** What is rendered. */
    private readonly what: "image" | "animation",
    private readonly tab: () => Pick<Storage, "getItem" | "setItem" | "removeItem"> = () => sessionStorage,
  ) {}

  set(session: string): void {
    this.#attempt((tab) => tab.setItem(this.#name, session));
  }

  clear(): void {
    this.#attempt((tab) => tab.removeItem(this.#name));
  }

  /** Whether something of the session was being rendered when the page before ended; once. */
  take(session: string): boolean {
    const found = this.#attempt((tab) => tab.getItem(this.#name)) === session;
    if (found) this.clear();
    return found;
  }

  get #name(): string {
    return `scene-llm.rendering-${this.what}`;
  }

  #attempt<Result>(action: (tab: ReturnType<RenderingMark["tab"]>) => Result): Result | null {
    try {
      return action(this.tab());
    } catch {
      return null;
    }
  }
}
