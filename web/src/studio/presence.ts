import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { storedText, storeText } from "../preferences";
import type { SessionStore } from "./session-store";

/** At most so many are told: the others see that much is selected. */
const MAX_TOLD = 100;
/** The least time between two messages, in milliseconds. */
const MIN_INTERVAL_MS = 200;
/** Letters of a name. */
export const MAX_NAME_LENGTH = 60;

/** Tells the others who look at the session what this user is called and has selected. */
export class Presence {
  /** What the user wants to be called; empty for nothing. */
  readonly name: Signal<string> = signal(storedText("name"));
  #timer: ReturnType<typeof setTimeout> | undefined;
  #told = "";

  constructor(
    private readonly store: SessionStore,
    private readonly selection: ReadonlySignal<readonly string[]>,
  ) {}

  start(): void {
    // A new connection knows nothing of this page yet.
    effect(() => {
      if (this.store.state.value.connection.phase !== "open") this.#told = "";
      else this.#soon();
    });
    effect(() => {
      void this.selection.value;
      void this.name.value;
      this.#soon();
    });
  }

  rename(name: string): void {
    this.name.value = name.trim().slice(0, MAX_NAME_LENGTH);
    storeText("name", this.name.value);
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tell();
    }, MIN_INTERVAL_MS);
  }

  #tell(): void {
    const { connection, session } = this.store.state.peek();
    if (connection.phase !== "open" || session === null) return;
    const selection = this.selection.peek().slice(0, MAX_TOLD);
    const name = this.name.peek();
    const told = JSON.stringify([session.id, name, selection]);
    if (told === this.#told) return;
    if (this.store.send({ type: "presence", name, selection })) this.#told = told;
  }
}
