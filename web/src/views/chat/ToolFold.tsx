import type { Fold } from "../../chat/tool-folds";
import { toolTitle } from "../../chat/tool-summary";
import { Icon } from "../common/icons";

interface ToolFoldProps {
  fold: Fold;
  open: boolean;
  onToggle: () => void;
}

/** Stands for many calls in a row, and shows them all when pressed. */
export function ToolFold({ fold: { calls, tools }, open, onToggle }: ToolFoldProps) {
  const summary = tools.map(([name, count]) => `${toolTitle(name)} × ${count}`).join(", ");
  return (
    <button
      type="button"
      class="tool tool-fold"
      aria-expanded={open}
      data-testid="tool-fold"
      onClick={onToggle}
    >
      <span class="tool-fold-sign">
        <Icon name="chevronRight" />
      </span>
      <span>{open ? "Show fewer calls" : `${calls.length} more calls`}</span>
      {!open && <span class="tool-fold-tools">{summary}</span>}
    </button>
  );
}
