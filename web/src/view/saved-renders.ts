import { type Signal, signal } from "@preact/signals";
import { RenderStorage, type StoredRender } from "./render-storage";

/** A path-traced picture that the user saved for comparison. */
export interface SavedRender extends StoredRender {
  /** Unique on this page. */
  id: number;
  image: ImageBitmap;
}

/** More are dropped; a large one takes three megabytes. */
const MAX_SAVED = 8;

/** The saved renders of a session, kept in this browser, the newest last; one of them may be shown left of the wipe divider. */
export class SavedRenders {
  readonly list: Signal<readonly SavedRender[]> = signal([]);
  /** The one that is compared with; null for the raster. */
  readonly chosen: Signal<SavedRender | null> = signal(null);
  #session: string | null = null;
  /** Ends when those of the session are there. */
  #entered: Promise<void> = Promise.resolve();
  #last = 0;

  constructor(private readonly storage: Pick<RenderStorage, "load" | "write"> = new RenderStorage()) {}

  /** Shows those of a session. */
  enter(session: string | null): Promise<void> {
    if (session === this.#session) return this.#entered;
    this.clear();
    this.#session = session;
    this.#entered = session === null ? Promise.resolve() : this.#load(session);
    return this.#entered;
  }

  /** Saves a picture and compares with it; the oldest is dropped. */
  save(image: ImageBitmap, { name, content }: StoredRender): void {
    const saved = this.#numbered({ name, content, image });
    this.#show([...this.list.value, saved]);
    this.chosen.value = saved;
    void this.#write(this.#session);
  }

  /** Compares with the picture of an id, or with the raster where there is none. */
  choose(id: number): void {
    this.chosen.value = this.list.value.find((saved) => saved.id === id) ?? null;
  }

  /** Forgets them on this page; they stay in the browser. */
  clear(): void {
    this.#session = null;
    this.chosen.value = null;
    for (const { image } of this.list.value) image.close();
    this.list.value = [];
  }

  async #load(session: string): Promise<void> {
    const loaded: SavedRender[] = [];
    for (const stored of await this.storage.load(session)) {
      const image = await createImageBitmap(stored.content).catch(() => null);
      if (image !== null) loaded.push(this.#numbered({ ...stored, image }));
    }
    if (this.#session === session) this.#show([...loaded, ...this.list.value]);
    else for (const { image } of loaded) image.close();
  }

  async #write(session: string | null): Promise<void> {
    await this.#entered;
    if (session === null || this.#session !== session) return;
    const renders = this.list.value.map(({ name, content }) => ({ name, content }));
    await this.storage.write(session, renders);
  }

  #numbered(render: Omit<SavedRender, "id">): SavedRender {
    this.#last += 1;
    return { id: this.#last, ...render };
  }

  /** The newest of a list. */
  #show(list: readonly SavedRender[]): void {
    for (const { image } of list.slice(0, -MAX_SAVED)) image.close();
    this.list.value = list.slice(-MAX_SAVED);
  }
}
