import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useStudio } from "../../studio/studio";
import { Check, Choice, NumberField, Row, SizeChoice } from "./fields";
import {
  amountRange,
  canDenoise,
  ENDS,
  type End,
  expectedNoise,
  FORMATS,
  isTransparent,
  MAX_SIDE_PX,
  noiseText,
  type RenderOptions,
  SIZES,
  withDenoise,
  withSide,
  withSize,
} from "./options";

const END_LABELS: Readonly<Record<End, { label: string; unit: string }>> = {
  samples: { label: "Samples", unit: "a pixel" },
  noise: { label: "Noise", unit: "%" },
  time: { label: "Time", unit: "seconds" },
};

interface RenderFormProps {
  options: Signal<RenderOptions>;
  disabled: boolean;
  maxSamples: number;
}

/** Size, samples, format and what of the scene is rendered. */
export function RenderForm({ options, disabled, maxSamples }: RenderFormProps) {
  const { bookmarks, pictures, state } = useStudio();
  const { render, shown } = state.value;
  const { value } = options;
  const denoised = value.denoise && canDenoise(value);
  // While a picture is rendered, what is told is about its scene, and not about the edits since.
  const told = useRef<number | null>(null);
  if (!disabled) told.current = expectedNoise(value, render, shown);
  const noise = told.current;
  const set = (changed: Partial<RenderOptions>) => {
    options.value = { ...options.value, ...changed };
  };
  const cameras = [
    ...(pictures.isViewOwn
      ? [
          { label: "Current view", from: "shown" as const },
          { label: "Scene camera, all objects", from: "scene" as const },
        ]
      : [{ label: "Scene camera", from: "shown" as const }]),
    ...bookmarks.list.value.map((bookmark) => ({ label: `Bookmark: ${bookmark.name}`, from: bookmark })),
  ];
  return (
    <fieldset class="render-fields" disabled={disabled}>
      <legend class="visually-hidden">Image</legend>
      <Row label="Size">
        <SizeChoice
          sizes={SIZES}
          width={value.width}
          height={value.height}
          onChoose={({ width, height }) => {
            options.value = withSize(value, width, height);
          }}
        />
      </Row>
      <Row label="Width × height">
        <NumberField
          label="Width"
          value={value.width}
          max={MAX_SIDE_PX}
          onChange={(pixels) => {
            options.value = withSide(value, "width", pixels);
          }}
        />
        <span aria-hidden="true">×</span>
        <NumberField
          label="Height"
          value={value.height}
          max={MAX_SIDE_PX}
          onChange={(pixels) => {
            options.value = withSide(value, "height", pixels);
          }}
        />
        <Check
          label="Lock aspect"
          checked={value.locked}
          onChange={(locked) => {
            options.value = { ...withSize(value, value.width, value.height), locked };
          }}
        />
      </Row>
      <Row label="Until">
        <Choice
          label="Until"
          class="render-until"
          options={ENDS}
          chosen={ENDS.indexOf(value.end)}
          text={(end) => END_LABELS[end].label}
          onChoose={(end) => set({ end })}
        />
        <NumberField
          label={END_LABELS[value.end].label}
          value={value.amounts[value.end]}
          {...amountRange(value.end, maxSamples)}
          onChange={(amount) => set({ amounts: { ...value.amounts, [value.end]: amount } })}
        />
        <span class="muted">{END_LABELS[value.end].unit}</span>
      </Row>
      <Row label="Denoise">
        <Check
          label="Built-in denoiser"
          checked={denoised}
          disabled={!canDenoise(value)}
          onChange={(denoise) => {
            options.value = withDenoise(value, denoise);
          }}
        />
        {!canDenoise(value) && <span class="muted">up to 1920 × 1080 pixels</span>}
        {/* Its line is there before the text is, so that nothing below it moves. */}
        <p class="render-noise muted" data-testid="render-noise">
          {noise !== null && noiseText(noise, denoised)}
        </p>
      </Row>
      <Row label="Format">
        <Choice
          label="Format"
          options={FORMATS}
          chosen={FORMATS.findIndex(({ format }) => format === value.format)}
          text={({ label }) => label}
          onChoose={({ format }) => set({ format })}
        />
        {value.format === "exr" && (
          <Check label="Layers" checked={value.layers} onChange={(layers) => set({ layers })} />
        )}
      </Row>
      <Row label="Background">
        <Check
          label="Transparent"
          checked={isTransparent(value)}
          disabled={value.format === "jpeg"}
          onChange={(transparent) => set({ transparent })}
        />
        {value.format === "jpeg" && <span class="muted">not in JPEG</span>}
        {isTransparent(value) && (
          <span class="muted">The sky is left out. Hide the ground to cut the objects out.</span>
        )}
      </Row>
      <Row label="Camera">
        <Choice
          label="Camera"
          options={cameras}
          chosen={cameras.findIndex(({ from }) => from === value.from)}
          text={({ label }) => label}
          onChoose={({ from }) => set({ from })}
        />
      </Row>
    </fieldset>
  );
}
