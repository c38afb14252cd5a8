import type { Fold } from "../tool-folds";
import { Icon } from "./icons";

interface ToolFoldProps {
  fold: Fold;
  open: boolean;
  onToggle: () => void;
}

/** Stands for many calls in a row, and shows them all when pressed. */
export function ToolFold({ fold: { calls, tools }, open, onToggle }: ToolFoldProps) {
  const told = tools.map(([name, count]) => `${name} × ${count}`).join(", ");
  return (
    <button
      type="button"
      class="tool tool-fold"
      aria-expanded={open}
      data-testid="tool-fold"
      onClick={onToggle}
    >
      <span class="tool-fold-sign">
        <Icon name="chevron" />
      </span>
      <span>{open ? "Fewer calls" : `${calls.length} more calls`}</span>
      {!open && <span class="tool-fold-tools">{told}</span>}
    </button>
  );
}
