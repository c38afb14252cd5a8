import { expect, test } from "vitest";
import type { Chat, ToolEntry } from "../../src/chat/entries";
import { toolFolds } from "../../src/chat/tool-folds";

const call = (
  index: number,
  response: ToolEntry["response"] | "running" = { success: true, result: {} },
): ToolEntry => ({
  kind: "tool",
  call_id: `c${index}`,
  name: index % 5 === 0 ? "create_light" : "create_shape",
  args: {},
  ...(response === "running" ? {} : { response }),
});
const said = { kind: "model", message_id: "m1", text: "Here.", thought: "" } as unknown as Chat[number];
const row = (count: number, first = 0) => Array.from({ length: count }, (_, at) => call(first + at));

test("a short row stays as it is", () => {
  expect(toolFolds([said, ...row(10), said])).toEqual([]);
});

test("of a long row its first calls and its newest stay, and what the rest is told", () => {
  const [fold, ...others] = toolFolds([said, ...row(14), said]);
  expect(others).toEqual([]);
  expect(fold?.key).toBe("c0");
  expect(fold?.calls).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13]);
  expect(fold?.tools).toEqual([
    ["create_shape", 7],
    ["create_light", 2],
  ]);
});

test("what failed and what still runs is never folded", () => {
  const calls = row(14);
  calls[6] = call(6, { success: false, error: "no" } as ToolEntry["response"]);
  calls[12] = call(12, "running");
  expect(toolFolds(calls)[0]?.calls).toEqual([4, 5, 7, 8, 9, 10, 11]);
});

test("each row is folded for itself", () => {
  const chat = [...row(12), said, ...row(11, 20), said, ...row(3, 40)];
  expect(toolFolds(chat).map(({ key }) => key)).toEqual(["c0", "c20"]);
});
