import { Component } from "preact";
import type { BranchSwitch } from "../../chat/branches";
import type { ShownEntry } from "../../chat/entries";
import type { NoticeEntry } from "../../protocol";
import { unreachable } from "../../unreachable";
import { Icon } from "../common/icons";
import { ChangeSummary } from "./ChangeLine";
import { ModelMessage } from "./messages/ModelMessage";
import { UserMessage } from "./messages/UserMessage";
import { ToolCard } from "./ToolCard";

interface EntryProps {
  entry: ShownEntry;
  streaming: boolean;
  /** Where the conversation parts at this entry. */
  fork: BranchSwitch | undefined;
}

/** One entry of the chat. Entries never change in place, so an old one is not drawn again. */
export class Entry extends Component<EntryProps> {
  override shouldComponentUpdate(next: EntryProps): boolean {
    const { entry, streaming, fork } = this.props;
    return next.entry !== entry || next.streaming !== streaming || next.fork !== fork;
  }

  override render({ entry, streaming, fork }: EntryProps) {
    switch (entry.kind) {
      case "user":
        return <UserMessage entry={entry} fork={fork} />;
      case "model":
        return <ModelMessage entry={entry} streaming={streaming} />;
      case "tool":
        return <ToolCard entry={entry} />;
      case "notice":
        return <Notice entry={entry} />;
      case "changed":
        return <ChangeSummary {...entry} />;
      default:
        return unreachable(entry);
    }
  }
}

function Notice({ entry }: { entry: NoticeEntry }) {
  const isError = entry.is_error === true;
  return (
    <div class={isError ? "notice notice-error" : "notice"} data-testid="notice">
      {isError && <Icon name="triangleAlert" />}
      <span>{entry.text}</span>
    </div>
  );
}
