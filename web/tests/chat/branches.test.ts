import { describe, expect, test } from "vitest";
import { type BranchSummary, switchesOf } from "../../src/chat/branches";

const branch = (
  number: number,
  parent: number | null,
  replaces: string | null,
  first: string | null,
): BranchSummary => ({ branch: number, parent, replaces, first_message_id: first });
const shown = (summaries: BranchSummary[], active: number) =>
  Object.fromEntries(
    [...switchesOf(summaries, active)].map(([id, { branches, position }]) => [
      id,
      `${position + 1} of ${branches.join(" ")}`,
    ]),
  );

describe("where branches part", () => {
  test("one branch parts nowhere", () => {
    expect(shown([branch(0, null, null, "u1")], 0)).toEqual({});
  });

  test("is at the message that was said in two ways", () => {
    const two = [branch(0, null, null, "u1"), branch(1, 0, "u2", "u3")];
    expect(shown(two, 0)).toEqual({ u2: "1 of 0 1" });
    expect(shown(two, 1)).toEqual({ u3: "2 of 0 1" });
  });

  test("three ways of one message stand side by side, whichever was edited", () => {
    const fromFirst = [branch(0, null, null, "u1"), branch(1, 0, "u1", "u2"), branch(2, 0, "u1", "u3")];
    const fromSecond = [branch(0, null, null, "u1"), branch(1, 0, "u1", "u2"), branch(2, 1, "u2", "u3")];
    for (const three of [fromFirst, fromSecond]) {
      expect(shown(three, 0)).toEqual({ u1: "1 of 0 1 2" });
      expect(shown(three, 1)).toEqual({ u2: "2 of 0 1 2" });
      expect(shown(three, 2)).toEqual({ u3: "3 of 0 1 2" });
    }
  });

  test("a branch of a branch shows both places", () => {
    const nested = [branch(0, null, null, "u1"), branch(1, 0, "u2", "u3"), branch(2, 1, "u4", "u5")];
    expect(shown(nested, 2)).toEqual({ u3: "2 of 0 1", u5: "2 of 1 2" });
    expect(shown(nested, 0)).toEqual({ u2: "1 of 0 1" });
  });

  test("a branch without a message yet has no switch of its own", () => {
    expect(shown([branch(0, null, null, "u1"), branch(1, 0, "u1", null)], 1)).toEqual({});
  });
});
