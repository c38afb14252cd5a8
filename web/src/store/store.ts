import { chatOf, endOpenTools, noteTool } from "../chat/chat";
import { pickSettings } from "../chat/model-settings";
import type { ConnectionState } from "../connection/socket";
import {
  applyEditRefusal,
  applyPick,
  applyWelcome,
  dropPendingEdit,
  dropUnconfirmedEdits,
  markEditsUnconfirmed,
  pendingEdit,
  reduceDocument,
} from "../document/state";
import type { PreviewHeader, ServerError, ServerMessage, WelcomeMessage } from "../protocol";
import { onSessionEvent, withoutConfirmed } from "./session-events";
import { initialState, type OutgoingMessage, type StudioEvent, type StudioState } from "./state";
import { addToast } from "./toasts";

/** The page's whole state after `event`. Pure: time and randomness come in with the event. */
export function reduce(state: StudioState, event: StudioEvent): StudioState {
  switch (event.type) {
    case "message":
      return onMessage(state, event.message, event.receivedAtMs);
    case "connection":
      return onConnection(state, event.connection);
    case "caught_up":
      return onCaughtUp(state);
    case "unknown_session":
      return onUnknownSession(state);
    case "session_left":
      return leaveSession(state);
    case "announcement_dismissed":
      return { ...state, announcement: null };
    case "message_sent": {
      const { type: _, ...message } = event;
      return { ...state, outgoing: [...state.outgoing, { ...message, status: "sending" }] };
    }
    case "outgoing_dropped":
      return { ...state, outgoing: state.outgoing.filter((each) => each.requestId !== event.requestId) };
    case "branches_known":
      return event.sessionId === state.session?.id ? { ...state, branchList: event.branches } : state;
    case "model_chosen":
      return {
        ...state,
        model: event.model,
        modelSettings: event.settings,
        modelChange: {
          requestId: event.requestId,
          previous: state.model,
          previousSettings: state.modelSettings,
        },
      };
    case "bookmarks_sent": {
      const { requestId, bookmarks } = event;
      return { ...state, bookmarksSent: { requestId, bookmarks } };
    }
    case "models_listed":
      return { ...state, models: event.models };
    case "view_chosen":
      return { ...state, quality: event.quality, paused: event.paused };
    case "preview_shown":
      return onPreviewShown(state, event.header);
    case "step_sent":
      return { ...state, ownSteps: state.ownSteps + 1 };
    case "toast":
      return addToast(state, event.text, event.tone);
    case "toast_dismissed":
      return { ...state, toasts: state.toasts.filter((toast) => toast.id !== event.id) };
    default:
      return { ...state, document: reduceDocument(state.document, event) };
  }
}

function onMessage(state: StudioState, message: ServerMessage, receivedAtMs: number): StudioState {
  switch (message.type) {
    case "welcome":
      return onWelcome(state, message);
    case "error":
      return onError(state, message);
    case "render_progress": {
      const { revision, samples, target_samples, elapsed_ms, eta_ms, noise } = message;
      const render = { revision, samples, targetSamples: target_samples };
      return { ...state, render: { ...render, elapsedMs: elapsed_ms, etaMs: eta_ms, noise } };
    }
    case "progress": {
      // Without a note it says what `tool_started`, which follows, says as well.
      const { call_id, note } = message;
      if (call_id === undefined || note === undefined) return state;
      return { ...state, chat: noteTool(state.chat, call_id, note) };
    }
    case "pong":
      return state;
    case "presence": {
      const { you, people, more } = message;
      return { ...state, people: { you, people, more } };
    }
    case "picked":
      return { ...state, document: applyPick(state.document, message.request_id, message.id) };
    case "unchanged": {
      const isEdit = pendingEdit(state.document, message.request_id) !== undefined;
      const ownSteps = isEdit ? state.ownSteps : Math.max(0, state.ownSteps - 1);
      return { ...state, ownSteps, document: dropPendingEdit(state.document, message.request_id) };
    }
    default: {
      const current = advance(state, message.seq);
      if (current === null) return state;
      // The server sends an event once it is saved.
      return onSessionEvent({ ...current, notSaved: null }, message, receivedAtMs);
    }
  }
}

