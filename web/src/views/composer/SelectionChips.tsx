import { useComputed } from "@preact/signals";
import { MAX_NAMED } from "../../document/subject";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";

/** More chips than this are folded into a number. */
const MAX_CHIPS = 6;

/** What the next message is about. */
export function SelectionChips() {
  const { editor } = useStudio();
  const ids = useComputed(() => editor.selectedIds()).value;
  if (ids.length === 0) return null;
  return (
    <>
      <Chips ids={ids} />
      <TooManyNote />
    </>
  );
}

function Chips({ ids }: { ids: readonly string[] }) {
  const { editor } = useStudio();
  return (
    <ul class="chips" aria-label="Selected, sent with the message" data-testid="chips">
      {ids.slice(0, MAX_CHIPS).map((id) => (
        <li key={id} class="chip">
          <span class="chip-name">{id}</span>
          <button
            type="button"
            class="chip-remove"
            aria-label={`Deselect ${id}`}
            title="Deselect"
            onClick={() => editor.select(editor.selection.value.filter((key) => key !== id))}
          >
            <Icon name="x" />
          </button>
        </li>
      ))}
      {ids.length > MAX_CHIPS && <li class="chip chip-more numeric">+{ids.length - MAX_CHIPS}</li>}
    </ul>
  );
}

/** A message that names only some of what is selected would change something else than what is meant. */
function TooManyNote() {
  const { editor } = useStudio();
  const count = useComputed(() => editor.namedIds().length).value;
  return (
    <div role="status" class="composer-note" data-testid="selection-note">
      {count > MAX_NAMED && (
        <>
          {count} selected; a message can name {MAX_NAMED}.{" "}
          <button
            type="button"
            class="link"
            disabled={!editor.editable.value}
            onClick={() => editor.groupSelected()}
          >
            Group them
          </button>{" "}
          or{" "}
          <button type="button" class="link" onClick={() => editor.select([])}>
            deselect
          </button>{" "}
          to send.
        </>
      )}
    </div>
  );
}
