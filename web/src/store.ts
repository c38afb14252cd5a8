import type { Attachment } from "./attachments";
import type { BranchSummary } from "./branches";
import {
  addChanges,
  addNotice,
  appendText,
  type Chat,
  chatOf,
  discardText,
  endOpenTools,
  finishTool,
} from "./chat";
import {
  caughtUp,
  changed,
  type DocumentEvent,
  type DocumentState,
  initialDocument,
  lineLost,
  pendingEdit,
  picked,
  reduceDocument,
  refused,
  settled,
  welcomed,
} from "./document/state";
import { type ModelSettings, settingsOf } from "./model-settings";
import type {
  Access,
  ApprovalRequest,
  Limits,
  ModelInfo,
  PreviewHeader,
  Quality,
  ServerError,
  ServerMessage,
  SessionEvent,
  Usage,
  WelcomeMessage,
} from "./protocol";
import type { ConnectionState } from "./socket";
import { unreachable } from "./unreachable";
import { usageWith } from "./usage";

/** A message the person sent that the session has not shown yet. */
export interface OutgoingMessage {
  requestId: string;
  text: string;
  /** `unconfirmed`: the line was lost before an answer. `refused`: the server said no, see `reason`. */
  status: "sending" | "unconfirmed" | "refused";
  reason?: string;
  /** Whether the same words may be accepted later. */
  retryable?: boolean;
  /** The message it says in another way. */
  replaces?: string;
  /** Ids of what was selected when it was said. */
  selection?: readonly string[];
  /** What came with it. */
  images?: readonly Attachment[];
}

export interface RenderState {
  revision: number;
  samples: number;
  targetSamples: number;
  etaMs: number | null;
  /** Relative error, 0.021 = 2.1 %. */
  noise: number | null;
}

/** Something to tell once, above the chat; it goes by itself. */
export type Announcement = "resumed" | "fresh" | "unknown_session" | "session_gone";

export interface StudioState {
  connection: ConnectionState;
  /** Null until the first welcome. */
  session: { id: string; epoch: string; seq: number } | null;
  announcement: Announcement | null;
  /** What people call the session; empty until something is said in it. */
  name: string;
  access: Access;
  /** Whether sessions outlive the server. */
  durable: boolean;
  /** Which branch of the conversation is shown, from 0, and how many there are. */
  branch: number;
  branches: number;
  /** Where they part, as far as it is known. */
  branchList: readonly BranchSummary[];
  chat: Chat;
  /** The scene, what is done to it here, and what is selected. */
  document: DocumentState;
  outgoing: readonly OutgoingMessage[];
  running: boolean;
  turn: { turn: number; maxTurns: number } | null;
  retrying: { attempt: number; untilMs: number; reason: string } | null;
  /** Tool calls that wait for the person's leave, the oldest first. */
  approvals: readonly ApprovalRequest[];
  revision: number;
  canUndo: boolean;
  canRedo: boolean;
  model: string;
  /** How the model is to answer; the provider's defaults where it says nothing. */
  modelSettings: ModelSettings;
  models: readonly ModelInfo[];
  limits: Limits;
  /** What the session's models were asked for, in all. */
  usage: Usage;
  /** A choice that the server may still refuse. */
  modelChange: { requestId: string; previous: string; previousSettings: ModelSettings } | null;
  render: RenderState | null;
  /** The preview on the canvas. */
  shown: PreviewHeader | null;
  quality: Quality;
  paused: boolean;
  /** Why the server cannot save, until it can again. */
  notSaved: string | null;
  /** Refusals that belong to no message, newest last. */
  faults: readonly { id: number; text: string }[];
}

export type StudioEvent =
  | { type: "message"; message: ServerMessage; receivedAtMs: number }
  | { type: "connection"; connection: ConnectionState }
  /** After a resumed welcome: everything that was missed has come. */
  | { type: "caught_up" }
  | { type: "unknown_session" }
  | { type: "session_left" }
  | { type: "announcement_seen" }
  | {
      type: "message_sent";
      requestId: string;
      text: string;
      replaces?: string;
      selection?: readonly string[];
      images?: readonly Attachment[];
    }
  | { type: "outgoing_dropped"; requestId: string }
  | { type: "branches_known"; sessionId: string; branches: readonly BranchSummary[] }
  | { type: "model_chosen"; requestId: string; model: string; settings: ModelSettings }
  | { type: "models_listed"; models: readonly ModelInfo[] }
  | { type: "view_chosen"; quality: Quality; paused: boolean }
  | { type: "preview_shown"; header: PreviewHeader }
  | { type: "fault"; text: string }
  | { type: "fault_seen"; id: number }
  | DocumentEvent;

