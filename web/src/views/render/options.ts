import type { PictureFormat } from "../../connection/api";
import { storedFlag, storeFlag } from "../../preferences";
import type { PreviewHeader } from "../../protocol";
import type { RenderState } from "../../store/state";
import type { PictureRequest } from "../../studio/pictures";
import { unreachable } from "../../unreachable";
import type { NamedSize } from "./fields";

/** What ends a render. */
export const ENDS = ["samples", "noise", "time"] as const;
export type End = (typeof ENDS)[number];

/** What is chosen in the dialog. */
export interface RenderOptions {
  width: number;
  height: number;
  end: End;
  /** Of each end its own: samples of a pixel, percents of error, seconds. */
  amounts: Readonly<Record<End, number>>;
  format: PictureFormat;
  from: PictureRequest["from"];
  denoise: boolean;
  layers: boolean;
  transparent: boolean;
  /** Whether another width brings another height. */
  locked: boolean;
  /** Width over height that a locked size keeps: sides are whole numbers, and a few digits of one say little. */
  aspect: number;
}

/** The server's limits: pixels of a side, pixels with denoising or layers, and samples of all pixels. */
export const MAX_SIDE_PX = 4096;
const MAX_COSTLY_PIXELS = 2 ** 21;
const MAX_WORK = 2 ** 32;

/** Sizes that are asked for often. */
export const SIZES: readonly NamedSize[] = [
  { width: 800, height: 600, name: "4:3" },
  { width: 1600, height: 1200, name: "4:3" },
  { width: 1920, height: 1080, name: "Full HD" },
  { width: 3840, height: 2160, name: "4K" },
  { width: 1080, height: 1080, name: "Square" },
  { width: 1080, height: 1920, name: "Portrait" },
];

export const FORMATS: readonly { format: PictureFormat; label: string }[] = [
  { format: "png", label: "PNG" },
  { format: "jpeg", label: "JPEG" },
  { format: "webp", label: "WebP, lossless" },
  { format: "exr", label: "EXR, linear HDR" },
];

const WIDTH = 1600;
const DENOISE = "render-denoise";

/** In the shape of the picture on the page, which is width over height, 1600 pixels wide where that can be denoised. */
export function initialOptions(aspect: number): RenderOptions {
  const width = Math.min(WIDTH, Math.floor(Math.sqrt(MAX_COSTLY_PIXELS * aspect)));
  return {
    width,
    height: Math.floor(width / aspect + 1e-9),
    end: "samples",
    amounts: { samples: 256, noise: 2, time: 60 },
    format: "png",
    from: "shown",
    denoise: storedFlag(DENOISE, true),
    layers: false,
    transparent: false,
    locked: true,
    aspect,
  };
}

/** The options with or without the denoiser; the next render begins with the same choice. */
export function withDenoise(options: RenderOptions, denoise: boolean): RenderOptions {
  storeFlag(DENOISE, denoise);
  return { ...options, denoise };
}

/** Whether the denoiser can smooth a picture of this size. */
export function canDenoise({ width, height }: RenderOptions): boolean {
  return !(width * height > MAX_COSTLY_PIXELS);
}

/** Of fewer samples the error is not known. */
const MIN_SAMPLES = 2;

/** Whether the picture is to be transparent where the sky is, and can be. */
export function isTransparent({ transparent, format }: RenderOptions): boolean {
  return transparent && format !== "jpeg";
}

/** The relative error of the picture before it is denoised, by that of the picture on the page; null where it is unknown. */
export function expectedNoise(
  { width, height, end, amounts }: RenderOptions,
  render: Pick<RenderState, "samples" | "elapsedMs" | "noise"> | null,
  shown: Pick<PreviewHeader, "width" | "height"> | null,
): number | null {
  if (end === "noise") return amounts.noise / 100;
  if (render?.noise == null || render.samples < MIN_SAMPLES) return null;
  const { samples, elapsedMs, noise } = render;
  if (end === "samples") return noiseAfter(amounts.samples);
  if (shown === null || !elapsedMs) return null;
  const eachMs = elapsedMs / (samples * shown.width * shown.height);
  return noiseAfter((1000 * amounts.time) / (eachMs * width * height));

  /** The error falls with the square root of the samples. */
  function noiseAfter(count: number): number | null {
    return count > 0 && noise !== null ? noise * Math.sqrt(samples / count) : null;
  }
}

