import type { PreviewHeader, ServerMessage } from "./index";

/** All message types this page understands; the compiler keeps it complete. */
const KNOWN: Record<ServerMessage["type"], true> = {
  welcome: true,
  user_message: true,
  turn_started: true,
  text_delta: true,
  tool_started: true,
  tool_finished: true,
  scene_changed: true,
  run_finished: true,
  branch_selected: true,
  session_named: true,
  bookmarks_changed: true,
  approval_needed: true,
  retrying: true,
  text_discarded: true,
  model_selected: true,
  goal_changed: true,
  error: true,
  progress: true,
  render_progress: true,
  picked: true,
  unchanged: true,
  pong: true,
  presence: true,
};

export type Decoded =
  | { kind: "message"; message: ServerMessage }
  /** A type from a newer server. Its `seq` still counts. */
  | { kind: "unknown"; seq: number | null }
  | { kind: "malformed" };

/** Reads one text frame. */
export function decodeMessage(text: string): Decoded {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "malformed" };
  }
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string") {
    return { kind: "malformed" };
  }
  if (Object.hasOwn(KNOWN, value.type)) {
    return { kind: "message", message: value as ServerMessage };
  }
  return { kind: "unknown", seq: "seq" in value && typeof value.seq === "number" ? value.seq : null };
}

export interface PreviewFrame {
  header: PreviewHeader;
  image: Uint8Array<ArrayBuffer>;
}

/** Reads one binary frame: 4 bytes little-endian length N, N bytes of JSON header, the encoded image. */
export function decodePreviewFrame(frame: ArrayBuffer): PreviewFrame | null {
  if (frame.byteLength < 4) return null;
  const headerLength = new DataView(frame).getUint32(0, true);
  const imageStart = 4 + headerLength;
  if (imageStart >= frame.byteLength) return null;
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 4, headerLength)));
    if (!isPreviewHeader(header)) return null;
    return { header, image: new Uint8Array(frame, imageStart) };
  } catch {
    return null;
  }
}

function isPreviewHeader(value: unknown): value is PreviewHeader {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    value.type === "preview" &&
    "samples" in value &&
    "revision" in value &&
    "mime_type" in value
  );
}
