import { useComputed } from "@preact/signals";
import { useStudio } from "../../studio";
import { Icon } from "../icons";

/** More chips than this are folded into a number. */
const MOST_CHIPS = 6;

/** What the next message is about. */
export function SelectionChips() {
  const { editor } = useStudio();
  const ids = useComputed(() => editor.selectedIds()).value;
  if (ids.length === 0) return null;
  return (
    <ul class="chips" aria-label="Selected, sent with the message" data-testid="chips">
      {ids.slice(0, MOST_CHIPS).map((id) => (
        <li key={id} class="chip">
          <span class="chip-name">{id}</span>
          <button
            type="button"
            class="chip-remove"
            aria-label={`Deselect ${id}`}
            title="Deselect"
            onClick={() => editor.select(editor.selection.value.filter((key) => key !== id))}
          >
            <Icon name="cross" />
          </button>
        </li>
      ))}
      {ids.length > MOST_CHIPS && <li class="chip chip-more numeric">+{ids.length - MOST_CHIPS}</li>}
    </ul>
  );
}