/** What noise looks like. */
export function noiseText(noise: number, denoised: boolean): string {
  const percent = 100 * noise;
  const number = percent < 10 ? percent.toFixed(1) : Math.round(percent);
  const amount = percent < 0.1 ? "Under 0.1 % noise" : `About ${number} % noise`;
  if (noise < 0.01) return `${amount}: hardly visible.`;
  if (denoised)
    return noise < 0.1 ? `${amount}, which the denoiser smooths.` : `${amount}: fine details will blur.`;
  return noise < 0.03 ? `${amount}: a slight grain.` : `${amount}: grainy.`;
}

/** The options with another size; where its aspect is locked, that of the new one is kept from now on. */
export function withSize(options: RenderOptions, width: number, height: number): RenderOptions {
  return { ...options, width, height, aspect: width / height };
}

/** The options with another width or height, and where that is locked the other along with it. */
export function withSide(options: RenderOptions, side: "width" | "height", pixels: number): RenderOptions {
  const { locked, aspect } = options;
  if (!locked || !(pixels > 0)) return { ...options, [side]: pixels };
  const other = Math.max(1, Math.round(side === "width" ? pixels / aspect : pixels * aspect));
  return side === "width"
    ? { ...options, width: pixels, height: other }
    : { ...options, width: other, height: pixels };
}

/** The range of what ends a render; the server has the last word. */
export function amountRange(end: End, maxSamples: number): { min: number; max: number; step: number } {
  switch (end) {
    case "samples":
      return { min: 1, max: maxSamples, step: 1 };
    case "noise":
      return { min: 0.1, max: 100, step: 0.1 };
    case "time":
      return { min: 1, max: 86_400, step: 1 };
    default:
      return unreachable(end);
  }
}

/** Why this cannot be rendered; null when it can. */
export function problemOf(options: RenderOptions, maxSamples: number): string | null {
  const { width, height, end, amounts, layers, format } = options;
  const isSide = (pixels: number) => Number.isInteger(pixels) && pixels >= 1 && pixels <= MAX_SIDE_PX;
  if (!isSide(width) || !isSide(height))
    return `Width and height are whole numbers from 1 to ${MAX_SIDE_PX}.`;
  const amount = amounts[end];
  const { min, max } = amountRange(end, maxSamples);
  if (!(amount >= min && amount <= max) || (end === "samples" && !Number.isInteger(amount)))
    return `Enter a number from ${min} to ${max}.`;
  const most = Math.floor(MAX_WORK / (width * height));
  if (end === "samples" && amount > most) return `At this size, at most ${most} samples can be rendered.`;
  if (layers && format === "exr" && width * height > MAX_COSTLY_PIXELS)
    return "Layers are available up to 1920 × 1080 pixels.";
  return null;
}

export function requestOf(options: RenderOptions, maxSamples: number): PictureRequest {
  const { width, height, format, from, denoise, layers } = options;
  return {
    format,
    from,
    settings: {
      width,
      height,
      ...endOf(options, maxSamples),
      ...(denoise && canDenoise(options) && { denoise: "builtin" as const }),
      ...(layers && format === "exr" && { aov: true }),
      ...(isTransparent(options) && { transparent: true }),
    },
  };
}

/** What ends the render; the time alone does where it is chosen. */
function endOf({ width, height, end, amounts }: RenderOptions, maxSamples: number) {
  const most = Math.min(maxSamples, Math.floor(MAX_WORK / (width * height)));
  if (end === "noise") return { noise_threshold: amounts.noise / 100 };
  return end === "time" ? { time_limit: amounts.time, samples: most } : { samples: amounts.samples };
}