/** Until a welcome tells them. */
const NO_LIMITS: Limits = {
  max_turns: 0,
  max_message_bytes: 0,
  max_images: 0,
  max_image_side: 0,
  max_samples: 0,
  max_shapes: 0,
  max_lights: 0,
  standing_approvals: false,
};

export const initialState: StudioState = {
  connection: { phase: "connecting", attempt: 0 },
  session: null,
  announcement: null,
  name: "",
  access: "edit",
  durable: true,
  branch: 0,
  branches: 1,
  branchList: [],
  chat: [],
  document: initialDocument,
  outgoing: [],
  running: false,
  turn: null,
  retrying: null,
  approvals: [],
  revision: 0,
  canUndo: false,
  canRedo: false,
  model: "",
  modelSettings: {},
  models: [],
  limits: NO_LIMITS,
  usage: { input_tokens: 0, output_tokens: 0 },
  modelChange: null,
  render: null,
  shown: null,
  quality: "preview",
  paused: false,
  notSaved: null,
  faults: [],
};

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
    case "announcement_seen":
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
    case "models_listed":
      return { ...state, models: event.models };
    case "view_chosen":
      return { ...state, quality: event.quality, paused: event.paused };
    case "preview_shown":
      return onPreviewShown(state, event.header);
    case "fault":
      return addFault(state, event.text);
    case "fault_seen":
      return { ...state, faults: state.faults.filter((fault) => fault.id !== event.id) };
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
      const { revision, samples, target_samples, eta_ms, noise } = message;
      const render = { revision, samples, targetSamples: target_samples };
      return { ...state, render: { ...render, etaMs: eta_ms, noise } };
    }
    // `tool_started`, which follows, says the same and more.
    case "progress":
    case "pong":
      return state;
    case "picked":
      return { ...state, document: picked(state.document, message.request_id, message.id) };
    case "unchanged":
      return { ...state, document: settled(state.document, message.request_id) };
    default: {
      const current = advance(state, message.seq);
      if (current === null) return state;
      // An event is told once it is saved.
      return onSessionEvent({ ...current, notSaved: null }, message, receivedAtMs);
    }
  }
}

function onSessionEvent(state: StudioState, event: SessionEvent, receivedAtMs: number): StudioState {
  const { chat } = state;
  switch (event.type) {
    case "user_message": {
      const { message_id, text, revision, selection, images } = event;
      const outgoing = confirm(state.outgoing, [text]);
      const about = {
        ...(selection !== undefined && { selection }),
        ...(images !== undefined && { images }),
      };
      const said = { kind: "user" as const, message_id, text, revision, ...about };
      const name = event.session_name ?? state.name;
      return { ...state, outgoing, name, running: true, chat: [...chat, said] };
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
      const { call_id, name, args } = event;
      const approvals = state.approvals.filter((asked) => asked.call_id !== call_id);
      return { ...state, approvals, retrying: null, chat: [...chat, { kind: "tool", call_id, name, args }] };
    }
    case "tool_finished":
      return { ...state, chat: finishTool(chat, event) };
    case "scene_changed":
      return {
        ...state,
        revision: event.revision,
        canUndo: event.can_undo,
        canRedo: event.can_redo,
        document: changed(state.document, event),
        // The scene of another branch comes with the chat that led to it.
        chat: event.for_branch ? chat : addChanges(chat, event),
      };
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
    case "model_selected":
      return { ...state, model: event.model, modelSettings: settingsOf(event), modelChange: null };
    default:
      return unreachable(event);
  }
}

function withOutcome(chat: Chat, finished: Extract<SessionEvent, { type: "run_finished" }>): Chat {
  const { reason, message } = finished;
  if (reason === "cancelled") return addNotice(chat, "Stopped.", false);
  if (message) return addNotice(chat, message, reason === "error");
  if (reason === "error") return addNotice(chat, "The model's answer ended with an error.", true);
  return chat;
}

