import { computed, type ReadonlySignal } from "@preact/signals";
import type { Properties } from "../document/scene";
import { isTriple } from "../document/vector";
import type { Bookmark, ClientMessage } from "../protocol";
import type { StudioEvent, StudioState } from "../store/state";

interface BookmarksHost {
  state: ReadonlySignal<StudioState>;
  /** Sends with the id; false when there is no connection. */
  send(message: ClientMessage): boolean;
  nextRequestId(): string;
  dispatch(event: StudioEvent): void;
}

/** Where bookmarks were kept before sessions had them. */
export interface KeyValueStore {
  getItem(key: string): string | null;
  removeItem(key: string): void;
}

/** The bookmarks of the session: cameras that its people come back to. The server keeps them. */
export class Bookmarks {
  readonly list: ReadonlySignal<readonly Bookmark[]>;
  readonly editable: ReadonlySignal<boolean>;

  constructor(private readonly host: BookmarksHost) {
    this.list = computed(() => (host.state.value.bookmarksSent ?? host.state.value).bookmarks);
    this.editable = computed(
      () => host.state.value.access === "edit" && host.state.value.connection.phase === "open",
    );
  }

  add(camera: Properties): void {
    const taken = new Set(this.list.value.map(({ name }) => name));
    let number = this.list.value.length + 1;
    while (taken.has(`View ${number}`)) number += 1;
    this.#save([...this.list.value, { name: `View ${number}`, camera }]);
  }

  /** The one after or before that whose camera is shown; from anywhere else the first or the last; null without any. */
  beside(camera: Properties | null, step: 1 | -1): Bookmark | null {
    const list = this.list.value;
    const at = list.findIndex((each) => each.camera === camera);
    const next = at === -1 ? (step === 1 ? 0 : list.length - 1) : (at + step + list.length) % list.length;
    return list[next] ?? null;
  }

  rename(index: number, name: string): void {
    const trimmed = name.trim();
    if (trimmed === "" || trimmed === this.list.value[index]?.name) return;
    this.#save(this.list.value.map((each, at) => (at === index ? { ...each, name: trimmed } : each)));
  }

  remove(index: number): void {
    this.#save(this.list.value.toSpliced(index, 1));
  }

  /** Gives the session those that this browser kept for it alone, once. */
  adopt(storage: KeyValueStore): void {
    const { session } = this.host.state.value;
    if (session === null || !this.editable.value) return;
    const key = `scene-llm.bookmarks.${session.id}`;
    const kept = parse(storage.getItem(key));
    if (kept.length === 0) return;
    storage.removeItem(key);
    this.#save([...this.list.value, ...kept]);
  }

  #save(bookmarks: readonly Bookmark[]): void {
    const requestId = this.host.nextRequestId();
    if (this.host.send({ type: "set_bookmarks", bookmarks: [...bookmarks], request_id: requestId }))
      this.host.dispatch({ type: "bookmarks_sent", requestId, bookmarks });
  }
}

function parse(text: string | null): Bookmark[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(list) ? list.filter(isBookmark) : [];
  } catch {
    return [];
  }
}

function isBookmark(value: unknown): value is Bookmark {
  if (typeof value !== "object" || value === null) return false;
  const { name, camera } = value as Partial<Bookmark>;
  return typeof name === "string" && isTriple(camera?.center) && isTriple(camera.look_at);
}
