import { useComputed } from "@preact/signals";
import { useStudio } from "../../studio/studio";

/** What can be done with what is selected as a whole. */
export function GroupTools() {
  const { editor } = useStudio();
  const disabled = !useComputed(() => editor.editable.value).value;
  const hasGroup = useComputed(() => editor.hasGroupSelected()).value;
  const count = useComputed(() => editor.selection.value.length).value;
  return (
    <div class="group-tools">
      {count > 1 && (
        <button
          type="button"
          class="button button-small"
          title="Ctrl+G"
          disabled={disabled}
          onClick={() => editor.groupSelected()}
        >
          Group
        </button>
      )}
      {hasGroup && (
        <button
          type="button"
          class="button button-small"
          title="Ctrl+Shift+G; what is in it stays"
          disabled={disabled}
          onClick={() => editor.ungroupSelected()}
        >
          Ungroup
        </button>
      )}
    </div>
  );
}
