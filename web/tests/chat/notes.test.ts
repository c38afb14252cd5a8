import { expect, test } from "vitest";
import { entered, finished, log, play, said, TOOL, TOOL_OK, USER } from "../support/store-events";

const note = (text: string, call_id: string = TOOL.call_id) =>
  said({ type: "progress", step: 1, action: "tool_call", target: `x: ${text}`, call_id, note: text });
const { type: _, ...CALL } = TOOL;

test("a running call shows the newest note of what it does, until it ends", () => {
  const running = play(log(entered(), USER, TOOL), note("mixes"), note("paints"), note("of another", "c9"));
  expect(running.chat.at(-1)).toEqual({ kind: "tool", ...CALL, note: "paints" });
  const announced = said({ type: "progress", step: 1, action: "tool_call", target: "create_shape" });
  expect(play(running, announced)).toEqual(running);
  const done = log(running, TOOL_OK);
  expect(done.chat.at(-1)).not.toHaveProperty("note");
  expect(play(done, note("too late"))).toEqual(done);
  expect(log(running, finished({ reason: "cancelled" })).chat[1]).not.toHaveProperty("note");
});
