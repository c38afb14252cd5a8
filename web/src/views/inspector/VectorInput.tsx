import type { Range, Unit } from "../../document/numbers";
import type { Triple } from "../../document/vector";
import { NumberInput } from "./NumberInput";
import { type FieldEdit, partOf } from "./use-property";

interface VectorInputProps {
  label: string;
  axes: readonly [string, string, string];
  value: Triple;
  unit: Unit;
  range: Range;
  errorId: string;
  edit: FieldEdit<Triple>;
  onLocalError: (error: string | null) => void;
}

/** Three numbers side by side, each with a letter to drag. */
export function VectorInput({
  label,
  axes,
  value,
  unit,
  range,
  errorId,
  edit,
  onLocalError,
}: VectorInputProps) {
  return (
    <span class="vector-input">
      {axes.map((axis, index) => (
        <NumberInput
          key={axis}
          label={`${label} ${axis}`}
          handle={axis}
          value={value[index] ?? 0}
          unit={unit}
          range={range}
          errorId={errorId}
          edit={partOf(edit, (part: number | null) => value.with(index, part ?? 0) as unknown as Triple)}
          onLocalError={onLocalError}
        />
      ))}
    </span>
  );
}
