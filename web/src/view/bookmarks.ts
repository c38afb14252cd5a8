import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Properties } from "../document/scene";
import { isTriple } from "../document/vector";

/** A camera that the user wants to return to. */
export interface Bookmark {
  name: string;
  camera: Properties;
}

/** Where bookmarks are kept: the browser's own storage, which may be switched off. */
export interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The camera bookmarks of one session, stored in this browser. */
export class Bookmarks {
  readonly #list: Signal<readonly Bookmark[]> = signal([]);
  #key: string | null = null;

  constructor(private readonly storage: () => KeyValueStore) {}

  get list(): ReadonlySignal<readonly Bookmark[]> {
    return this.#list;
  }

  /** Shows those of a session. */
  enter(sessionId: string | null): void {
    const key = sessionId === null ? null : `scene-llm.bookmarks.${sessionId}`;
    if (key === this.#key) return;
    this.#key = key;
    this.#list.value = key === null ? [] : this.#read(key);
  }

  add(camera: Properties): void {
    const taken = new Set(this.#list.value.map(({ name }) => name));
    let number = this.#list.value.length + 1;
    while (taken.has(`View ${number}`)) number += 1;
    this.#save([...this.#list.value, { name: `View ${number}`, camera }]);
  }

  /** The one after or before that whose camera is shown; from anywhere else the first or the last; null without any. */
  beside(camera: Properties | null, step: 1 | -1): Bookmark | null {
    const list = this.#list.value;
    const at = list.findIndex((each) => each.camera === camera);
    const next = at === -1 ? (step === 1 ? 0 : list.length - 1) : (at + step + list.length) % list.length;
    return list[next] ?? null;
  }

  rename(index: number, name: string): void {
    const trimmed = name.trim();
    if (trimmed === "") return;
    this.#save(this.#list.value.map((each, at) => (at === index ? { ...each, name: trimmed } : each)));
  }

  remove(index: number): void {
    this.#save(this.#list.value.toSpliced(index, 1));
  }

  #save(list: readonly Bookmark[]): void {
    this.#list.value = list;
    if (this.#key === null) return;
    try {
      this.storage().setItem(this.#key, JSON.stringify(list));
    } catch {
      // They last as long as the page.
    }
  }

  #read(key: string): readonly Bookmark[] {
    try {
      const list: unknown = JSON.parse(this.storage().getItem(key) ?? "[]");
      return Array.isArray(list) ? list.filter(isBookmark) : [];
    } catch {
      return [];
    }
  }
}

function isBookmark(value: unknown): value is Bookmark {
  if (typeof value !== "object" || value === null) return false;
  const { name, camera } = value as Partial<Bookmark>;
  return typeof name === "string" && isTriple(camera?.center) && isTriple(camera.look_at);
}
