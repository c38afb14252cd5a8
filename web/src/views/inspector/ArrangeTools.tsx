import { useComputed } from "@preact/signals";
import { AXES, type Axis, EDGES_OF_BOXES } from "../../document/transform/arrange";
import { useStudio } from "../../studio/studio";

const EDGE_LABELS = { min: "Min", center: "Center", max: "Max" } as const;

/** Puts what is selected to the floor, in line, and at equal distances. Groups count as one thing. */
export function ArrangeTools() {
  const { editor } = useStudio();
  const disabled = !useComputed(() => editor.editable.value).value;
  const count = useComputed(() => editor.arrangedIds().length).value;
  if (count === 0) return null;
  return (
    <>
      <h3 class="inspector-title inspector-section">Arrange</h3>
      <div class="group-tools">
        <button
          type="button"
          class="button button-small"
          title="Straight down onto what is below, or else to y = 0"
          disabled={disabled}
          onClick={() => editor.dropToFloor()}
        >
          Drop
        </button>
      </div>
      {count > 1 && AXES.map((axis) => <AlignRow key={axis} axis={axis} disabled={disabled} />)}
      {count > 2 && <DistributeRow disabled={disabled} />}
    </>
  );
}

function AlignRow({ axis, disabled }: { axis: Axis; disabled: boolean }) {
  const { editor } = useStudio();
  return (
    <fieldset class="arrange-row" disabled={disabled}>
      <legend class="visually-hidden">Align along {axis}</legend>
      <span class="arrange-label">Align {axis.toUpperCase()}</span>
      {EDGES_OF_BOXES.map((edge) => (
        <button
          key={edge}
          type="button"
          class="button button-small"
          aria-label={`Align ${edge} ${axis}`}
          title={`Align the ${edge === "center" ? "centers" : `${edge}imum sides`} along ${axis} to the first selected`}
          onClick={() => editor.align(axis, edge)}
        >
          {EDGE_LABELS[edge]}
        </button>
      ))}
    </fieldset>
  );
}

function DistributeRow({ disabled }: { disabled: boolean }) {
  const { editor } = useStudio();
  return (
    <fieldset class="arrange-row" disabled={disabled}>
      <legend class="visually-hidden">Distribute</legend>
      <span class="arrange-label">Distribute</span>
      {AXES.map((axis) => (
        <button
          key={axis}
          type="button"
          class="button button-small"
          aria-label={`Distribute along ${axis}`}
          title={`Equal gaps along ${axis}; the first and the last stay`}
          onClick={() => editor.distribute(axis)}
        >
          {axis.toUpperCase()}
        </button>
      ))}
    </fieldset>
  );
}
