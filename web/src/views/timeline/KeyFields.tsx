import { EASINGS, type Easing, type KeyValue } from "../../document/motion/animation";
import type { KeyPlace } from "../../studio/keyframes";
import { useStudio } from "../../studio/studio";
import { seconds } from "./Scrub";

const EASING_LABELS: Record<Easing, string> = {
  linear: "Linear",
  ease_in: "Ease in",
  ease_out: "Ease out",
  ease_in_out: "Ease in and out",
  step: "Step",
  smooth: "Smooth",
};
/** Longer lists of numbers are no fields. */
const AXES = ["X", "Y", "Z"];

/** The key that is selected: when, what, and how it goes on to the next one. */
export function KeyFields({ place }: { place: KeyPlace }) {
  const { keyframes } = useStudio();
  const found = keyframes.find(place);
  if (found === null) return null;
  const { track, key } = found;
  const { value } = key;
  const set = (changed: KeyValue) => keyframes.change(place, { value: changed });
  return (
    <fieldset class="timeline-fields" disabled={!keyframes.editable.value} data-testid="timeline-fields">
      <legend class="visually-hidden">Key</legend>
      <span class="timeline-key-name">
        {track.target} {track.property.replaceAll("_", " ")}
      </span>
      <NumberField label="Time" value={key.time} onChange={(time) => keyframes.move(place, time)} />
      {typeof value === "number" && <NumberField label="Value" value={value} onChange={set} />}
      {Array.isArray(value) &&
        value.length === AXES.length &&
        AXES.map((axis, index) => (
          <NumberField
            key={axis}
            label={axis}
            value={Number(value[index])}
            onChange={(changed) => set(value.with(index, changed))}
          />
        ))}
      {typeof value === "boolean" && (
        <label>
          <input type="checkbox" checked={value} onChange={(event) => set(event.currentTarget.checked)} />
          {track.property}
        </label>
      )}
      {typeof value === "string" && (
        <label>
          Value
          <input
            class="field timeline-text"
            value={value}
            onChange={(event) => set(event.currentTarget.value)}
          />
        </label>
      )}
      <label>
        Easing
        <select
          class="field"
          title="How it goes from this key to the next one"
          data-testid="timeline-easing"
          value={key.easing ?? "linear"}
          onChange={(event) => keyframes.change(place, { easing: event.currentTarget.value as Easing })}
        >
          {EASINGS.map((easing) => (
            <option key={easing} value={easing}>
              {EASING_LABELS[easing]}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="button button-small"
        data-testid="timeline-remove-key"
        onClick={() => keyframes.remove(place)}
      >
        Delete key
      </button>
    </fieldset>
  );
}

interface NumberFieldProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
}

function NumberField({ label, value, onChange }: NumberFieldProps) {
  const text = label === "Time" ? seconds(value) : String(Math.round(1e4 * value) / 1e4);
  return (
    <label>
      {label}
      <input
        type="number"
        class="field numeric"
        step="any"
        value={text}
        onChange={(event) => {
          const { currentTarget } = event;
          if (!Number.isNaN(currentTarget.valueAsNumber)) onChange(currentTarget.valueAsNumber);
          // What is refused is not kept in the field.
          currentTarget.value = text;
        }}
      />
    </label>
  );
}
