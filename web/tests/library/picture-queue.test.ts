import { expect, test } from "vitest";
import { PictureQueue } from "../../src/library/picture-queue";

test("pictures are loaded four at a time, in order; what is no longer wanted is left out", () => {
  const queue = new PictureQueue();
  const started: number[] = [];
  const done = Array.from({ length: 8 }, (_, index) => queue.add(() => started.push(index)));
  expect(started).toEqual([0, 1, 2, 3]);
  done[5]?.();
  done[1]?.();
  expect(started).toEqual([0, 1, 2, 3, 4]);
  done[0]?.();
  done[0]?.();
  expect(started, "each counts once").toEqual([0, 1, 2, 3, 4, 6]);
  for (const each of done) each();
  expect(started).toEqual([0, 1, 2, 3, 4, 6, 7]);
});
