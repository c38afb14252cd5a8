import { delegates, toolStatus } from "./chat";
import type { Chat, ShownEntry, ToolEntry } from "./entries";
import type { Fold } from "./tool-folds";

/** Words between two calls that are longer than this say something of their own. */
const MAX_WORDS_LENGTH = 80;
/** A call by itself is as short as the line that would stand for it. */
const MIN_CALLS = 2;

/**
 * The way to each answer that has come, as one line: calls that all went well, with the few words said in between, such
 * as "I'll look at the scene first". What a run of many words, failures or sub-agents did stays as it is.
 */
export function stepFolds(chat: Chat, running: boolean): Fold[] {
  const folds: Fold[] = [];
  let end = chat.length;
  for (let index = chat.length - 1; index >= 0; index -= 1) {
    if (chat[index]?.kind !== "user") continue;
    const fold = running && end === chat.length ? null : foldOf(chat, index + 1, end);
    if (fold !== null) folds.unshift(fold);
    end = index;
  }
  return folds;
}

function foldOf(chat: Chat, start: number, end: number): Fold | null {
  const entries = chat.slice(start, end);
  const lastCall = entries.findLastIndex(({ kind }) => kind === "tool");
  const answer = entries[lastCall + 1];
  const steps = entries.slice(0, lastCall + 1);
  if (answer?.kind !== "model" || answer.text === "" || !steps.every(isStep)) return null;
  const calls = steps.filter((entry): entry is ToolEntry => entry.kind === "tool");
  if (calls.length < MIN_CALLS || calls.length === steps.length) return null;
  return {
    key: `steps-${calls[0]?.call_id}`,
    calls: steps.map((_, at) => start + at),
    tools: calls.map(({ name }) => [name, 1] as const),
    isWhole: true,
  };
}

function isStep(entry: ShownEntry): boolean {
  if (entry.kind === "model") return entry.text.length <= MAX_WORDS_LENGTH && entry.thought === undefined;
  return (
    entry.kind === "tool" &&
    toolStatus(entry) === "ok" &&
    entry.parent_call_id === undefined &&
    !delegates(entry)
  );
}
