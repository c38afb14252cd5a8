import type { Chat } from "./entries";

/**
 * What files of a session are called after: its name. A session that nobody named is called as its first message; where
 * that changed nothing, as the first that did.
 */
export function workName(name: string, chat: Chat): string {
  const starts = chat.flatMap((entry, index) => (entry.kind === "user" ? [index] : []));
  const textAt = (index: number | undefined) => {
    const entry = index === undefined ? undefined : chat[index];
    return entry?.kind === "user" ? entry.text.replace(/\s+/g, " ").trim() : "";
  };
  const given = name.replace(/…$/, "").trim();
  if (given === "" || !textAt(starts[0]).startsWith(given)) return name;
  const first = starts.find((start, turn) => chat.slice(start + 1, starts[turn + 1]).some(changesScene));
  return first === undefined || first === starts[0] ? name : textAt(first);
}

function changesScene(entry: Chat[number]): boolean {
  return entry.kind === "tool" && (entry.changes?.length ?? 0) > 0;
}
