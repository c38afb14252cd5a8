import { signal } from "@preact/signals";
import { loadPart } from "../../../loading";
import type { MarkdownBlocks } from "./MarkdownBlocks";

type Formatter = typeof MarkdownBlocks;

const formatter = signal<{ Blocks: Formatter } | null>(null);
let loading = false;

/** Loads what reads markdown; what could not be loaded is tried again the next time. */
export function loadMarkdown(): void {
  if (loading || formatter.peek() !== null) return;
  loading = true;
  loadPart(() => import("./MarkdownBlocks")).then(
    ({ MarkdownBlocks: Blocks }) => {
      formatter.value = { Blocks };
    },
    () => {
      loading = false;
    },
  );
}

/** Whether texts are shown with their form: they have another height then. */
export function hasMarkdown(): boolean {
  return formatter.value !== null;
}

/** A text that may still be streaming: as it was written, until what reads markdown is there. */
export function Markdown({ text }: { text: string }) {
  if (formatter.value === null) return <div class="markdown markdown-unread">{text}</div>;
  const { Blocks } = formatter.value;
  return (
    <div class="markdown">
      <Blocks text={text} />
    </div>
  );
}
