import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useStudio } from "../../studio/studio";
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
  const noise = expectedNoise(value, render, shown);
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
  const size = SIZES.findIndex(({ width, height }) => width === value.width && height === value.height);
  return (
    <fieldset class="render-fields" disabled={disabled}>
      <legend class="visually-hidden">Image</legend>
      <Row label="Size">
        <select
          class="field"
          aria-label="Size"
          value={String(size)}
          onChange={(event) => {
            const chosen = SIZES[Number(event.currentTarget.value)];
            if (chosen !== undefined) options.value = withSize(value, chosen.width, chosen.height);
          }}
        >
          {size === -1 && <option value="-1">Custom</option>}
          {SIZES.map(({ width, height, name }, index) => (
            <option key={index} value={String(index)}>
              {width} × {height}, {name}
            </option>
          ))}
        </select>
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
        <select
          class="field render-until"
          aria-label="Until"
          value={value.end}
          onChange={(event) => {
            const end = ENDS.find((each) => each === event.currentTarget.value);
            if (end !== undefined) set({ end });
          }}
        >
          {ENDS.map((end) => (
            <option key={end} value={end}>
              {END_LABELS[end].label}
            </option>
          ))}
        </select>
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
        <select
          class="field"
          aria-label="Format"
          value={value.format}
          onChange={(event) => {
            const chosen = FORMATS.find(({ format }) => format === event.currentTarget.value);
            if (chosen !== undefined) set({ format: chosen.format });
          }}
        >
          {FORMATS.map(({ format, label }) => (
            <option key={format} value={format}>
              {label}
            </option>
          ))}
        </select>
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
        <select
          class="field"
          aria-label="Camera"
          value={cameras.findIndex(({ from }) => from === value.from)}
          onChange={(event) => {
            const chosen = cameras[Number(event.currentTarget.value)];
            if (chosen !== undefined) set({ from: chosen.from });
          }}
        >
          {cameras.map(({ label }, index) => (
            <option key={index} value={index}>
              {label}
            </option>
          ))}
        </select>
      </Row>
    </fieldset>
  );
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
