import {
  addChanges,
  addNotice,
  addTool,
  appendText,
  chatOf,
  discardText,
  endOpenTools,
  finishTool,
} from "../chat/chat";
import type { Chat } from "../chat/entries";
import { pickSettings } from "../chat/model-settings";
import { usageWith } from "../chat/usage";
import { applySceneChanged } from "../document/state";
import type { SessionEvent } from "../protocol";
import { unreachable } from "../unreachable";
import { tellOthersEdit } from "./others-edits";
import type { OutgoingMessage, StudioState } from "./state";

/** The state after an event of the session's log. */
export function onSessionEvent(state: StudioState, event: SessionEvent, receivedAtMs: number): StudioState {
  const { chat } = state;
  switch (event.type) {
    case "user_message": {
      const { message_id, text, revision, selection, images } = event;
      const outgoing = withoutConfirmed(state.outgoing, [text]);
      const about = {
        ...(selection !== undefined && { selection }),
        ...(images !== undefined && { images }),
      };
      const entry = { kind: "user" as const, message_id, text, revision, ...about };
      const name = event.session_name ?? state.name;
      return { ...state, outgoing, name, running: true, chat: [...chat, entry] };
    }
    case "turn_started":
      return {
        ...state,
        running: true,
        retrying: null,
        turn: { turn: event.turn, maxTurns: event.max_turns },
      };
    case "text_delta":
      return {
        ...state,
        retrying: null,
        chat: appendText(chat, event.message_id, event.text, event.thought),
      };
    case "tool_started": {
      const { call_id, parent_call_id, name, args } = event;
      const approvals = state.approvals.filter((asked) => asked.call_id !== call_id);
      const of = parent_call_id !== undefined && { parent_call_id };
      const tool = { kind: "tool" as const, call_id, ...of, name, args };
      return { ...state, approvals, retrying: null, chat: addTool(chat, tool) };
    }
    case "tool_finished":
      return { ...state, chat: finishTool(chat, event) };
    case "scene_changed":
      return onSceneChanged(state, event);
    case "run_finished":
      return {
        ...state,
        running: false,
        turn: null,
        retrying: null,
        approvals: [],
        usage: event.usage === undefined ? state.usage : usageWith(state.usage, event.usage),
        chat: withOutcome(endOpenTools(chat), event),
      };
    case "approval_needed": {
      const { call_id, name, args } = event;
      return { ...state, approvals: [...state.approvals, { call_id, name, args }] };
    }
    case "retrying": {
      const { attempt, delay_ms, reason } = event;
      return { ...state, retrying: { attempt, untilMs: receivedAtMs + delay_ms, reason } };
    }
    case "text_discarded":
      return { ...state, chat: discardText(chat, event.message_id) };
    case "branch_selected":
      return { ...state, chat: chatOf(event.chat), branch: event.branch, branches: event.branches };
    case "session_named":
      return { ...state, name: event.name };
    case "bookmarks_changed":
      return {
        ...state,
        bookmarks: event.bookmarks,
        bookmarksSent: withoutThese(state.bookmarksSent, event),
      };
    case "model_selected":
      return { ...state, model: event.model, modelSettings: pickSettings(event), modelChange: null };
    case "goal_changed": {
      const { goal, notice } = event;
      return { ...state, goal, chat: notice === undefined ? chat : addNotice(chat, notice, false) };
    }
    default:
      return unreachable(event);
  }
}

function onSceneChanged(
  state: StudioState,
  event: Extract<SessionEvent, { type: "scene_changed" }>,
): StudioState {
  const { chat } = state;
  const changed: StudioState = {
    ...state,
    revision: event.revision,
    canUndo: event.can_undo,
    canRedo: event.can_redo,
    document: applySceneChanged(state.document, event),
    // The scene of another branch comes with the chat that led to it.
    chat: event.for_branch ? chat : addChanges(chat, event),
  };
  return tellOthersEdit(state, changed, event);
}

/** What is still on its way once the session has these: the server may have completed cameras, so the names tell. */
function withoutThese(
  sent: StudioState["bookmarksSent"],
  { bookmarks }: Pick<StudioState, "bookmarks">,
): StudioState["bookmarksSent"] {
  const namesOf = (list: StudioState["bookmarks"]) => list.map(({ name }) => name).join("\n");
  return sent !== null && namesOf(sent.bookmarks) !== namesOf(bookmarks) ? sent : null;
}

function withOutcome(chat: Chat, finished: Extract<SessionEvent, { type: "run_finished" }>): Chat {
  const { reason, message } = finished;
  if (reason === "cancelled") return addNotice(chat, "Stopped.", false);
  if (message) return addNotice(chat, message, reason === "error");
  if (reason === "error") return addNotice(chat, "The model's answer ended with an error.", true);
  return chat;
}

/** Takes the messages out that the session now shows, one for each text. */
export function withoutConfirmed(
  outgoing: readonly OutgoingMessage[],
  texts: string[],
): readonly OutgoingMessage[] {
  return texts.reduce((rest, text) => {
    const index = rest.findIndex((each) => each.text === text && each.status !== "refused");
    return index === -1 ? rest : rest.toSpliced(index, 1);
  }, outgoing);
}
