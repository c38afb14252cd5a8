import { describe, expect, test } from "vitest";
import { addChanges, addTool, chatOf, finishTool } from "../../src/chat/chat";
import type { Chat, ToolEntry } from "../../src/chat/entries";
import type { SceneChange } from "../../src/protocol";

const tool = (call_id: string, name: string, parent_call_id?: string): ToolEntry => ({
  kind: "tool",
  call_id,
  name,
  args: {},
  ...(parent_call_id !== undefined && { parent_call_id }),
});
const ids = (chat: Chat) => chat.map((entry) => (entry.kind === "tool" ? entry.call_id : entry.kind));
const change: SceneChange = { op: "update", kind: "light", id: "lamp", before: {}, after: {} };

/** Two sub-agents that work at the same time. */
const both = [
  tool("d1", "delegate_to_lighting_artist"),
  tool("d2", "delegate_to_set_dresser"),
  tool("d2/a", "create_shape", "d2"),
  tool("d1/a", "create_light", "d1"),
  tool("d2/b", "create_shape", "d2"),
];

describe("calls of sub-agents", () => {
  test("stand below the call that they work for", () => {
    const chat = both.reduce<Chat>(addTool, []);
    expect(ids(chat)).toEqual(["d1", "d1/a", "d2", "d2/a", "d2/b"]);
    expect(ids(chatOf(both))).toEqual(ids(chat));
  });

  test("are told what they change, not the call that waits for them", () => {
    let chat = addTool(
      addTool([], tool("d1", "delegate_to_lighting_artist")),
      tool("d1/a", "create_light", "d1"),
    );
    chat = addChanges(chat, { revision: 1, by: "model", changes: [change] });
    expect(chat[0]).not.toHaveProperty("changes");
    expect(chat[1]).toHaveProperty("changes", [change]);
    chat = finishTool(chat, {
      call_id: "d1/a",
      name: "create_light",
      response: { success: true },
      duration_ms: 1,
    });
    expect(chat[1]).toHaveProperty("response.success", true);
  });

  test("of a call that is not there stand at the end", () => {
    expect(ids(addTool([], tool("x", "measure", "gone")))).toEqual(["x"]);
  });
});
