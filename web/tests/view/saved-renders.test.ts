import { expect, test, vi } from "vitest";
import { SavedRenders } from "../../src/view/saved-renders";

const picture = () => ({ width: 4, height: 3, close: vi.fn() }) as unknown as ImageBitmap;

test("the newest saved render is compared with; others and the raster can be chosen", () => {
  const saved = new SavedRenders();
  saved.save(picture(), "one");
  saved.save(picture(), "two");
  expect(saved.chosen.value?.name).toBe("two");
  saved.choose(saved.list.value[0]?.id ?? -1);
  expect(saved.chosen.value?.name).toBe("one");
  saved.choose(0);
  expect(saved.chosen.value).toBeNull();
});

test("the oldest make room and give their memory back, as all do at the end", () => {
  const saved = new SavedRenders();
  const pictures = Array.from({ length: 10 }, picture);
  for (const [index, image] of pictures.entries()) saved.save(image, `picture ${index}`);
  expect(saved.list.value.map(({ name }) => name)).toEqual(
    [2, 3, 4, 5, 6, 7, 8, 9].map((index) => `picture ${index}`),
  );
  expect(pictures.map((image) => vi.mocked(image.close).mock.calls.length)).toEqual([
    1, 1, 0, 0, 0, 0, 0, 0, 0, 0,
  ]);
  saved.clear();
  expect(saved.chosen.value).toBeNull();
  expect(pictures.every((image) => vi.mocked(image.close).mock.calls.length === 1)).toBe(true);
});
