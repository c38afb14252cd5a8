import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Panels } from "../panels";
import { useStudio } from "../studio/studio";
import { IconButton } from "./common/IconButton";
import { Inspector } from "./inspector/Inspector";
import { AddMenu } from "./outliner/AddMenu";
import { Outliner } from "./outliner/Outliner";

/** How long what the model changed stays marked. */
const MARK_DURATION_MS = 4_000;

/** What the scene is made of, and the properties of what is selected. */
export function DocumentPanel({ panels }: { panels: Panels }) {
  const studio = useStudio();
  const { editor } = studio;
  const { keys, serial } = useComputed(() => editor.document.value.marks).value;
  const canEdit = useComputed(() => studio.state.value.access === "edit").value;
  const offline = useComputed(() => !editor.editable.value).value;
  const nothing = useComputed(() => editor.selectedIds().length === 0).value;
  useEffect(() => {
    if (keys.size === 0) return;
    const timer = setTimeout(() => editor.clearMarks(serial), MARK_DURATION_MS);
    return () => clearTimeout(timer);
  }, [editor, serial, keys]);
  return (
    <aside class="document" aria-label="Document" data-testid="document">
      <section class="outliner" aria-label="Scene">
        <header class="panel-header">
          <h2>Scene</h2>
          {canEdit && (
            <>
              <IconButton
                icon="copy"
                label="Duplicate (Ctrl+D)"
                testId="duplicate"
                disabled={offline || nothing}
                onClick={() => editor.duplicateSelected()}
              />
              <IconButton
                icon="trash"
                label="Delete (Del)"
                testId="remove"
                disabled={offline || nothing}
                onClick={() => editor.removeSelected()}
              />
              <AddMenu panels={panels} disabled={offline} />
            </>
          )}
        </header>
        <Outliner panels={panels} />
        {/* Below the list: its rows stay under the pointer. */}
        <HiddenNote />
      </section>
      <Inspector />
    </aside>
  );
}

/** Objects are hidden on this page only: the note says why other pictures still show them. */
function HiddenNote() {
  const { editor } = useStudio();
  const scene = useComputed(() => editor.scene.value).value;
  const hidden = editor.hidden.value;
  const count = [...scene.shapes, ...scene.lights].filter(({ id }) => hidden.has(id)).length;
  if (count === 0) return null;
  return (
    <p class="hidden-note" data-testid="hidden-note">
      {count} hidden on this page only. The model, other users and downloads still include{" "}
      {count === 1 ? "it" : "them"}.{" "}
      <button type="button" class="link" onClick={() => editor.showAll()}>
        Show all
      </button>
    </p>
  );
}
