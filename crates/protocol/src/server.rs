//! Messages from the server to a client.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::entries::ChatEntry;
use crate::goal::{Goal, GoalChange};
use crate::parts::{
    Bookmark, Effort, ErrorCode, HistoryStep, PresentPerson, ProgressAction, RunFinishedReason,
    SceneChange, ShownImage, ToolResponse, Usage,
};
use crate::welcome::Welcome;

/// A message of the server. Messages with `seq` are the events of the session, numbered without gaps;
/// others are for one client or transient.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The first message on a connection.
    Welcome(Box<Welcome>),
    /// A message of the user.
    UserMessage {
        /// Number of this event.
        seq: u64,
        /// Unique in the session.
        message_id: String,
        /// The text.
        text: String,
        /// The scene's revision when it was sent, for `restore`.
        #[serde(default)]
        revision: u64,
        /// The new name of the session: the first message names it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session_name: Option<String>,
        /// Ids of the objects that were selected.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        selection: Vec<String>,
        /// The pictures that came with it, in order; each is found at
        /// `/api/sessions/{id}/messages/{message_id}/images/{index}`, counted from 0.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<ShownImage>>")]
        images: Vec<ShownImage>,
    },
    /// A request to the model starts.
    TurnStarted {
        /// Number of this event.
        seq: u64,
        /// From 1 in each run.
        turn: u32,
        /// The limit.
        max_turns: u32,
    },
    /// A piece of an answer.
    TextDelta {
        /// Number of this event.
        seq: u64,
        /// The answer it belongs to.
        message_id: String,
        /// The piece.
        text: String,
        /// Whether it is a thought.
        thought: bool,
    },
    /// The partial text of this answer is discarded: the answer starts again.
    TextDiscarded {
        /// Number of this event.
        seq: u64,
        /// The answer.
        message_id: String,
    },
    /// A tool begins.
    ToolStarted {
        /// Number of this event.
        seq: u64,
        /// Unique in the session.
        call_id: String,
        /// The call of the sub-agent that called it, if one did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        parent_call_id: Option<String>,
        /// The tool.
        name: String,
        /// Its arguments.
        #[ts(type = "unknown")]
        args: Value,
    },
    /// A tool ended.
    ToolFinished {
        /// Number of this event.
        seq: u64,
        /// As in `tool_started`.
        call_id: String,
        /// As in `tool_started`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        parent_call_id: Option<String>,
        /// The tool.
        name: String,
        /// Its answer.
        response: ToolResponse,
        /// Its duration.
        duration_ms: f64,
    },
    /// The scene changed.
    SceneChanged {
        /// Number of this event.
        seq: u64,
        /// The new revision.
        revision: u64,
        /// "model" or "user".
        by: String,
        /// The differences from the revision before.
        changes: Vec<SceneChange>,
        /// Whether there is something to undo.
        can_undo: bool,
        /// Whether there is something to redo.
        can_redo: bool,
        /// Whether the change comes from selecting a branch: it is not an edit, and the chat does not show it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        for_branch: bool,
        /// Whether it was undone or redone; left out for what is done for the first time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        history: Option<HistoryStep>,
    },
    /// The run ended.
    RunFinished {
        /// Number of this event.
        seq: u64,
        /// Why.
        reason: RunFinishedReason,
        /// Model calls made.
        turns: u32,
        /// A message for the user, if the answer does not say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        message: Option<String>,
        /// Tokens of the run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        usage: Option<Usage>,
    },
    /// A tool call waits for the user's `approve`; `tool_started` follows in any case.
    ApprovalNeeded {
        /// Number of this event.
        seq: u64,
        /// As in `tool_started`.
        call_id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        #[ts(type = "unknown")]
        args: Value,
    },
    /// The request to the provider is retried after a pause.
    Retrying {
        /// Number of this event.
        seq: u64,
        /// Which retry, from 1.
        attempt: u32,
        /// The pause.
        delay_ms: u64,
        /// Why.
        reason: String,
    },
    /// An error. With a `request_id`, it is the reply to that message of this client.
    Error {
        /// Echo of the message it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string | number")]
        request_id: Option<Value>,
        /// What kind of error.
        code: ErrorCode,
        /// The error, and what to do.
        message: String,
        /// Whether the same message may succeed later.
        retryable: bool,
    },
    /// A short progress note about the next step of a run; the full event follows.
    Progress {
        /// The turn of the run, from 1; calls of one answer share it.
        step: u32,
        /// What kind of step.
        action: ProgressAction,
        /// The tool; after a colon what a long call does meanwhile.
        target: String,
        /// The call that does something meanwhile.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        call_id: Option<String>,
        /// What it does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        note: Option<String>,
    },
    /// The progress of the preview.
    RenderProgress {
        /// The revision being rendered.
        revision: u64,
        /// Samples per pixel so far.
        samples: u32,
        /// Samples per pixel at the end.
        target_samples: u32,
        /// Since the revision's first pass began.
        elapsed_ms: u64,
        /// Estimated time left.
        eta_ms: u64,
        /// Estimated relative error of a pixel, 0.02 = 2 %.
        noise: f64,
    },
    /// Who looks at the session, for clients that sent `presence`.
    Presence {
        /// The id of this client's own user.
        you: u64,
        /// The people, in the order they came; at most 32, this client's own user among them.
        people: Vec<PresentPerson>,
        /// How many more there are.
        more: usize,
    },
    /// The reply to `ping`.
    Pong {
        /// Echo.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string | number")]
        request_id: Option<Value>,
    },
    /// The reply to an edit that changed nothing: no `scene_changed` follows.
    Unchanged {
        /// Echo.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string | number")]
        request_id: Option<Value>,
        /// The unchanged revision.
        revision: u64,
    },
    /// The reply to `pick`; the fields are null if only the environment is visible there.
    Picked {
        /// Echo.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string | number")]
        request_id: Option<Value>,
        /// The visible object.
        id: Option<String>,
        /// The point in world space.
        point: Option<[f64; 3]>,
        /// The unit normal there, towards the camera.
        normal: Option<[f64; 3]>,
    },
    /// Another branch became active: an earlier message was edited, or the branch was selected. Its chat
    /// replaces the one shown.
    BranchSelected {
        /// Number of this event.
        seq: u64,
        /// The branch, from 0.
        branch: usize,
        /// The number of branches.
        branches: usize,
        /// The chat of the branch so far.
        chat: Vec<ChatEntry>,
    },
    /// The session has a new name.
    SessionNamed {
        /// Number of this event.
        seq: u64,
        /// The name.
        name: String,
    },
    /// The bookmarks of the session changed.
    BookmarksChanged {
        /// Number of this event.
        seq: u64,
        /// All of them, in order.
        bookmarks: Vec<Bookmark>,
    },
    /// The model of the next run was chosen.
    ModelSelected {
        /// Number of this event.
        seq: u64,
        /// Its id.
        model: String,
        /// Its reasoning effort; the provider's default when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        effort: Option<Effort>,
        /// Its sampling temperature; the provider's default when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        temperature: Option<f64>,
    },
    /// Something happened to the goal.
    GoalChanged {
        /// Number of this event.
        seq: u64,
        /// What.
        change: GoalChange,
        /// What the chat shows of it as a notice, if anything.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        notice: Option<String>,
        /// The whole goal afterwards; it replaces the one that the client has.
        goal: Box<Goal>,
    },
}

impl ServerMessage {
    /// The number of an event; `None` for other messages.
    pub fn seq(&self) -> Option<u64> {
        match self {
            Self::UserMessage { seq, .. }
            | Self::TurnStarted { seq, .. }
            | Self::TextDelta { seq, .. }
            | Self::TextDiscarded { seq, .. }
            | Self::ToolStarted { seq, .. }
            | Self::ToolFinished { seq, .. }
            | Self::SceneChanged { seq, .. }
            | Self::RunFinished { seq, .. }
            | Self::ApprovalNeeded { seq, .. }
            | Self::Retrying { seq, .. }
            | Self::BranchSelected { seq, .. }
            | Self::SessionNamed { seq, .. }
            | Self::ModelSelected { seq, .. }
            | Self::BookmarksChanged { seq, .. }
            | Self::GoalChanged { seq, .. } => Some(*seq),
            Self::Welcome(_)
            | Self::Error { .. }
            | Self::Progress { .. }
            | Self::Presence { .. }
            | Self::RenderProgress { .. }
            | Self::Pong { .. }
            | Self::Unchanged { .. }
            | Self::Picked { .. } => None,
        }
    }
}