/** A resumed session keeps what it shows, the missed events follow; a fresh one replaces it. */
function onWelcome(state: StudioState, welcome: WelcomeMessage): StudioState {
  const { session_id: id, epoch, seq, model, models, can_undo: canUndo, can_redo: canRedo } = welcome;
  const session = { id, epoch, seq };
  const { name, access, durable, branch, branches, limits } = welcome;
  const about = { name, access, durable, branch, branches, limits };
  const modelSettings = settingsOf(welcome);
  const choice = { model, modelSettings, models, modelChange: null };
  const common = { ...state, ...about, session, canUndo, canRedo, ...choice };
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
    document: welcomed(state.document, welcome),
    outgoing: confirm(state.outgoing, arrived),
    running: welcome.running,
    turn: null,
    retrying: null,
    approvals,
    revision: welcome.revision,
    usage: welcome.usage,
    render: null,
  };
}

function onConnection(state: StudioState, connection: ConnectionState): StudioState {
  if (connection.phase !== "waiting") return { ...state, connection };
  const outgoing = state.outgoing.map((each) =>
    each.status === "sending" ? { ...each, status: "unconfirmed" as const } : each,
  );
  return { ...state, connection, outgoing, document: lineLost(state.document), announcement: null };
}

/** Everything that was missed has come. */
function onCaughtUp(state: StudioState): StudioState {
  const document = caughtUp(state.document);
  const lost = state.document.pending.length - document.pending.length;
  const next: StudioState = { ...state, document, announcement: "resumed" };
  return lost === 0 ? next : addFault(next, "Your last edit did not reach the server.");
}

function onError(before: StudioState, error: ServerError): StudioState {
  const { request_id: requestId, message: reason, retryable } = error;
  const state = error.code === "not_saved" ? { ...before, notSaved: reason } : before;
  if (requestId !== undefined && requestId === state.modelChange?.requestId) {
    const { previous: model, previousSettings: modelSettings } = state.modelChange;
    return addFault({ ...state, model, modelSettings, modelChange: null }, reason);
  }
  const edit = pendingEdit(state.document, requestId);
  if (edit !== undefined) {
    const document = refused(state.document, edit, reason);
    const told = edit.field !== null || error.code === "not_saved";
    return told ? { ...state, document } : addFault({ ...state, document }, reason);
  }
  if (state.outgoing.some((each) => each.requestId === requestId)) {
    // Why nothing can be saved is told in one place.
    const why = error.code === "not_saved" ? "Not saved." : reason;
    const outgoing = state.outgoing.map((each) =>
      each.requestId === requestId ? { ...each, status: "refused" as const, reason: why, retryable } : each,
    );
    return { ...state, outgoing };
  }
  // What cannot be saved is told for as long as that lasts.
  return error.code === "not_saved" ? state : addFault(state, reason);
}

function onPreviewShown(state: StudioState, header: PreviewHeader): StudioState {
  const { revision, samples, target_samples: targetSamples } = header;
  const known = state.render;
  // A progress message may be ahead of the picture; a picture of another revision starts the count anew.
  const render =
    known?.revision === revision
      ? { ...known, samples: Math.max(known.samples, samples), targetSamples }
      : { revision, samples, targetSamples, etaMs: null, noise: null };
  return { ...state, shown: header, render };
}

/** The state with `seq` as the last event seen; null when it was seen before. */
function advance(state: StudioState, seq: number): StudioState | null {
  if (state.session === null || seq <= state.session.seq) return null;
  return { ...state, session: { ...state.session, seq } };
}

/** Takes the messages out that the session now shows, one for each text. */
function confirm(outgoing: readonly OutgoingMessage[], texts: string[]): readonly OutgoingMessage[] {
  return texts.reduce((rest, text) => {
    const index = rest.findIndex((each) => each.text === text && each.status !== "refused");
    return index === -1 ? rest : rest.toSpliced(index, 1);
  }, outgoing);
}

/** The session is gone. What the person typed for it is not: it can be sent to the next one. */
function onUnknownSession(state: StudioState): StudioState {
  const reason = "The session it was for is gone.";
  const outgoing = state.outgoing.map(
    ({ replaces: _, selection: __, ...message }): OutgoingMessage => ({
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
  const { connection, quality, paused, faults } = state;
  return { ...initialState, connection, quality, paused, faults };
}

function addFault(state: StudioState, text: string): StudioState {
  const id = (state.faults.at(-1)?.id ?? 0) + 1;
  return { ...state, faults: [...state.faults.slice(-2), { id, text }] };
}
