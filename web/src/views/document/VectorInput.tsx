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
  faultId: string;
  edit: FieldEdit<Triple>;
  onLocalFault: (fault: string | null) => void;
}

/** Three numbers side by side, each with a letter to drag. */
export function VectorInput({
  label,
  axes,
  value,
  unit,
  range,
  faultId,
  edit,
  onLocalFault,
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
          faultId={faultId}
          edit={partOf(edit, (part: number | null) => value.with(index, part ?? 0) as unknown as Triple)}
          onLocalFault={onLocalFault}
        />
      ))}
    </span>
  );
}
