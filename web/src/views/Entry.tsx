import { Component } from "preact";
import type { ShownEntry } from "../chat";
import type { NoticeEntry } from "../protocol";
import { unreachable } from "../unreachable";
import { ChangeSummary } from "./ChangeLine";
import { Icon } from "./icons";
import { ModelMessage } from "./ModelMessage";
import { ToolCard } from "./ToolCard";

interface EntryProps {
  entry: ShownEntry;
  streaming: boolean;
}

/** One entry of the chat. Entries never change in place, so an old one is not drawn again. */
export class Entry extends Component<EntryProps> {
  override shouldComponentUpdate(next: EntryProps): boolean {
    return next.entry !== this.props.entry || next.streaming !== this.props.streaming;
  }

  override render({ entry, streaming }: EntryProps) {
    switch (entry.kind) {
      case "user":
        return (
          <div class="message-user" data-testid="message-user">
            {entry.text}
          </div>
        );
      case "model":
        return <ModelMessage entry={entry} streaming={streaming} />;
      case "tool":
        return <ToolCard entry={entry} />;
      case "notice":
        return <Notice entry={entry} />;
      case "changed":
        return <ChangeSummary by={entry.by} changes={entry.changes} />;
      default:
        return unreachable(entry);
    }
  }
}

function Notice({ entry }: { entry: NoticeEntry }) {
  const isError = entry.is_error === true;
  return (
    <div class={isError ? "notice notice-error" : "notice"} data-testid="notice">
      {isError && <Icon name="alert" />}
      <span>{entry.text}</span>
    </div>
  );
}
