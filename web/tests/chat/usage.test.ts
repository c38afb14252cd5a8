import { describe, expect, test } from "vitest";
import { contextShare, costText, percent, tokens, usageWith } from "../../src/chat/usage";

test("a run adds to the session; what the service does not tell stays as it was", () => {
  const session = { input_tokens: 100, output_tokens: 10, context_tokens: 60, cost: 0.5 };
  expect(usageWith(session, { input_tokens: 5, output_tokens: 2 })).toEqual({
    input_tokens: 105,
    output_tokens: 12,
    context_tokens: 60,
    cost: 0.5,
  });
  const priced = { input_tokens: 1, output_tokens: 1, context_tokens: 90, cost: 0.25 };
  expect(usageWith(session, priced)).toMatchObject({ context_tokens: 90, cost: 0.75 });
  expect(usageWith({ input_tokens: 0, output_tokens: 0 }, { input_tokens: 1, output_tokens: 1 })).toEqual({
    input_tokens: 1,
    output_tokens: 1,
  });
});

test("how full the window is, is known only where both numbers are", () => {
  const model = { id: "m", label: "m", sees_images: true, context_window: 200 };
  const usage = { input_tokens: 500, output_tokens: 0, context_tokens: 50 };
  expect(contextShare(usage, model)).toBe(0.25);
  expect(contextShare({ ...usage, context_tokens: 900 }, model)).toBe(1);
  expect(contextShare({ input_tokens: 1, output_tokens: 1 }, model)).toBeNull();
  expect(contextShare(usage, { id: "m", label: "m", sees_images: true })).toBeNull();
  expect(contextShare(usage, undefined)).toBeNull();
});

describe("numbers are short and do not lie", () => {
  test.each([
    [0, "0"],
    [999, "999"],
    [1000, "1.0k"],
    [99_949, "99.9k"],
    [99_960, "100k"],
    [999_949, "1000k"],
    [999_951, "1.0M"],
    [12_345_678, "12.3M"],
  ])("%d tokens", (count, text) => expect(tokens(count)).toBe(text));

  test.each([
    [0, "0.00"],
    [0.0042, "0.0042"],
    [0.35, "0.35"],
    [12.8, "12.80"],
    [0.0000004, "<0.000001"],
  ])("a cost of %d", (cost, text) => expect(costText(cost)).toBe(text));

  test.each([
    [0, "0 %"],
    [0.004, "<1 %"],
    [0.07, "7 %"],
    [1, "100 %"],
  ])("a share of %d", (share, text) => expect(percent(share)).toBe(text));
});
