import { type Signal, signal } from "@preact/signals";
import { RenderStorage, type StoredRender } from "./render-storage";

/** A picture of the session that is kept: a finished render, or the traced picture as it was shown. */
export interface SavedRender extends StoredRender {
  /** Unique on this page. */
  id: number;
}

/** What lies on both sides of the wipe divider. */
export type Side = "left" | "right";

/** The oldest beyond these are dropped; the newest is kept whatever its size. */
const MAX_SAVED = 12;
const MAX_SAVED_BYTES = 96 << 20;

/** The saved renders of a session, kept in this browser, the newest last. */
export class SavedRenders {
  readonly list: Signal<readonly SavedRender[]> = signal([]);
  /** What is shown on a side of the divider; null for the raster on the left, the traced picture on the right. */
  readonly sides: Readonly<Record<Side, Signal<SavedRender | null>>> = {
    left: signal(null),
    right: signal(null),
  };
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

  /** Saves a picture; the oldest is dropped. */
  save(render: StoredRender): SavedRender {
    const saved = this.#numbered(render);
    this.#show([...this.list.value, saved]);
    void this.#write(this.#session);
    return saved;
  }

  /** Saves a picture in place of the one of its name. */
  replace(render: StoredRender): SavedRender {
    this.#show(this.list.value.filter(({ name }) => name !== render.name));
    return this.save(render);
  }

  /** Shows the picture of an id on a side, or what is live there if there is none. */
  choose(side: Side, id: number | null): void {
    this.sides[side].value = this.list.value.find((saved) => saved.id === id) ?? null;
  }

  /** Forgets them on this page; they stay in the browser. */
  clear(): void {
    this.#session = null;
    this.#show([]);
  }

  async #load(session: string): Promise<void> {
    const stored = await this.storage.load(session);
    if (this.#session !== session) return;
    const loaded = stored.map((render) => this.#numbered(render));
    this.#show([...loaded, ...this.list.value]);
  }

  async #write(session: string | null): Promise<void> {
    await this.#entered;
    if (session === null || this.#session !== session) return;
    const renders = this.list.value.map(({ id, ...render }) => render);
    await this.storage.write(session, renders);
  }

  #numbered(render: StoredRender): SavedRender {
    this.#last += 1;
    return { id: this.#last, ...render };
  }

  /** The newest of a list. */
  #show(list: readonly SavedRender[]): void {
    let bytes = 0;
    let kept = 0;
    for (const { content } of [...list].reverse()) {
      bytes += content.size;
      if (kept > 0 && (kept === MAX_SAVED || bytes > MAX_SAVED_BYTES)) break;
      kept += 1;
    }
    this.list.value = list.slice(list.length - kept);
    for (const side of Object.values(this.sides)) {
      if (side.value !== null && !this.list.value.includes(side.value)) side.value = null;
    }
  }
}

/** Whether browsers can show it. */
export function isShowable({ content }: StoredRender): boolean {
  return content.type !== "image/x-exr";
}
