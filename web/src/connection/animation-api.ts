import type { Http } from "./http";

export const ANIMATION_FORMATS = ["webp", "gif", "zip"] as const;
export type AnimationFormat = (typeof ANIMATION_FORMATS)[number];

/** How an animation is rendered. */
export interface AnimationSettings {
  format: AnimationFormat;
  /** Frames a second. */
  fps: number;
  /** Pixels. */
  width: number;
  height: number;
  /** Of each pixel. */
  samples: number;
  /** For which share of the time of a frame the shutter is open; 0 without motion blur. */
  shutter: number;
}

/** How far the rendering is after a frame. */
export interface AnimationFrame {
  done: number;
  frames: number;
  secondsLeft: number;
  picture: Blob;
}

/** A line of what the server sends before the file. */
type Line =
  | { type: "frame"; done: number; frames: number; seconds_left: number; picture: string }
  | { type: "file"; bytes: number; mime_type: string }
  | { type: "error"; detail: string };

const NEWLINE = 10;
const BROKEN = "the connection was lost before the file had come";

/** An animation as a file: lines of JSON tell of each frame, the file follows them. `signal` ends the work. */
export async function renderAnimation(
  http: Http,
  address: URL,
  onFrame: (frame: AnimationFrame) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const wanted = { accept: "application/x-ndjson" };
  const { body } = await http.request("GET", address, undefined, { wanted, signal });
  if (body === null) throw new Error(BROKEN);
  const reader = body.getReader();
  let rest = new Uint8Array();
  for (;;) {
    const end = rest.indexOf(NEWLINE);
    if (end === -1) {
      const { done, value } = await reader.read();
      if (done) throw new Error(BROKEN);
      rest = joined([rest, value]);
      continue;
    }
    const line = JSON.parse(new TextDecoder().decode(rest.subarray(0, end))) as Line;
    rest = rest.slice(end + 1);
    if (line.type === "error") throw new Error(line.detail);
    if (line.type === "file") return readFile(reader, rest, line);
    const { done, frames, seconds_left: secondsLeft } = line;
    onFrame({ done, frames, secondsLeft, picture: pictureOf(line.picture) });
  }
}

async function readFile(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  begun: Uint8Array,
  { bytes, mime_type: type }: { bytes: number; mime_type: string },
): Promise<Blob> {
  const parts = [begun];
  let length = begun.length;
  while (length < bytes) {
    const { done, value } = await reader.read();
    if (done) throw new Error(BROKEN);
    parts.push(value);
    length += value.length;
  }
  return new Blob([joined(parts).subarray(0, bytes)], { type });
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function pictureOf(base64: string): Blob {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Blob([bytes], { type: "image/jpeg" });
}