/** A resumed session keeps what it shows, the missed events follow; a fresh one replaces it. */
function onWelcome(state: StudioState, welcome: WelcomeMessage): StudioState {
  const { session_id: id, epoch, seq, model, models, can_undo: canUndo, can_redo: canRedo } = welcome;
  const session = { id, epoch, seq };
  const { name, access, durable, branch, branches, limits } = welcome;
  const about = { name, access, durable, branch, branches, limits, ownSteps: 0 };
  const modelSettings = pickSettings(welcome);
  const choice = { model, modelSettings, models, modelChange: null };
  const kept = { bookmarks: welcome.bookmarks ?? [], bookmarksSent: null };
  const common = { ...state, ...about, session, canUndo, canRedo, ...choice, ...kept };
  const { approvals } = welcome;
  if (welcome.resumed && state.session?.id === id) return { ...common, running: welcome.running };
  const chat = chatOf(welcome.chat);
  const known = new Set(state.chat.map((entry) => (entry.kind === "user" ? entry.message_id : "")));
  const arrived = welcome.chat.flatMap((entry) =>
    entry.kind === "user" && !known.has(entry.message_id) ? [entry.text] : [],
  );
  return {
    ...common,
    announcement: state.session?.id === id ? "fresh" : state.announcement,
    chat: welcome.running ? chat : endOpenTools(chat),
    document: applyWelcome(state.document, welcome),
    outgoing: withoutConfirmed(state.outgoing, arrived),
    running: welcome.running,
    turn: null,
    retrying: null,
    approvals,
    goal: welcome.goal ?? null,
    revision: welcome.revision,
    usage: welcome.usage,
    render: null,
  };
}

function onConnection(state: StudioState, connection: ConnectionState): StudioState {
  if (connection.phase !== "waiting") return { ...state, connection };
  const outgoing = state.outgoing.map((each) =>
    each.status === "sending" ? { ...each, status: "unconfirmed" as const, place: state.chat.length } : each,
  );
  return {
    ...state,
    connection,
    people: null,
    outgoing,
    document: markEditsUnconfirmed(state.document),
    announcement: null,
  };
}

/** Everything that was missed has come. */
function onCaughtUp(state: StudioState): StudioState {
  const document = dropUnconfirmedEdits(state.document);
  const lost = state.document.pending.length - document.pending.length;
  const next: StudioState = { ...state, document, announcement: "resumed" };
  return lost === 0 ? next : addToast(next, "Your last edit did not reach the server.");
}

function onError(before: StudioState, error: ServerError): StudioState {
  const { request_id: requestId, message: reason, retryable } = error;
  const state = error.code === "not_saved" ? { ...before, notSaved: reason } : before;
  if (requestId !== undefined && requestId === state.modelChange?.requestId) {
    const { previous: model, previousSettings: modelSettings } = state.modelChange;
    return addToast({ ...state, model, modelSettings, modelChange: null }, reason);
  }
  if (requestId !== undefined && requestId === state.bookmarksSent?.requestId)
    return addToast({ ...state, bookmarksSent: null }, reason);
  const edit = pendingEdit(state.document, requestId);
  if (edit !== undefined) {
    const document = applyEditRefusal(state.document, edit, reason);
    const isShownElsewhere = edit.field !== null || error.code === "not_saved";
    return isShownElsewhere ? { ...state, document } : addToast({ ...state, document }, reason);
  }
  if (state.outgoing.some((each) => each.requestId === requestId)) {
    // Why nothing can be saved is shown in one place.
    const why = error.code === "not_saved" ? "Not saved." : reason;
    const refused = { status: "refused" as const, reason: why, retryable, place: state.chat.length };
    const outgoing = state.outgoing.map((each) =>
      each.requestId === requestId ? { ...each, ...refused } : each,
    );
    return { ...state, outgoing };
  }
  // That nothing can be saved is shown for as long as it lasts.
  return error.code === "not_saved" ? state : addToast(state, reason);
}

function onPreviewShown(state: StudioState, header: PreviewHeader): StudioState {
  const { revision, samples, target_samples: targetSamples } = header;
  const known = state.render;
  // A progress message may be ahead of the picture; a picture of another revision starts the count again.
  const render =
    known?.revision === revision
      ? { ...known, samples: Math.max(known.samples, samples), targetSamples }
      : { revision, samples, targetSamples, elapsedMs: null, etaMs: null, noise: null };
  return { ...state, shown: header, render };
}

/** The state with `seq` as the last event seen; null when it was seen before. */
function advance(state: StudioState, seq: number): StudioState | null {
  if (state.session === null || seq <= state.session.seq) return null;
  return { ...state, session: { ...state.session, seq } };
}

/** The session is gone. What the user typed for it is not: it can be sent to the next one. */
function onUnknownSession(state: StudioState): StudioState {
  const reason = "Its session no longer exists.";
  const outgoing = state.outgoing.map(
    ({ replaces: _, selection: __, place: ___, ...message }): OutgoingMessage => ({
      ...message,
      status: "refused",
      reason,
      retryable: true,
    }),
  );
  const announcement = state.session === null ? "unknown_session" : "session_gone";
  return { ...leaveSession(state), outgoing, announcement };
}

function leaveSession(state: StudioState): StudioState {
  const { connection, quality, paused, toasts } = state;
  return { ...initialState, connection, quality, paused, toasts };
}
