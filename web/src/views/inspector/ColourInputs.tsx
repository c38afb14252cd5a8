import { useRef } from "preact/hooks";
import { fromHex, joinEmission, splitEmission, toHex } from "../../document/colour";
import type { Unit } from "../../document/numbers";
import type { Triple } from "../../document/vector";
import { NumberInput } from "./NumberInput";
import { type FieldEdit, partOf } from "./use-property";
import { VectorInput } from "./VectorInput";

interface ColourProps {
  label: string;
  value: Triple;
  errorId: string;
  edit: FieldEdit<Triple>;
  onLocalError: (error: string | null) => void;
}

/** A reflectance: the picker shows it in sRGB as screens do, the numbers are linear as the scene has them. */
export function ReflectanceInput({ label, value, errorId, edit, onLocalError }: ColourProps) {
  return (
    <span class="colour-input">
      <Swatch label={label} value={value} edit={edit} />
      <VectorInput
        label={`${label} linear`}
        axes={["r", "g", "b"]}
        value={value}
        unit=""
        range={{ min: 0, max: 1 }}
        errorId={errorId}
        edit={edit}
        onLocalError={onLocalError}
      />
    </span>
  );
}

/** Light: a colour, whose brightest channel is full, and how strong that is. */
export function EmissionInput({ unit, ...props }: ColourProps & { unit: Unit }) {
  const { label, value, errorId, edit, onLocalError } = props;
  const { colour, strength } = splitEmission(value);
  return (
    <span class="colour-input">
      <Swatch
        label={`${label} color`}
        value={colour}
        edit={partOf(edit, (picked: Triple) => joinEmission(picked, strength))}
      />
      <NumberInput
        label={`${label} strength`}
        handle="×"
        value={strength}
        unit={unit}
        range={{ min: 0 }}
        errorId={errorId}
        edit={partOf(edit, (part: number | null) => joinEmission(colour, part ?? 0))}
        onLocalError={onLocalError}
      />
      <span class="number-unit">{unit}</span>
    </span>
  );
}

/** The system's colour picker. A colour that looks the same on screen is left as it is. */
function Swatch({ label, value, edit }: { label: string; value: Triple; edit: FieldEdit<Triple> }) {
  const shown = toHex(value);
  /** What was shown when the picking began. */
  const start = useRef<string | null>(null);
  const onInput = (hex: string) => {
    start.current ??= shown;
    edit.preview(fromHex(hex));
  };
  const onChange = (hex: string) => {
    const differs = hex !== (start.current ?? shown);
    start.current = null;
    if (differs) edit.commit(fromHex(hex));
    else edit.preview(undefined);
  };
  return (
    <input
      type="color"
      class="swatch"
      aria-label={label}
      title="Shown in sRGB; the scene keeps linear values"
      disabled={edit.disabled}
      value={shown}
      onInput={(event) => onInput(event.currentTarget.value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
