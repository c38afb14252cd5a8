import { expect, test } from "vitest";
import { isAlike, type PreviewConditions, pictureAspect, previewSize } from "../../src/view/preview-size";

test("a wide place is filled and a small one, a narrow one shows the picture as it is composed", () => {
  expect(pictureAspect({ width: 1600, height: 900 })).toBeCloseTo(1.75, 5);
  expect(pictureAspect({ width: 3440, height: 900 })).toBeCloseTo(21 / 9, 5);
  expect(pictureAspect({ width: 640, height: 690 })).toBe(4 / 3);
  expect(pictureAspect({ width: 374, height: 424 })).toBeCloseTo(0.85, 5);
  expect(pictureAspect({ width: 300, height: 900 })).toBe(0.8);
});

const CONDITIONS: PreviewConditions = {
  quality: "preview",
  place: { width: 840, height: 600 },
  pixelRatio: 1,
  pace: null,
};
const sizeFor = (changed: Partial<PreviewConditions>) => previewSize({ ...CONDITIONS, ...changed });
const pixels = ({ width, height }: { width: number; height: number }) => width * height;

test("a traced picture has the pixels that the screen has in its place", () => {
  expect(sizeFor({})).toEqual({ width: 840, height: 600 });
  expect(sizeFor({ quality: "final" })).toEqual({ width: 840, height: 600 });
  expect(sizeFor({ pixelRatio: 1.25 })).toEqual({ width: 1050, height: 750 });
  expect(sizeFor({ quality: "final", pixelRatio: 1.5 })).toEqual({ width: 1260, height: 900 });
  expect(sizeFor({ quality: "draft" })).toEqual({ width: 410, height: 293 });
});

test("it has no more of them than the server's memory and the quality allow", () => {
  const huge = { place: { width: 3400, height: 1500 }, pixelRatio: 2 };
  expect(pixels(sizeFor({ ...huge, quality: "final" }))).toBeLessThan(1_710_000);
  expect(pixels(sizeFor(huge))).toBeLessThan(1_110_000);
  expect(sizeFor({ ...huge, quality: "final" }).width).toBeLessThanOrEqual(1920);
  expect(pixels(sizeFor({ place: { width: 4, height: 3 } })), "an unknown place").toBeGreaterThan(40_000);
});

test("a slow machine is asked for fewer, and never for fewer than it can show in a moment", () => {
  const sharp = { pixelRatio: 2, pace: 700_000 };
  expect(pixels(sizeFor(sharp)) / 700_000).toBeCloseTo(1.5, 2);
  expect(pixels(sizeFor({ ...sharp, quality: "final" }))).toBeGreaterThan(1_600_000);
  expect(sizeFor({ ...sharp, pace: 10_000 })).toEqual({ width: 656, height: 468 });
  expect(sizeFor({ pace: 9_000_000 })).toEqual({ width: 840, height: 600 });
});

test("pictures that look alike are not traced again", () => {
  const size = { width: 800, height: 600 };
  expect(isAlike(size, { width: 830, height: 622 })).toBe(true);
  expect(isAlike(size, { width: 900, height: 675 })).toBe(false);
  expect(isAlike(size, { width: 800, height: 571 }), "another shape").toBe(false);
});
