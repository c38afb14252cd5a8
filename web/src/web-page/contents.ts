import type { Moments } from "../document/motion/moments";
import type { Properties, SceneDocument } from "../document/scene";
import type { Bookmark } from "../protocol";

/** What the script of a downloaded web page shows: it stands in the page as JSON. */
export interface WebPageContents {
  scene: SceneDocument;
  /** From where it is seen first; null for the scene's camera. */
  camera: Properties | null;
  bookmarks: readonly Bookmark[];
  /** Of the animation; null where nothing is animated. */
  moments: Moments | null;
  /** Of the shapes that a page cannot tessellate itself. */
  meshes: readonly PackedMesh[];
  /** What the `body` of a mesh counts from 0, by base64. */
  bodies: readonly string[];
  /** Pictures of surfaces and of the environment: their assets, and their data as URLs. */
  pictures: readonly (readonly [asset: string, url: string])[];
}

/** The triangles of a shape as the server sends them, cut in two: many shapes have the same numbers. */
export interface PackedMesh {
  shape: string;
  header: string;
  body: number;
}

/** The element with the contents. */
export const CONTENTS_ID = "contents";

/** Where the header of a mesh ends, see `docs/protocol.md`. */
export function splitMesh(bytes: ArrayBuffer): { header: string; body: ArrayBuffer } {
  const end = 4 + new DataView(bytes).getUint32(0, true);
  return { header: new TextDecoder().decode(bytes.slice(4, end)), body: bytes.slice(end) };
}

/** The same as one piece again. */
export function joinMesh(header: string, body: Uint8Array): ArrayBuffer {
  const text = new TextEncoder().encode(header);
  const bytes = new Uint8Array(4 + text.length + body.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  bytes.set(body, 4 + text.length);
  return bytes.buffer;
}

/** Calls with too many arguments fail. */
const PIECE = 8192;

export function toBase64(bytes: ArrayBuffer): string {
  const all = new Uint8Array(bytes);
  let text = "";
  for (let at = 0; at < all.length; at += PIECE) {
    text += String.fromCharCode(...all.subarray(at, at + PIECE));
  }
  return btoa(text);
}

export function fromBase64(encoded: string): Uint8Array {
  return Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
}
