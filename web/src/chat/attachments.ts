import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ImageAttachment } from "../protocol";

/** A picture that goes with a message. */
export interface Attachment {
  /** Unique in the page. */
  id: number;
  name: string;
  mime_type: string;
  /** The file in base64. */
  data: string;
  width: number;
  height: number;
}

/** What every server takes. */
const ACCEPTED_TYPES = ["image/png", "image/jpeg", "image/webp"];
/** Pixels of the longer side: no model looks closer. */
const MAX_SIDE_PX = 1568;
/** A larger file is compressed again, so that eight of them fit into a message. */
const MAX_BYTES = 350_000;

/** The pictures of the message that is being written. */
export class Attachments {
  readonly list: ReadonlySignal<readonly Attachment[]>;
  /** How many are still being read. */
  readonly reading: Signal<number> = signal(0);
  readonly #list = signal<readonly Attachment[]>([]);

  constructor(private readonly onError: (text: string) => void) {
    this.list = this.#list;
  }

  /** Adds images, up to `most` in all; reports those that cannot be used. */
  async add(files: readonly File[], most: number): Promise<void> {
    const room = most - this.#list.value.length - this.reading.value;
    if (files.length > room) this.onError(`A message may have at most ${most} pictures.`);
    const taken = files.slice(0, Math.max(0, room));
    this.reading.value += taken.length;
    for (const file of taken) {
      try {
        const attachment = await createAttachment(file, file.name);
        this.#list.value = [...this.#list.value, attachment];
      } catch {
        this.onError(`${file.name || "The picture"} cannot be read as an image.`);
      }
      this.reading.value -= 1;
    }
  }

  remove(id: number): void {
    this.#list.value = this.#list.value.filter((attachment) => attachment.id !== id);
  }

  /** Gives pictures back into the message that is being written. */
  putBack(attachments: readonly Attachment[]): void {
    this.#list.value = [...this.#list.value, ...attachments];
  }

  clear(): void {
    this.#list.value = [];
  }
}

let lastId = 0;

/** A file as what goes on the wire: as it is when it is small, else smaller. */
export async function createAttachment(file: Blob, name: string): Promise<Attachment> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const fits = scale === 1 && file.size <= MAX_BYTES && ACCEPTED_TYPES.includes(file.type);
  const content = fits ? file : await resizeImage(bitmap, width, height);
  bitmap.close();
  lastId += 1;
  return { id: lastId, name, mime_type: content.type, data: await toBase64(content), width, height };
}

async function resizeImage(bitmap: ImageBitmap, width: number, height: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("there is no canvas to draw on");
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas.convertToBlob({ type: "image/webp", quality: 0.85 });
}

async function toBase64(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  let binary = "";
  // In pieces: a call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

/** The picture as an address that an image can show. */
export function dataUrl({ mime_type, data }: Attachment): string {
  return `data:${mime_type};base64,${data}`;
}

/** What goes on the wire. */
export function toWireFormat(attachments: readonly Attachment[]): ImageAttachment[] {
  return attachments.map(({ mime_type, data }) => ({ mime_type, data }));
}
