import { COMPOSED_ASPECT } from "../document/camera";
import type { Quality } from "../protocol";

/** Pixels of a picture. */
export interface Size {
  width: number;
  height: number;
}

interface Bounds {
  maxPixels: number;
  /** So many are traced however slow the machine is, and more as far as a sample of each takes no longer than this. */
  slowPixels: number;
  maxSeconds: number;
}

const BOUNDS: Record<Quality, Bounds> = {
  draft: { maxPixels: 400 * 300, slowPixels: 400 * 300, maxSeconds: 0.25 },
  preview: { maxPixels: 1_100_000, slowPixels: 640 * 480, maxSeconds: 1.5 },
  // Its film just fits into the server's memory for films.
  final: { maxPixels: 1_700_000, slowPixels: 960 * 720, maxSeconds: 4 },
};
/** However small the place is: it may not be known yet. */
const MIN_PIXELS = 240 * 180;
/** The server's limit. */
const MAX_SIDE = 1920;

/** Width over height of the widest picture and of the narrowest one. */
const WIDEST = 21 / 9;
const NARROWEST = COMPOSED_ASPECT;
/** In a place as small as a phone's, every pixel is for the picture. */
const SMALL_WIDTH = 480;
const NARROWEST_SMALL = 0.8;
/** Pictures differ in shape by as much as is worth a new one. */
const STEP = 0.05;
/** Pictures whose sides differ by no more than this look alike, and are not traced again. */
const LIKENESS = 0.06;

/**
 * The shape, as width over height, of the picture that fills a place. A narrow one shows it as it is composed, with room
 * to spare, unless it is small.
 */
export function pictureAspect({ width, height }: Size): number {
  const aspect = Math.floor(width / height / STEP + 1e-9) * STEP;
  return Math.min(WIDEST, Math.max(width > SMALL_WIDTH ? NARROWEST : NARROWEST_SMALL, aspect));
}

/** What the size of a traced picture depends on. */
export interface PreviewConditions {
  quality: Quality;
  /** The room for the picture, in CSS pixels. */
  place: Size;
  /** Device pixels of a CSS pixel, each way. */
  pixelRatio: number;
  /** Samples that are traced in a second; null while that is unknown. */
  pace: number | null;
}

/** As many pixels as the screen has in the picture's place, within what the quality and the machine's pace allow. */
export function previewSize({ quality, place, pixelRatio, pace }: PreviewConditions): Size {
  const aspect = pictureAspect(place);
  const { maxPixels, slowPixels, maxSeconds } = BOUNDS[quality];
  const exact = Math.min(place.width, place.height * aspect) * pixelRatio;
  const wanted = (exact * exact) / aspect;
  const affordable = pace === null ? maxPixels : Math.max(slowPixels, pace * maxSeconds);
  const pixels = Math.max(MIN_PIXELS, Math.min(wanted, maxPixels, affordable));
  const width = Math.min(Math.sqrt(pixels * aspect), MAX_SIDE, MAX_SIDE * aspect);
  return { width: Math.round(width), height: Math.round(width / aspect) };
}

/** Whether it is not worth while to trace a picture of one size again with the other. */
export function isAlike(a: Size, b: Size): boolean {
  const apart = (one: number, other: number) => Math.abs(one / other - 1);
  return apart(a.width, b.width) < LIKENESS && apart(a.width / a.height, b.width / b.height) < LIKENESS / 4;
}
