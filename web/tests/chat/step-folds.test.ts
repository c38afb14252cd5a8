import { expect, test } from "vitest";
import type { Chat, ToolEntry } from "../../src/chat/entries";
import { stepFolds } from "../../src/chat/step-folds";

type Entry = Chat[number];
const asked = { kind: "user", message_id: "u", text: "a castle" } as unknown as Entry;
const said = (text: string, thought?: string) =>
  ({ kind: "model", message_id: text, text, ...(thought !== undefined && { thought }) }) as unknown as Entry;
const call = (name: string, more: Partial<ToolEntry> = {}): Entry => ({
  kind: "tool",
  call_id: name,
  name,
  args: {},
  response: { success: true, result: {} },
  ...more,
});
const STEPS = [said("I'll look first."), call("get_scene_state"), said("On it."), call("batch")];
const ANSWER = said("I added a castle.");

test("the way to an answer is one line, once the answer has come", () => {
  const chat = [asked, ...STEPS, ANSWER, asked, ...STEPS];
  expect(stepFolds(chat, true)).toEqual([
    {
      key: "steps-get_scene_state",
      calls: [1, 2, 3, 4],
      tools: [
        ["get_scene_state", 1],
        ["batch", 1],
      ],
      isWhole: true,
    },
  ]);
  expect(stepFolds([asked, ...STEPS, ANSWER], true), "while it runs").toEqual([]);
  expect(stepFolds([asked, ...STEPS, ANSWER], false)).toHaveLength(1);
});

test.each([
  ["a failure", [call("batch", { response: { success: false, error: "no" } })]],
  ["a call of a sub-agent", [call("create_shape", { parent_call_id: "x" })]],
  ["a sub-agent", [call("delegate_to_artist")]],
  ["many words", [said("x".repeat(81)), call("batch")]],
  ["a thought", [said("Well.", "Hm, a castle."), call("batch")]],
  ["a notice", [{ kind: "notice", text: "Slow." } as Entry, call("batch")]],
])("with %s it stays as it is", (_, more) => {
  expect(stepFolds([asked, ...STEPS, ...more, ANSWER], false)).toEqual([]);
});

test("one call, calls without words and a way without an answer stay, too", () => {
  expect(stepFolds([asked, said("On it."), call("batch"), ANSWER], false)).toEqual([]);
  expect(stepFolds([asked, call("get_scene_state"), call("batch"), ANSWER], false)).toEqual([]);
  expect(stepFolds([asked, ...STEPS], false)).toEqual([]);
});
