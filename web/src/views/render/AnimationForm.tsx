import type { Signal } from "@preact/signals";
import { ANIMATION_FORMATS, type AnimationSettings } from "../../connection/animation-api";
import { useStudio } from "../../studio/studio";
import { ANIMATION_LABELS, ANIMATION_SIZES, frameCount, SHUTTER } from "./animation-options";
import { Check, Choice, NumberField, Row, SizeChoice } from "./fields";

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
  const frames = frameCount(value, seconds);
  return (
    <fieldset class="render-fields" disabled={disabled}>
      <legend class="visually-hidden">Animation</legend>
      <Row label="Format">
        <Choice
          label="Format"
          options={ANIMATION_FORMATS}
          chosen={ANIMATION_FORMATS.indexOf(value.format)}
          text={(format) => ANIMATION_LABELS[format]}
          onChoose={(format) => set({ format })}
        />
      </Row>
      <Row label="Size">
        <SizeChoice
          sizes={ANIMATION_SIZES}
          width={value.width}
          height={value.height}
          onChoose={({ width, height }) => set({ width, height })}
        />
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
