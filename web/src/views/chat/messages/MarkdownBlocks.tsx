import { Component } from "preact";
import { useRef } from "preact/hooks";
import { advanceBlocks, noBlocks } from "../../../chat/markdown";
import { sanitize } from "../../../chat/sanitize";

/** Markdown that may still be streaming: only its last block is parsed and drawn again. */
export function MarkdownBlocks({ text }: { text: string }) {
  const blocks = useRef(noBlocks);
  blocks.current = advanceBlocks(blocks.current, text);
  const { closed, open } = blocks.current;
  return (
    <>
      {[...closed, open].map((html, index) => (
        <Block key={index} html={html} />
      ))}
    </>
  );
}

class Block extends Component<{ html: string }> {
  override shouldComponentUpdate(next: { html: string }): boolean {
    return next.html !== this.props.html;
  }

  override render({ html }: { html: string }) {
    // The one place where HTML enters the page: sanitized right here.
    return <div class="markdown-block" dangerouslySetInnerHTML={{ __html: sanitize(html) }} />;
  }
}
