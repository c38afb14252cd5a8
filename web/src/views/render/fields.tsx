import type { ComponentChildren } from "preact";

/** A size to choose from. */
export interface NamedSize {
  width: number;
  height: number;
  name: string;
}

export function Row({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="render-row">
      <span class="render-label">{label}</span>
      <span class="render-control">{children}</span>
    </div>
  );
}

interface NumberFieldProps {
  label: string;
  value: number;
  min?: number;
  max: number;
  step?: number;
  onChange: (value: number) => void;
}

export function NumberField({ label, value, min = 1, max, step = 1, onChange }: NumberFieldProps) {
  return (
    <input
      type="number"
      class="field numeric render-number"
      aria-label={label}
      min={min}
      max={max}
      step={step}
      required
      value={Number.isNaN(value) ? "" : value}
      onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
    />
  );
}

interface CheckProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

export function Check(props: CheckProps) {
  return (
    <label class="render-check">
      <input
        type="checkbox"
        checked={props.checked}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}

interface ChoiceProps<T> {
  label: string;
  class?: string;
  options: readonly T[];
  /** The place of the chosen one; -1 where it is none of them, which `other` names. */
  chosen: number;
  other?: string;
  text: (option: T) => string;
  onChoose: (option: T) => void;
}

export function Choice<T>({ options, chosen, ...props }: ChoiceProps<T>) {
  return (
    <select
      class={`field ${props.class ?? ""}`}
      aria-label={props.label}
      value={chosen}
      onChange={(event) => {
        const option = options[Number(event.currentTarget.value)];
        if (option !== undefined) props.onChoose(option);
      }}
    >
      {chosen === -1 && props.other !== undefined && <option value={-1}>{props.other}</option>}
      {options.map((option, index) => (
        <option key={index} value={index}>
          {props.text(option)}
        </option>
      ))}
    </select>
  );
}

interface SizeChoiceProps {
  sizes: readonly NamedSize[];
  width: number;
  height: number;
  onChoose: (size: NamedSize) => void;
}

export function SizeChoice({ sizes, width, height, onChoose }: SizeChoiceProps) {
  return (
    <Choice
      label="Size"
      options={sizes}
      chosen={sizes.findIndex((size) => size.width === width && size.height === height)}
      other="Custom"
      text={(size) => `${size.width} × ${size.height}, ${size.name}`}
      onChoose={onChoose}
    />
  );
}
