import { useComputed } from "@preact/signals";
import { useId, useRef, useState } from "preact/hooks";
import { fieldKey } from "../../document/editor";
import type { Member, Subject } from "../../document/subject";
import {
  boxAround,
  chosenPivot,
  middleOf,
  type RelativeTransform,
  relativeCalls,
  undersideOf,
} from "../../document/transform/arrange";
import type { Triple } from "../../document/vector";
import { useStudio } from "../../studio/studio";
import { PIVOT_MODES, type PivotMode } from "../../view/modes";
import { NumberInput } from "./NumberInput";
import { FieldRow } from "./PropertyField";
import { type FieldEdit, partOf, useField } from "./use-property";
import { VectorInput } from "./VectorInput";

const AXES = ["x", "y", "z"];
const NO_TURN: Triple = [0, 0, 0];

/** Moves, turns and scales what is selected as one; a turn and a factor count from how it stands now. */
export function TransformFields({ subject }: { subject: Extract<Subject, { members: readonly Member[] }> }) {
  const { editor, view } = useStudio();
  const drawn = view.rasterView.value;
  const box = boxAround(subject.members, (ids) => drawn?.boxOf(ids) ?? null);
  if (box === null) return null;
  const middle = middleOf(box);
  const chosen = chosenPivot(editor.scene.value, editor.selection.value, view.pivot.value, (ids) =>
    drawn === null ? null : drawn.boxOf(ids),
  );
  const ids = new Set(subject.members.map(({ object }) => object.id));
  const scaledAbout = undersideOf(box, drawn?.heightBelow(box, ids) ?? 0) ?? middle;
  return (
    <>
      <h3 class="inspector-title inspector-section">Transform</h3>
      {subject.kind === "many" && <PivotChoice />}
      <VectorField
        subject={subject}
        pivot={middle}
        label="Position"
        unit="m"
        value={middle}
        toTransform={(position) => ({ position })}
      />
      <VectorField
        subject={subject}
        pivot={chosen ?? middle}
        label="Rotate by"
        unit="°"
        value={NO_TURN}
        toTransform={(rotation) => ({ rotation })}
      />
      <FactorField subject={subject} pivot={chosen ?? scaledAbout} />
    </>
  );
}

const PIVOTS: Readonly<Record<PivotMode, string>> = {
  center: "Center of the selection",
  last: "Last selected",
  world: "World origin",
};

/** Around what several things turn and grow, by fields and by handles. */
function PivotChoice() {
  const { view } = useStudio();
  const id = useId();
  return (
    <div class="property">
      <label class="property-name" for={id}>
        Pivot
      </label>
      <div class="property-control">
        <select
          id={id}
          class="select-input"
          value={view.pivot.value}
          onChange={(event) => {
            const chosen = PIVOT_MODES.find((mode) => mode === event.currentTarget.value);
            if (chosen !== undefined) view.pivot.value = chosen;
          }}
        >
          {PIVOT_MODES.map((mode) => (
            <option key={mode} value={mode}>
              {PIVOTS[mode]}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

interface TransformFieldProps {
  subject: Extract<Subject, { members: readonly Member[] }>;
  /** From which they move, and about which they turn and grow. */
  pivot: Triple;
}

interface VectorFieldProps extends TransformFieldProps {
  label: string;
  unit: "m" | "°";
  /** While nothing is dragged. */
  value: Triple;
  toTransform: (value: Triple) => RelativeTransform;
}

function VectorField({ subject, pivot, label, unit, value, toTransform }: VectorFieldProps) {
  const id = useId();
  const { shown, edit } = useTransform(subject, pivot, label, toTransform);
  return (
    <FieldRow
      id={id}
      edit={edit}
      label={
        <span class="property-name">
          {label}
          <span class="property-unit">{unit}</span>
        </span>
      }
    >
      {({ errorId, onLocalError }) => (
        <VectorInput
          label={label}
          axes={AXES}
          value={(shown ?? value).map((number) => Number(number.toFixed(5)))}
          unit={unit}
          range={{}}
          errorId={errorId}
          edit={edit as unknown as FieldEdit<readonly number[]>}
          onLocalError={onLocalError}
        />
      )}
    </FieldRow>
  );
}

function FactorField({ subject, pivot }: TransformFieldProps) {
  const id = useId();
  const { shown, edit } = useTransform(subject, pivot, "Scale by", (factor: number) => ({ factor }));
  return (
    <FieldRow id={id} edit={edit} label={<span class="property-name">Scale by</span>}>
      {({ errorId, onLocalError }) => (
        <NumberInput
          label="Scale by"
          handle="×"
          value={shown ?? 1}
          unit=""
          range={{ min: 0.001 }}
          errorId={errorId}
          edit={partOf(edit, (factor: number | null) => factor ?? 1)}
          onLocalError={onLocalError}
        />
      )}
    </FieldRow>
  );
}

/** The edit of a transform: while it is dragged it counts from how things stood when that began. */
function useTransform<Value>(
  subject: TransformFieldProps["subject"],
  pivot: Triple,
  label: string,
  toTransform: (value: Value) => RelativeTransform,
): { shown: Value | null; edit: FieldEdit<Value> } {
  const { editor } = useStudio();
  const name = fieldKey(subject.key, ["transform", label]);
  const field = useField(name);
  const start = useRef<{ members: readonly Member[]; pivot: Triple } | null>(null);
  const [shown, setShown] = useState<Value | null>(null);
  const disabled = !useComputed(() => editor.editable.value).value;
  const callsFor = (value: Value) => {
    const from = start.current ?? { members: subject.members, pivot };
    return relativeCalls(from.members, from.pivot, toTransform(value));
  };
  const end = () => {
    start.current = null;
    setShown(null);
  };
  return {
    shown,
    edit: {
      ...field,
      disabled,
      preview: (value) => {
        if (value === undefined) {
          end();
          editor.preview([]);
          return;
        }
        start.current ??= { members: subject.members, pivot };
        setShown(() => value);
        editor.preview(callsFor(value));
      },
      commit: (value) => {
        const calls = callsFor(value);
        end();
        if (!editor.edit(calls, name)) editor.preview([]);
      },
    },
  };
}
