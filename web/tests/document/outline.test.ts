import { describe, expect, test } from "vitest";
import { rangeOf, rowsOf, toggled } from "../../src/document/tree/tree";
import { SCENE } from "../support/small-scene";

describe("the outline", () => {
  const lines = (...open: string[]) =>
    rowsOf(SCENE, new Set(open)).map(
      ({ level, label, position, siblings }) => `${level} ${label} ${position}/${siblings}`,
    );

  test("has groups inside groups, members below them", () => {
    expect(lines("snowman", "top")).toEqual([
      "1 Camera 1/5",
      "1 Environment 2/5",
      "1 floor 3/5",
      "1 snowman 4/5",
      "2 head 1/2",
      "2 top 2/2",
      "3 hat 1/1",
      "1 key 5/5",
    ]);
    expect(lines(), "folded at first").toHaveLength(5);
    expect(lines("snowman")).toHaveLength(7);
  });

  test("a range ends with the row that was clicked", () => {
    const rows = rowsOf(SCENE, new Set(["snowman", "top"]));
    expect(rangeOf(rows, "hat", "head")).toEqual(["top", "hat", "head"]);
    expect(rangeOf(rows, "head", "hat")).toEqual(["head", "top", "hat"]);
    expect(rangeOf(rows, "gone", "hat")).toEqual(["hat"]);
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
    expect(toggled(["a"], "b")).toEqual(["a", "b"]);
  });
});
