import { expect, test } from "vitest";
import { addChanges } from "../../src/chat/chat";
import type { Chat } from "../../src/chat/entries";
import type { HistoryStep, SceneChange } from "../../src/protocol";

const change = (op: SceneChange["op"], id: string): SceneChange => ({
  op,
  kind: "shape",
  id,
  before: null,
  after: null,
});

function chatOf(steps: readonly [SceneChange, HistoryStep?][]): Chat {
  let chat: Chat = [];
  for (const [index, [changed, history]] of steps.entries()) {
    const step = history === undefined ? {} : { history };
    chat = addChanges(chat, { revision: index + 1, by: "user", changes: [changed], ...step });
  }
  return chat;
}

test("what is undone in a row is one line of its own, and so is what is redone", () => {
  const chat = chatOf([
    [change("create", "box")],
    [change("update", "box")],
    [change("update", "box"), "undo"],
    [change("remove", "box"), "undo"],
    [change("create", "box"), "redo"],
    [change("update", "box")],
  ]);
  expect(chat).toMatchObject([
    { kind: "changed", changes: [{ op: "create", id: "box" }], revision: 2 },
    { kind: "changed", history: "undo", changes: [{ op: "remove", id: "box" }], revision: 4 },
    { kind: "changed", history: "redo", revision: 5 },
    { kind: "changed", changes: [{ op: "update" }], revision: 6 },
  ]);
  expect(chat[0]).not.toHaveProperty("history");
});
