import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ImportChoice, PendingImport } from "../files/file-opener";
import { contentOfScene } from "../files/import-picture";
import { canImportAsMesh, type MeshPlacing } from "../files/scene-files";
import { useStudio } from "../studio/studio";
import { Dialog } from "./common/Dialog";
import { IconButton } from "./common/IconButton";
import { PlacingFields, UNITS } from "./PlacingFields";

/** Asks what becomes of the scene of another program, and tells what of it was left out. */
export function ImportDialog() {
  const { fileOpener } = useStudio();
  const pendingImport = fileOpener.pendingImport.value;
  if (pendingImport === null) return null;
  const { file, phase } = pendingImport;
  return (
    <Dialog
      label={phase === "done" ? `${file.name} was opened` : `Open ${file.name}`}
      class="sheet import-dialog"
      testId="import-dialog"
      onClose={() => void fileOpener.dismiss()}
    >
      <header class="sheet-header">
        <h2>{file.name}</h2>
        {phase !== "working" && (
          <IconButton icon="x" label="Close" onClick={() => void fileOpener.dismiss()} />
        )}
      </header>
      {phase === "asking" && <Question key={file.name} pendingImport={pendingImport} />}
      {phase === "working" && (
        <p class="import-text" role="status">
          <span class="spinner" /> Opening…
        </p>
      )}
      {phase === "done" && (
        <ImportNotes pendingImport={pendingImport} onSeen={() => void fileOpener.dismiss()} />
      )}
    </Dialog>
  );
}

/** What the file holds, how it is read, and what becomes of it. */
function Question({ pendingImport: { file, preview } }: { pendingImport: PendingImport }) {
  const { fileOpener } = useStudio();
  const placing = useSignal<MeshPlacing>({ up: "y", meters: 1 });
  const content = useMemo(() => (preview === null ? null : contentOfScene(preview)), [preview]);
  const { up, meters } = placing.value;
  const choose = (choice: ImportChoice) => () => void fileOpener.choose(choice, { up, meters: meters ?? 1 });
  return (
    <div class="placing-form">
      <PlacingFields content={content} placing={placing} units={UNITS} isFirst={false} />
      <Choice label="Add to the scene" isFirst onChoose={choose("add")}>
        As one group, with its materials and lights
      </Choice>
      {canImportAsMesh(file.name) && (
        <Choice label="Add as one mesh" onChoose={choose("fit")}>
          Gray, in front of the camera, half as high as the view
        </Choice>
      )}
      <Choice label="Replace the scene" onChoose={choose("replace")}>
        With its camera and environment; Undo restores the present scene
      </Choice>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  /** Whether it has the focus when the question comes. */
  isFirst?: boolean;
  children: string;
  onChoose: () => void;
}

function Choice({ label, isFirst = false, children, onChoose }: ChoiceProps) {
  return (
    <button type="button" class="import-choice" autofocus={isFirst} onClick={onChoose}>
      <strong>{label}</strong>
      <span class="muted">{children}</span>
    </button>
  );
}

function ImportNotes({
  pendingImport: { notes },
  onSeen,
}: {
  pendingImport: PendingImport;
  onSeen: () => void;
}) {
  return (
    <div class="import-text" role="status">
      <p>Imported, but some of the file is not supported:</p>
      <ul class="import-notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <button type="button" class="button" onClick={onSeen}>
        Close
      </button>
    </div>
  );
}
