import { expect, test } from "vitest";
import { Bookmarks } from "../../src/view/bookmarks";

test("one goes on from bookmark to bookmark, round and round, and begins at an end", () => {
  const bookmarks = new Bookmarks(() => ({ getItem: () => null, setItem: () => {} }));
  expect(bookmarks.beside(null, 1)).toBeNull();
  const cameras = [1, 2, 3].map((x) => ({ center: [x, 0, 0], look_at: [0, 0, 0] }));
  for (const camera of cameras) bookmarks.add(camera);
  const [first, second, third] = cameras;
  expect(bookmarks.beside(null, 1)?.camera).toBe(first);
  expect(bookmarks.beside(null, -1)?.camera).toBe(third);
  expect(bookmarks.beside(first ?? null, 1)?.camera).toBe(second);
  expect(bookmarks.beside(third ?? null, 1)?.camera).toBe(first);
  expect(bookmarks.beside(first ?? null, -1)?.camera).toBe(third);
});
