import { type Signal, signal } from "@preact/signals";

/** A traced picture that a person kept to compare others with. */
export interface KeptPicture {
  /** Unique on this page. */
  id: number;
  /** What it shows, in words. */
  name: string;
  image: ImageBitmap;
}

/** So many are kept; a large one takes three megabytes. */
const MOST_KEPT = 8;

/** Pictures of before, on this page alone, the newest last; one of them may stand left of the wipe's line. */
export class KeptPictures {
  readonly list: Signal<readonly KeptPicture[]> = signal([]);
  /** The one that is compared with; null for the raster. */
  readonly chosen: Signal<KeptPicture | null> = signal(null);
  #last = 0;

  /** Keeps a picture and compares with it; the oldest makes room. */
  keep(image: ImageBitmap, name: string): void {
    this.#last += 1;
    const kept = { id: this.#last, name, image };
    const list = [...this.list.value, kept];
    for (const { image } of list.slice(0, -MOST_KEPT)) image.close();
    this.list.value = list.slice(-MOST_KEPT);
    this.chosen.value = kept;
  }

  /** Compares with the picture of an id, or with the raster where there is none. */
  choose(id: number): void {
    this.chosen.value = this.list.value.find((kept) => kept.id === id) ?? null;
  }

  clear(): void {
    this.chosen.value = null;
    for (const { image } of this.list.value) image.close();
    this.list.value = [];
  }
}
