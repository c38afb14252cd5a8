import type { SceneChange } from "../protocol";
import type { Chat, ShownEntry } from "./entries";

/** What one of the user's messages led to. */
export interface TurnResult {
  /** One for each object that differs from what it was before the message. */
  changes: SceneChange[];
  /** How many more changes there were, which the chat does not keep. */
  leftOut: number;
  /** The scene's revision after the last of them. */
  revision: number;
  /** The message. */
  request: string;
}

/**
 * What the model did to the scene from one of the user's messages to the next, by the index of the last
 * entry of that. What still goes on is left out, and so is what changed nothing.
 */
export function turnResults(chat: Chat, running: boolean): Map<number, TurnResult> {
  const results = new Map<number, TurnResult>();
  let end = chat.length;
  for (let index = chat.length - 1; index >= 0; index -= 1) {
    const message = chat[index];
    if (message?.kind !== "user") continue;
    const ongoing = running && end === chat.length;
    if (!ongoing) {
      const entries = chat.slice(index + 1, end);
      const result = turnResult(message.text, entries);
      // The user's own changes after the run have lines of their own and stay below.
      const last = index + 1 + entries.findLastIndex((entry) => !isByUser(entry));
      if (result !== null) results.set(last, result);
    }
    end = index;
  }
  return results;
}

function turnResult(request: string, entries: readonly ShownEntry[]): TurnResult | null {
  const byModel = entries.flatMap((entry) =>
    (entry.kind === "tool" || (entry.kind === "changed" && !isByUser(entry))) && entry.changes !== undefined
      ? [entry]
      : [],
  );
  const changes = netChanges(byModel.flatMap((entry) => entry.changes ?? []));
  const revision = byModel.at(-1)?.revision;
  const leftOut = byModel.reduce((sum, entry) => sum + leftOutOf(entry), 0);
  return changes.length === 0 || revision === undefined ? null : { changes, leftOut, revision, request };
}

function leftOutOf(entry: ShownEntry): number {
  return entry.kind === "tool" || entry.kind === "changed" ? (entry.left_out ?? 0) : 0;
}

function isByUser(entry: ShownEntry): boolean {
  return entry.kind === "changed" && entry.by === "user";
}

/** One change for each object: what is different at the end. What came and went again is left out. */
export function netChanges(changes: readonly SceneChange[]): SceneChange[] {
  const byObject = new Map<string, SceneChange>();
  for (const change of changes) {
    const object = `${change.kind} ${change.id ?? ""}`;
    const earlier = byObject.get(object);
    const existedBefore = (earlier ?? change).op !== "create";
    const existsNow = change.op !== "remove";
    if (!existedBefore && !existsNow) byObject.delete(object);
    else {
      const op = !existedBefore ? "create" : existsNow ? "update" : "remove";
      byObject.set(object, { ...change, op, before: (earlier ?? change).before });
    }
  }
  return [...byObject.values()];
}

const MAX_QUOTED = 40;

/** A message as the name of what it led to. */
export function quoted(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  return `“${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED - 1).trimEnd()}…` : line}”`;
}
