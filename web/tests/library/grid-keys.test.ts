import { expect, test } from "vitest";
import { gridKey } from "../../src/views/library/grid-keys";

/** Eight cells in rows of three. */
test.each([
  ["ArrowRight", 0, 1],
  ["ArrowRight", 7, 7],
  ["ArrowLeft", 3, 2],
  ["ArrowLeft", 0, 0],
  ["ArrowDown", 1, 4],
  ["ArrowDown", 5, 7],
  ["ArrowDown", 6, 6],
  ["ArrowUp", 4, 1],
  ["ArrowUp", 2, -1],
  ["Home", 5, 0],
  ["End", 1, 7],
  ["PageDown", 1, 7],
  ["PageUp", 7, 1],
  ["Enter", 1, null],
  ["toString", 1, null],
])("%s leads from %d to %s", (key, at, to) => {
  expect(gridKey(key, at, 8, 3)).toBe(to);
});
