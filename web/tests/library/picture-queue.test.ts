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

test("what is seen comes first; what is not yet is loaded when nothing else is, two at a time", () => {
  const queue = new PictureQueue();
  const started: string[] = [];
  const add = (name: string, isSeen: boolean) => queue.add(() => started.push(name), isSeen);
  const ahead = ["a", "b", "c"].map((name) => add(name, false));
  expect(started).toEqual(["a", "b"]);
  expect(queue.isBusy.value, "nobody waits for these").toBe(false);
  const seen = ["d", "e", "f"].map((name) => add(name, true));
  expect(started).toEqual(["a", "b", "d", "e"]);
  expect(queue.isBusy.value).toBe(true);
  ahead[0]?.();
  expect(started).toEqual(["a", "b", "d", "e", "f"]);
  for (const done of seen) done();
  expect(queue.isBusy.value).toBe(false);
  expect(started).toEqual(["a", "b", "d", "e", "f", "c"]);
});
