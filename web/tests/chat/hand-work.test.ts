import { expect, test } from "vitest";
import type { Chat, ShownEntry } from "../../src/chat/entries";
import { handWork } from "../../src/chat/hand-work";

const line = (by = "user"): ShownEntry => ({ kind: "changed", revision: 1, by, changes: [] });
const said = { kind: "model", message_id: "m1", text: "Here." } as ShownEntry;

test("two lines of changes by hand stay as they are", () => {
  expect(handWork([said, line(), line(), said])).toEqual([]);
});

test("each longer row of them is one", () => {
  const chat: Chat = [line(), line(), line(), said, line(), said, line(), line(), line(), line()];
  expect(handWork(chat)).toEqual([
    { start: 0, end: 3 },
    { start: 6, end: 10 },
  ]);
});

test("what another one changed ends a row", () => {
  expect(handWork([line(), line(), line("model"), line()])).toEqual([]);
});
