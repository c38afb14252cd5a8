import type { Attachment } from "../chat/attachments";
import type { BranchSummary } from "../chat/branches";
import type { Chat } from "../chat/entries";
import type { ModelSettings } from "../chat/model-settings";
import type { ConnectionState } from "../connection/socket";
import { type DocumentEvent, type DocumentState, initialDocument } from "../document/state";
import type {
  Access,
  ApprovalRequest,
  Bookmark,
  EditCall,
  Goal,
  Limits,
  ModelInfo,
  PreviewHeader,
  Quality,
  ServerMessage,
  Usage,
} from "../protocol";
import type { People } from "./people";

/** A message the user sent that the session has not shown yet. */
export interface OutgoingMessage {
  requestId: string;
  text: string;
  /** `unconfirmed`: the line was lost before an answer. `refused`: the server said no, see `reason`. */
  status: "sending" | "unconfirmed" | "refused";
  reason?: string;
  /** Whether the same words may be accepted later. */
  retryable?: boolean;
  /** Of one that is not on its way any more: how many entries of the chat stand above it. */
  place?: number;
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
  /** What the samples took so far; null where nobody has told. */
  elapsedMs: number | null;
  etaMs: number | null;
  /** Relative error, 0.021 = 2.1 %. */
  noise: number | null;
}

/** What is said over the picture for a while. */
export interface Toast {
  id: number;
  text: string;
  tone: "error" | "note";
  /** What can be done about it, by a button. */
  offer?: ToastOffer;
}

export interface ToastOffer {
  label: string;
  calls: readonly EditCall[];
}

/** A message shown once in the banner; it disappears by itself. */
export type Announcement = "resumed" | "fresh" | "unknown_session" | "session_gone";

export interface StudioState {
  connection: ConnectionState;
  /** Null until the first welcome. */
  session: { id: string; epoch: string; seq: number } | null;
  announcement: Announcement | null;
  /** The session's name; empty until its first message. */
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
  /** Tool calls that wait for the user's approval, the oldest first. */
  approvals: readonly ApprovalRequest[];
  /** Who looks at the session; null until the server has told. */
  people: People | null;
  /** The newest goal of the session. */
  goal: Goal | null;
  /** The bookmarks of the session, in order. */
  bookmarks: readonly Bookmark[];
  /** Those that are on their way to the server, which may refuse them. */
  bookmarksSent: { requestId: string; bookmarks: readonly Bookmark[] } | null;
  /** Steps of this page that change the scene and name no objects, such as undoing, which the server has not told of. */
  ownSteps: number;
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
  /** Refusals that belong to no message, and notes on what was done, newest last. */
  toasts: readonly Toast[];
}

export type StudioEvent =
  | { type: "message"; message: ServerMessage; receivedAtMs: number }
  | { type: "connection"; connection: ConnectionState }
  /** After a resumed welcome: everything that was missed has come. */
  | { type: "caught_up" }
  | { type: "unknown_session" }
  | { type: "session_left" }
  | { type: "announcement_dismissed" }
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
  /** Something is on its way that will change the scene, beside edits. */
  | { type: "step_sent" }
  | { type: "bookmarks_sent"; requestId: string; bookmarks: readonly Bookmark[] }
  | { type: "models_listed"; models: readonly ModelInfo[] }
  | { type: "view_chosen"; quality: Quality; paused: boolean }
  | { type: "preview_shown"; header: PreviewHeader }
  | { type: "toast"; text: string; tone?: Toast["tone"] }
  | { type: "toast_dismissed"; id: number }
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
  people: null,
  goal: null,
  bookmarks: [],
  bookmarksSent: null,
  ownSteps: 0,
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
  toasts: [],
};
