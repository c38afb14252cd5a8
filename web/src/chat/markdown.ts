import { Marked } from "marked";

const marked = new Marked({ gfm: true, breaks: true });

/** Markdown text cut into its top-level blocks, so that a stream re-parses only the last one. */
export interface MarkdownBlocks {
  /** HTML of blocks that more text can no longer change. Not sanitized. */
  closed: readonly string[];
  /** HTML of the block that may still grow. Not sanitized. */
  open: string;
  /** Length of the text that `closed` stands for. */
  closedLength: number;
  text: string;
}

export const noBlocks: MarkdownBlocks = { closed: [], open: "", closedLength: 0, text: "" };

/** The blocks of `text`; `before` saves work when `text` only adds to it. */
export function advanceBlocks(before: MarkdownBlocks, text: string): MarkdownBlocks {
  if (text === before.text) return before;
  const base = text.startsWith(before.text) ? before : noBlocks;
  const tokens = marked.lexer(text.slice(base.closedLength));
  const lastIndex = tokens.findLastIndex((token) => token.type !== "space");
  const closed = [...base.closed];
  let closedLength = base.closedLength;
  for (const token of tokens.slice(0, Math.max(0, lastIndex))) {
    closedLength += token.raw.length;
    if (token.type !== "space") closed.push(marked.parser([token]));
  }
  return { closed, open: marked.parser(tokens.slice(Math.max(0, lastIndex))), closedLength, text };
}
