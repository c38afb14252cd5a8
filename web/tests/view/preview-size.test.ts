import { expect, test } from "vitest";
import { pictureAspect, previewSize } from "../../src/view/preview-size";

test("a wide place is filled, a narrow one shows the picture as it is composed", () => {
  expect(pictureAspect({ width: 1600, height: 900 })).toBeCloseTo(1.75, 5);
  expect(pictureAspect({ width: 3440, height: 900 })).toBeCloseTo(21 / 9, 5);
  expect(pictureAspect({ width: 640, height: 690 })).toBe(4 / 3);
  expect(pictureAspect({ width: 390, height: 340 })).toBe(4 / 3);
});

test("a preview has as many pixels in any shape", () => {
  expect(previewSize("preview", 4 / 3)).toEqual({ width: 640, height: 480 });
  expect(previewSize("draft", 4 / 3)).toEqual({ width: 400, height: 300 });
  for (const aspect of [4 / 3, 1.75, 21 / 9]) {
    const { width, height } = previewSize("final", aspect);
    expect((width * height) / (960 * 720)).toBeCloseTo(1, 2);
    expect(width / height).toBeCloseTo(aspect, 2);
  }
});
