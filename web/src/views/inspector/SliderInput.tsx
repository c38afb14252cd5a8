import { useRef } from "preact/hooks";
import type { Slider } from "../../document/fields";
import type { FieldEdit } from "./use-property";

interface SliderInputProps {
  label: string;
  value: number | null;
  slider: Slider;
  edit: FieldEdit<number>;
}

/** A number as a place on a line: shown while it moves, one edit when it is let go. */
export function SliderInput({ label, value, slider: { min, max, step }, edit }: SliderInputProps) {
  const moved = useRef(false);
  return (
    <input
      type="range"
      class="slide-input"
      // The field beside it is the one to tab to: its arrow keys do the same.
      tabIndex={-1}
      aria-label={`${label} slider`}
      min={min}
      max={max}
      step={step}
      disabled={edit.disabled}
      value={value ?? min}
      onInput={(event) => {
        moved.current = true;
        edit.preview(event.currentTarget.valueAsNumber);
      }}
      onChange={(event) => {
        if (moved.current) edit.commit(event.currentTarget.valueAsNumber);
        moved.current = false;
      }}
    />
  );
}
