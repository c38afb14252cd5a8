import { expect, test, vi } from "vitest";
import { KeptPictures } from "../src/view/kept";

const picture = () => ({ width: 4, height: 3, close: vi.fn() }) as unknown as ImageBitmap;

test("the newest kept picture is compared with; others and the raster can be chosen", () => {
  const kept = new KeptPictures();
  kept.keep(picture(), "one");
  kept.keep(picture(), "two");
  expect(kept.chosen.value?.name).toBe("two");
  kept.choose(kept.list.value[0]?.id ?? -1);
  expect(kept.chosen.value?.name).toBe("one");
  kept.choose(0);
  expect(kept.chosen.value).toBeNull();
});

test("the oldest make room and give their memory back, as all do at the end", () => {
  const kept = new KeptPictures();
  const pictures = Array.from({ length: 10 }, picture);
  for (const [index, image] of pictures.entries()) kept.keep(image, `picture ${index}`);
  expect(kept.list.value.map(({ name }) => name)).toEqual(
    [2, 3, 4, 5, 6, 7, 8, 9].map((index) => `picture ${index}`),
  );
  expect(pictures.map((image) => vi.mocked(image.close).mock.calls.length)).toEqual([
    1, 1, 0, 0, 0, 0, 0, 0, 0, 0,
  ]);
  kept.clear();
  expect(kept.chosen.value).toBeNull();
  expect(pictures.every((image) => vi.mocked(image.close).mock.calls.length === 1)).toBe(true);
});
