import type { Quality } from "../protocol";

/** Pixels of a preview. */
const PIXELS: Record<Quality, number> = { draft: 400 * 300, preview: 640 * 480, final: 960 * 720 };
/** Width over height of the widest picture and of the narrowest one. */
const WIDEST = 21 / 9;
const NARROWEST = 4 / 3;
/** Pictures differ in shape by as much as is worth a new one. */
const STEP = 0.05;

/** The shape, as width over height, of the picture that fills a place: a narrow place shows it with room to spare. */
export function pictureAspect({ width, height }: { width: number; height: number }): number {
  const aspect = Math.floor(width / height / STEP) * STEP;
  return aspect > NARROWEST ? Math.min(WIDEST, aspect) : NARROWEST;
}

/** As many pixels as the quality has, whatever the shape. */
export function previewSize(quality: Quality, aspect: number): { width: number; height: number } {
  const width = Math.round(Math.sqrt(PIXELS[quality] * aspect));
  return { width, height: Math.round(width / aspect) };
}
