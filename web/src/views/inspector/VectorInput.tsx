import type { Range, Unit } from "../../document/numbers";
import { NumberInput } from "./NumberInput";
import { type FieldEdit, partOf } from "./use-property";

interface VectorInputProps {
  label: string;
  axes: readonly string[];
  value: readonly number[];
  unit: Unit;
  range: Range;
  errorId: string;
  edit: FieldEdit<readonly number[]>;
  onLocalError: (error: string | null) => void;
}

/** Numbers side by side, each with a letter to drag. */
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
          edit={partOf(edit, (part: number | null) => value.with(index, part ?? 0))}
          onLocalError={onLocalError}
        />
      ))}
    </span>
  );
}
