import type { Fold } from "../../chat/tool-folds";
import { toolTitle } from "../../chat/tool-summary";
import { Icon } from "../common/icons";

interface ToolFoldProps {
  fold: Fold;
  open: boolean;
  onToggle: () => void;
}

/** Stands for many calls in a row, and shows them all when pressed. */
export function ToolFold({ fold: { calls, tools, isWhole }, open, onToggle }: ToolFoldProps) {
  const names = tools.map(([name, count]) =>
    count > 1 || !isWhole ? `${toolTitle(name)} × ${count}` : toolTitle(name),
  );
  const more = isWhole ? `${tools.length} steps` : `${calls.length} more calls`;
  const fewer = isWhole ? "Hide the steps" : "Show fewer calls";
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
      <span>{open ? fewer : more}</span>
      {!open && <span class="tool-fold-tools">{names.join(", ")}</span>}
    </button>
  );
}
