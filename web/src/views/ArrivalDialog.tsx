import type { Arrival, ArrivalChoice } from "../intake";
import { isOneMesh } from "../scene-files";
import { useStudio } from "../studio";
import { IconButton } from "./IconButton";
import { Dialog } from "./palette/Dialog";

/** Asks what becomes of the scene of another program, and tells what of it was left out. */
export function ArrivalDialog() {
  const { intake } = useStudio();
  const arrival = intake.arrival.value;
  if (arrival === null) return null;
  const { file, phase } = arrival;
  return (
    <Dialog
      label={phase === "done" ? `${file.name} was opened` : `Open ${file.name}`}
      class="sheet arrival"
      testId="arrival"
      onClose={() => void intake.dismiss()}
    >
      <header class="sheet-header">
        <h2>{file.name}</h2>
        {phase !== "working" && (
          <IconButton icon="cross" label="Close" onClick={() => void intake.dismiss()} />
        )}
      </header>
      {phase === "asking" && <Choices name={file.name} onChoose={(choice) => void intake.choose(choice)} />}
      {phase === "working" && (
        <p class="arrival-text" role="status">
          <span class="spinner" /> Opening…
        </p>
      )}
      {phase === "done" && <LeftOut arrival={arrival} onSeen={() => void intake.dismiss()} />}
    </Dialog>
  );
}

function Choices({ name, onChoose }: { name: string; onChoose: (choice: ArrivalChoice) => void }) {
  return (
    <div class="arrival-choices">
      <Choice label="Add to the scene" isFirst onChoose={() => onChoose("add")}>
        Its objects with their materials and lights, where they are in the file, as one group
      </Choice>
      {isOneMesh(name) && (
        <Choice label="Add as one mesh" onChoose={() => onChoose("fit")}>
          In front of the camera, half as high as the picture, in one grey material
        </Choice>
      )}
      <Choice label="Replace the scene" onChoose={() => onChoose("replace")}>
        With its camera and surroundings, too; Undo brings this scene back
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
    <button type="button" class="arrival-choice" autofocus={isFirst} onClick={onChoose}>
      <strong>{label}</strong>
      <span class="muted">{children}</span>
    </button>
  );
}

function LeftOut({ arrival: { notes }, onSeen }: { arrival: Arrival; onSeen: () => void }) {
  return (
    <div class="arrival-text" role="status">
      <p>It is in the scene, but not all of it could be kept:</p>
      <ul class="arrival-notes">
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
