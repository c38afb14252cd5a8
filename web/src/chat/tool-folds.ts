import { toolStatus } from "./chat";
import type { Chat, ToolEntry } from "./entries";

/** Successive calls that are shown as one line. */
export interface Fold {
  /** Names the row: the id of its first call. */
  key: string;
  /** What it stands for, by index in the chat, in order. */
  calls: readonly number[];
  /** How often each tool was called, most first. */
  tools: readonly (readonly [name: string, count: number])[];
  /** Whether it is the whole way to an answer, and its calls are told by name. */
  isWhole?: true;
}

/** Rows of more calls than this are folded. */
const MAX_ROW_CALLS = 10;
/** So many of its first stay. */
const LEADING_CALLS = 4;

/** The long rows of calls in a chat. What failed, what still runs and the newest call of a row are never folded. */
export function toolFolds(chat: Chat): Fold[] {
  const folds: Fold[] = [];
  let start = 0;
  while (start < chat.length) {
    let end = start;
    while (chat[end]?.kind === "tool") end += 1;
    if (end - start > MAX_ROW_CALLS) {
      const inner = Array.from(
        { length: end - start - LEADING_CALLS - 1 },
        (_, at) => start + LEADING_CALLS + at,
      );
      const calls = inner.filter((index) => toolStatus(chat[index] as ToolEntry) === "ok");
      const key = (chat[start] as ToolEntry).call_id;
      if (calls.length > 0)
        folds.push({ key, calls, tools: countsOf(calls.map((index) => chat[index] as ToolEntry)) });
    }
    start = Math.max(end, start + 1);
  }
  return folds;
}

function countsOf(calls: readonly ToolEntry[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
