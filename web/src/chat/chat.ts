import type { HistoryStep, ModelEntry, SceneChange, ToolResponse } from "../protocol";
import { netChanges } from "./changes";
import type { Chat, ShownEntry, ToolEntry } from "./entries";

export type ToolStatus = "running" | "ok" | "failed";

export function toolStatus(entry: ToolEntry): ToolStatus {
  if (entry.response === undefined) return "running";
  return entry.response.success ? "ok" : "failed";
}

/** The chat of a welcome as it would stand after its events. */
export function chatOf(entries: readonly ShownEntry[]): Chat {
  let chat: Chat = [];
  for (const entry of entries) {
    if (entry.kind === "changed") chat = addChanges(chat, entry);
    else chat = entry.kind === "tool" ? addTool(chat, entry) : [...chat, entry];
  }
  return chat;
}

/** Adds a call: that of a sub-agent stands below the call it works for, after those before it. */
export function addTool(chat: Chat, tool: ToolEntry): Chat {
  const of = tool.parent_call_id;
  if (of === undefined) return [...chat, tool];
  const at = chat.findLastIndex(
    (entry) => entry.kind === "tool" && (entry.call_id === of || entry.parent_call_id === of),
  );
  return at === -1 ? [...chat, tool] : chat.toSpliced(at + 1, 0, tool);
}

/** Whether a call hands a task to a sub-agent, which changes things by calls of its own. */
export function delegates({ name }: Pick<ToolEntry, "name">): boolean {
  return name.startsWith("delegate_to_");
}

/** Adds streamed text to the model's message, which it starts when it is not there yet. */
export function appendText(chat: Chat, messageId: string, text: string, thought: boolean): Chat {
  const index = chat.findLastIndex((entry) => entry.kind === "model" && entry.message_id === messageId);
  const found = chat[index];
  const message: ModelEntry =
    found?.kind === "model" ? { ...found } : { kind: "model", message_id: messageId, text: "" };
  if (thought) message.thought = (message.thought ?? "") + text;
  else message.text += text;
  return found === undefined ? [...chat, message] : chat.with(index, message);
}

/** Takes back a partial answer: it will be streamed again from its start. The user's edits around it become one line. */
export function discardText(chat: Chat, messageId: string): Chat {
  return chatOf(chat.filter((entry) => entry.kind !== "model" || entry.message_id !== messageId));
}

export function finishTool(
  chat: Chat,
  finished: { call_id: string; name: string; response: ToolResponse; duration_ms: number },
): Chat {
  const { call_id, name, response, duration_ms } = finished;
  const index = chat.findLastIndex((entry) => entry.kind === "tool" && entry.call_id === call_id);
  const found = chat[index];
  if (found?.kind === "tool") {
    const { note: _, ...call } = found;
    return chat.with(index, { ...call, response, duration_ms });
  }
  return [...chat, { kind: "tool", call_id, name, args: {}, response, duration_ms }];
}

/** What a running call says it does. One that is not there, or has ended, says nothing. */
export function noteTool(chat: Chat, callId: string, note: string): Chat {
  const index = chat.findLastIndex((entry) => entry.kind === "tool" && entry.call_id === callId);
  const found = chat[index];
  if (found?.kind !== "tool" || found.response !== undefined) return chat;
  return chat.with(index, { ...found, note });
}

/** Calls that will not come back any more: their run is over. */
export function endOpenTools(chat: Chat): Chat {
  if (!chat.some((entry) => entry.kind === "tool" && entry.response === undefined)) return chat;
  return chat.map((entry) => {
    if (entry.kind !== "tool" || entry.response !== undefined) return entry;
    const { note: _, ...call } = entry;
    return { ...call, response: { success: false, error: "Stopped before it finished." } };
  });
}

export function addNotice(chat: Chat, text: string, isError: boolean): Chat {
  return [...chat, isError ? { kind: "notice", text, is_error: true } : { kind: "notice", text }];
}

/** A change of the scene, live or from the chat of a welcome. */
interface ChangeEvent {
  revision: number;
  by: string;
  changes: SceneChange[];
  left_out?: number;
  history?: HistoryStep;
}

/** The call that makes a change now: the last that still runs, else the last of all. */
function changingTool(chat: Chat): number {
  const runs = (entry: ShownEntry) =>
    entry.kind === "tool" && entry.response === undefined && !delegates(entry);
  const running = chat.findLastIndex(runs);
  return running === -1 ? chat.findLastIndex((entry) => entry.kind === "tool") : running;
}

/**
 * Notes a change of the scene: the model's with the call before it, which made it, because calls that change
 * something run one by one. What the user changes in a row is one line, however many fields that were, and so is what
 * they undo or redo in a row.
 */
export function addChanges(chat: Chat, event: ChangeEvent): Chat {
  const { revision, by, changes, history } = event;
  if (changes.length === 0) return chat;
  const leftOut = (before?: number) => {
    const all = (before ?? 0) + (event.left_out ?? 0);
    return all > 0 ? { left_out: all } : {};
  };
  const index = by === "model" ? changingTool(chat) : -1;
  const tool = chat[index];
  if (tool?.kind === "tool") {
    const all = [...(tool.changes ?? []), ...changes];
    return chat.with(index, { ...tool, revision, changes: all, ...leftOut(tool.left_out) });
  }
  const last = chat.at(-1);
  if (last?.kind === "changed" && last.by === by && by === "user" && last.history === history) {
    const all = netChanges([...last.changes, ...changes]);
    return chat.with(-1, { ...last, revision, changes: all, ...leftOut(last.left_out) });
  }
  const told = { kind: "changed", revision, by, changes, ...leftOut() } as const;
  return [...chat, { ...told, ...(history !== undefined && { history }) }];
}

/** The id of the object a call is about, where it names one. */
export function argumentId(entry: ToolEntry): string | null {
  const { args } = entry;
  if (typeof args !== "object" || args === null || !("id" in args)) return null;
  return typeof args.id === "string" ? args.id : null;
}
