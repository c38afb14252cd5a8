/** A name that is being typed after an @. */
export interface OpenMention {
  /** Where its @ stands. */
  start: number;
  /** What was typed of it so far. */
  query: string;
}

/** What may stand before an @ that begins a name: an address such as me@example.org has none. */
const BEFORE_MENTION = /[\s([{"'“‘,;:/]$/;
/** More names than this do not help to choose. */
const MAX_MATCHES = 8;

/** The mention that the caret is in, if any. */
export function openMention(text: string, caret: number): OpenMention | null {
  const start = caret === 0 ? -1 : text.lastIndexOf("@", caret - 1);
  if (start === -1 || (start > 0 && !BEFORE_MENTION.test(text.slice(0, start)))) return null;
  const query = text.slice(start + 1, caret);
  return /\s/.test(query) ? null : { start, query };
}

/** The names that fit best: those that begin so, then those in which a word begins so, then the others. */
export function matchingNames(query: string, names: Iterable<string>): string[] {
  const wanted = query.toLowerCase();
  const ranked = [...names].flatMap((name) => {
    const at = name.toLowerCase().indexOf(wanted);
    if (at === -1) return [];
    const beginsWord = at > 0 && /[_\s\-.]/.test(name[at - 1] ?? "");
    return [{ name, rank: at === 0 ? 0 : beginsWord ? 1 : 2 }];
  });
  ranked.sort((a, b) => a.rank - b.rank || a.name.localeCompare(b.name, undefined, { numeric: true }));
  return ranked.slice(0, MAX_MATCHES).map(({ name }) => name);
}

/** The text with `name` in place of what was typed of it, and where the caret is then. */
export function complete(
  text: string,
  { start, query }: OpenMention,
  name: string,
): { text: string; caret: number } {
  const rest = text.slice(start + 1 + query.length);
  const gap = rest.startsWith(" ") ? "" : " ";
  const before = `${text.slice(0, start)}@${name}${gap}`;
  return { text: before + rest, caret: before.length + (gap === "" ? 1 : 0) };
}

/** A piece of a message: words, or a name with its @. */
export type MessagePart = { kind: "words"; text: string } | { kind: "mention"; name: string };

/** The text cut where it mentions one of `names`; of names that begin alike the longest counts. */
export function splitMentions(text: string, names: ReadonlySet<string>): MessagePart[] {
  const pieces: MessagePart[] = [];
  const longestFirst = [...names].sort((a, b) => b.length - a.length);
  let from = 0;
  const say = (end: number) => {
    if (end > from) pieces.push({ kind: "words", text: text.slice(from, end) });
  };
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", Math.max(from, at + 1))) {
    if (at > 0 && !BEFORE_MENTION.test(text.slice(0, at))) continue;
    const name = longestFirst.find(
      (each) => text.startsWith(each, at + 1) && isWholeName(text, at + 1, each),
    );
    if (name === undefined) continue;
    say(at);
    pieces.push({ kind: "mention", name });
    from = at + 1 + name.length;
  }
  say(text.length);
  return pieces;
}

/** Whether the name is not merely the beginning of a longer word. */
function isWholeName(text: string, start: number, name: string): boolean {
  return !/^[\p{L}\p{N}_]/u.test(text.slice(start + name.length));
}

/** The names that a text mentions, in order, each once. */
export function mentionedNames(text: string, names: ReadonlySet<string>): string[] {
  const found = splitMentions(text, names).flatMap((piece) => (piece.kind === "mention" ? [piece.name] : []));
  return [...new Set(found)];
}
