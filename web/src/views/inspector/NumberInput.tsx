import { evaluate } from "../../document/expression";
import type { Slider } from "../../document/fields";
import {
  formatNumber,
  parseNumber,
  type Range,
  scrubStep,
  shortNumber,
  stepped,
  type Unit,
} from "../../document/numbers";
import { DraftInput } from "./DraftInput";
import { SliderInput } from "./SliderInput";
import { startScrub } from "./scrub";
import type { FieldEdit } from "./use-property";

interface NumberInputProps {
  /** Read out. */
  label: string;
  /** Shown before the number: a handle to drag. */
  handle?: string;
  id?: string;
  value: number | null;
  unit: Unit;
  range: Range;
  /** What no number means; without it there has to be one. */
  whenNull?: string | undefined;
  /** Shown where there is no one number. */
  placeholder?: string | undefined;
  slider?: Slider | undefined;
  /** What may stand before the number and means nothing. */
  leadIn?: RegExp;
  errorId: string;
  edit: FieldEdit<number | null>;
  onLocalError: (error: string | null) => void;
}

export function NumberInput(props: NumberInputProps) {
  const { label, handle, id, value, unit, range, whenNull, slider, leadIn, errorId, edit, onLocalError } =
    props;
  const parse = (text: string) => {
    if (text.trim() === "" && whenNull !== undefined) return { value: null };
    const plain = leadIn === undefined ? text : text.replace(leadIn, "");
    const number = parseNumber(plain, unit) ?? evaluate(plain, unit, value);
    const example =
      unit === "m" ? "1.5, 30 cm or 1+0.25" : unit === "°" ? "45, 1.2 rad or 360/7" : "1.5 or 1+0.25";
    return number === null ? { error: `Enter a number, such as ${example}.` } : { value: number };
  };
  const step = (text: string, steps: number) => {
    const number = parseNumber(text, unit) ?? evaluate(text, unit, value) ?? value ?? 0;
    return formatNumber(stepped(number, steps, scrubStep(number, unit, range), range));
  };
  return (
    <span class={slider === undefined ? "number-input" : "number-input number-with-slider"}>
      {slider !== undefined && <SliderInput label={label} value={value} slider={slider} edit={edit} />}
      {handle !== undefined && (
        <Handle value={value} unit={unit} range={range} edit={edit}>
          {handle}
        </Handle>
      )}
      <DraftInput
        label={label}
        id={id}
        text={value === null ? "" : formatNumber(value)}
        // Three of them share a row, or a slider takes most of it.
        short={
          value === null || (handle === undefined && slider === undefined) ? undefined : shortNumber(value)
        }
        placeholder={props.placeholder ?? whenNull}
        errorId={errorId}
        parse={parse}
        step={step}
        edit={edit}
        onLocalError={onLocalError}
      />
      {handle === undefined && unit !== "" && value !== null && <span class="number-unit">{unit}</span>}
    </span>
  );
}

interface HandleProps extends Pick<NumberInputProps, "value" | "unit" | "range" | "edit"> {
  /** The field it is the label of. */
  htmlFor?: string;
  children: string;
}

/** A number's name, which can be dragged sideways. */
export function Handle({ value, unit, range, edit, htmlFor, children }: HandleProps) {
  const onPointerDown = (event: PointerEvent) => {
    if (event.button === 0 && value !== null && !edit.disabled) startScrub(event, value, unit, range, edit);
  };
  return (
    <label
      class={edit.disabled ? "handle handle-still" : "handle"}
      for={htmlFor}
      aria-hidden={htmlFor === undefined}
      title="Drag sideways to change; Shift faster, Alt finer"
      onPointerDown={onPointerDown}
    >
      {children}
    </label>
  );
}
