import type { AnimationFormat, AnimationSettings } from "../../connection/animation-api";
import type { NamedSize } from "./fields";

export const ANIMATION_SIZES: readonly NamedSize[] = [
  { width: 480, height: 270, name: "16:9" },
  { width: 640, height: 360, name: "16:9" },
  { width: 640, height: 480, name: "4:3" },
  { width: 1280, height: 720, name: "HD" },
  { width: 640, height: 640, name: "square" },
  { width: 540, height: 960, name: "portrait" },
];

export const ANIMATION_LABELS: Readonly<Record<AnimationFormat, string>> = {
  webp: "WebP, lossless",
  gif: "GIF, 256 colors",
  zip: "ZIP of PNG frames, for video",
};

/** The server's limits: samples of all frames, frames, frames a second. */
const MAX_WORK = 2 ** 34;
const MAX_FRAMES = 3600;
const MAX_FPS: Readonly<Record<AnimationFormat, number>> = { webp: 60, gif: 50, zip: 60 };

/** Of a film camera. */
export const SHUTTER = 0.5;

/** Until somebody chooses: a small picture that is done soon. */
export function initialAnimation(fps: number): AnimationSettings {
  return { format: "webp", fps, width: 640, height: 360, samples: 32, shutter: 0 };
}

/** How many pictures an animation of some seconds is. */
export function frameCount({ fps }: Pick<AnimationSettings, "fps">, seconds: number): number {
  return Math.max(1, Math.round(fps * seconds));
}

/** Why this cannot be rendered; null when it can. */
export function animationProblem(
  settings: AnimationSettings,
  seconds: number | null,
  maxSamples: number,
): string | null {
  const { format, fps, width, height, samples } = settings;
  if (seconds === null) return "Nothing is animated in this scene.";
  const isWhole = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
  if (!isWhole(fps, MAX_FPS[format]))
    return `Frames a second are a whole number from 1 to ${MAX_FPS[format]}.`;
  if (!isWhole(samples, maxSamples)) return `Samples are a whole number from 1 to ${maxSamples}.`;
  const frames = frameCount(settings, seconds);
  if (frames > MAX_FRAMES) return `At most ${MAX_FRAMES} frames can be rendered; these are ${frames}.`;
  const most = Math.floor(MAX_WORK / (width * height * frames));
  return samples > most ? `At this size and length, at most ${most} samples can be rendered.` : null;
}
