import type { Chat } from "./entries";

/** Lines of changes by hand that follow each other, and are shown as one, by index in the chat: from `start` to before `end`. */
export interface HandWork {
  start: number;
  end: number;
}

/** As few lines as this tell more by themselves. */
const MIN_LINES = 3;

/** Changes, what was undone of them and what was redone are a line each: the rows of such lines that are long. */
export function handWork(chat: Chat): HandWork[] {
  const found: HandWork[] = [];
  let start = 0;
  while (start < chat.length) {
    let end = start;
    while (isByHand(chat, end)) end += 1;
    if (end - start >= MIN_LINES) found.push({ start, end });
    start = Math.max(end, start + 1);
  }
  return found;
}

function isByHand(chat: Chat, index: number): boolean {
  const entry = chat[index];
  return entry?.kind === "changed" && entry.by === "user";
}
