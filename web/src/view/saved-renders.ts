import { type Signal, signal } from "@preact/signals";

/** A path-traced picture that the user saved for comparison. */
export interface SavedRender {
  /** Unique on this page. */
  id: number;
  /** Its label. */
  name: string;
  image: ImageBitmap;
}

/** More are dropped; a large one takes three megabytes. */
const MAX_SAVED = 8;

/** Saved renders, on this page only, the newest last; one of them may be shown left of the wipe divider. */
export class SavedRenders {
  readonly list: Signal<readonly SavedRender[]> = signal([]);
  /** The one that is compared with; null for the raster. */
  readonly chosen: Signal<SavedRender | null> = signal(null);
  #last = 0;

  /** Saves a picture and compares with it; the oldest is dropped. */
  save(image: ImageBitmap, name: string): void {
    this.#last += 1;
    const saved = { id: this.#last, name, image };
    const list = [...this.list.value, saved];
    for (const { image } of list.slice(0, -MAX_SAVED)) image.close();
    this.list.value = list.slice(-MAX_SAVED);
    this.chosen.value = saved;
  }

  /** Compares with the picture of an id, or with the raster where there is none. */
  choose(id: number): void {
    this.chosen.value = this.list.value.find((saved) => saved.id === id) ?? null;
  }

  clear(): void {
    this.chosen.value = null;
    for (const { image } of this.list.value) image.close();
    this.list.value = [];
  }
}
