import type { ModelEntry } from "../../../protocol";
import { Icon } from "../../common/icons";
import { Markdown } from "./Markdown";

export function ModelMessage({ entry, streaming }: { entry: ModelEntry; streaming: boolean }) {
  const thinking = streaming && entry.text === "";
  return (
    <div class="message-model" data-testid="message-model">
      {entry.thought !== undefined && (
        <details class="thought">
          <summary>
            <Icon name="chevronRight" />
            {thinking ? <span class="shimmer">Thinking…</span> : "Thoughts"}
          </summary>
          <Markdown text={entry.thought} />
        </details>
      )}
      {entry.text !== "" && <Markdown text={entry.text} />}
    </div>
  );
}
