import type { Signal } from "@preact/signals";
import { ANIMATION_FORMATS, type AnimationSettings } from "../../connection/animation-api";
import { useStudio } from "../../studio/studio";
import { ANIMATION_LABELS, ANIMATION_SIZES, frameCount, SHUTTER } from "./animation-options";
import { Check, NumberField, Row } from "./RenderForm";

interface AnimationFormProps {
  settings: Signal<AnimationSettings>;
  /** How long the animation takes. */
  seconds: number;
  disabled: boolean;
}

/** Format, size, frames a second and samples. */
export function AnimationForm({ settings, seconds, disabled }: AnimationFormProps) {
  const { limits } = useStudio().state.value;
  const { value } = settings;
  const set = (changed: Partial<AnimationSettings>) => {
    settings.value = { ...settings.value, ...changed };
  };
  const size = ANIMATION_SIZES.findIndex(
    ({ width, height }) => width === value.width && height === value.height,
  );
  const frames = frameCount(value, seconds);
  return (
    <fieldset class="render-fields" disabled={disabled}>
      <legend class="visually-hidden">Animation</legend>
      <Row label="Format">
        <select
          class="field"
          aria-label="Format"
          value={value.format}
          onChange={(event) => {
            const chosen = ANIMATION_FORMATS.find((format) => format === event.currentTarget.value);
            if (chosen !== undefined) set({ format: chosen });
          }}
        >
          {ANIMATION_FORMATS.map((format) => (
            <option key={format} value={format}>
              {ANIMATION_LABELS[format]}
            </option>
          ))}
        </select>
      </Row>
      <Row label="Size">
        <select
          class="field"
          aria-label="Size"
          value={String(size)}
          onChange={(event) => {
            const chosen = ANIMATION_SIZES[Number(event.currentTarget.value)];
            if (chosen !== undefined) set({ width: chosen.width, height: chosen.height });
          }}
        >
          {ANIMATION_SIZES.map(({ width, height, name }, index) => (
            <option key={index} value={String(index)}>
              {width} × {height}, {name}
            </option>
          ))}
        </select>
      </Row>
      <Row label="Frames">
        <NumberField label="Frames a second" value={value.fps} max={60} onChange={(fps) => set({ fps })} />
        <span class="muted">a second{Number.isNaN(frames) ? "" : `, ${frames} in all`}</span>
      </Row>
      <Row label="Samples">
        <NumberField
          label="Samples"
          value={value.samples}
          max={limits.max_samples}
          onChange={(samples) => set({ samples })}
        />
        <span class="muted">a pixel, denoised</span>
      </Row>
      <Row label="Motion blur">
        <Check
          label="As a film camera has it"
          checked={value.shutter > 0}
          onChange={(blurred) => set({ shutter: blurred ? SHUTTER : 0 })}
        />
      </Row>
    </fieldset>
  );
}
