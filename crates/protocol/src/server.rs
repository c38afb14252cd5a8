//! Messages from the server to a client.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::entries::ChatEntry;
use crate::parts::{
    Effort, ErrorCode, ProgressAction, RunFinishedReason, SceneChange, ShownImage, ToolResponse,
    Usage,
};
use crate::welcome::Welcome;

/// A message of the server. Messages that carry `seq` are the events of the session, numbered
/// without gaps; the others are for one client or of the moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The first message on a connection.
    Welcome(Box<Welcome>),
    /// The user said something.
    UserMessage {
        /// Number of this event.
        seq: u64,
        /// Unique in the session.
        message_id: String,
        /// What was said.
        text: String,
        /// The scene's revision when it was said: what `restore` goes back to.
        #[serde(default)]
        revision: u64,
        /// What the session is called from now on: the first message names it.
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
    /// The model is being asked.
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
    /// The partial text of this answer is void: the answer starts again.
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
        /// The tool.
        name: String,
        /// Its answer.
        response: ToolResponse,
        /// How long it took.
        duration_ms: f64,
    },
    /// The scene changed.
    SceneChanged {
        /// Number of this event.
        seq: u64,
        /// The revision it led to.
        revision: u64,
        /// "model" or "user".
        by: String,
        /// What differs from the revision before.
        changes: Vec<SceneChange>,
        /// Whether there is something to undo.
        can_undo: bool,
        /// Whether there is something to redo.
        can_redo: bool,
        /// Whether it is the scene of a branch that was gone to: not an edit, and no line of the chat.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        for_branch: bool,
    },
    /// The run ended.
    RunFinished {
        /// Number of this event.
        seq: u64,
        /// Why.
        reason: RunFinishedReason,
        /// Model calls made.
        turns: u32,
        /// What the user reads, where the answer does not say it.
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
    /// The model's provider is asked again after a pause.
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
    /// Something went wrong. With a `request_id` it answers that message of this client alone.
    Error {
        /// Echo of the message it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string | number")]
        request_id: Option<Value>,
        /// What kind of error.
        code: ErrorCode,
        /// What is wrong and what to do.
        message: String,
        /// Whether the same message may succeed later.
        retryable: bool,
    },
    /// What a run does next, in few words; comes before the event that tells it in full.
    Progress {
        /// The turn of the run, from 1; calls of one answer share it.
        step: u32,
        /// What kind of step.
        action: ProgressAction,
        /// The tool.
        target: String,
    },
    /// How far the picture has come.
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
    /// Answers `ping`.
    Pong {
        /// Echo.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string | number")]
        request_id: Option<Value>,
    },
    /// Answers an edit that left the scene as it was: no `scene_changed` follows.
    Unchanged {
        /// Echo.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string | number")]
        request_id: Option<Value>,
        /// The revision as it was.
        revision: u64,
    },
    /// Answers `pick`; nulls where only the environment is seen.
    Picked {
        /// Echo.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string | number")]
        request_id: Option<Value>,
        /// The object seen there.
        id: Option<String>,
        /// Where, in world space.
        point: Option<[f64; 3]>,
        /// The unit normal there, towards the camera.
        normal: Option<[f64; 3]>,
    },
    /// Another branch of the conversation goes on: after an earlier message was said anew, or because
    /// somebody went back to it. Its chat replaces what was shown.
    BranchSelected {
        /// Number of this event.
        seq: u64,
        /// The branch, from 0.
        branch: usize,
        /// How many branches there are.
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
    /// The model of the next run was chosen.
    ModelSelected {
        /// Number of this event.
        seq: u64,
        /// Its id.
        model: String,
        /// How hard it is to think; the provider's default when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        effort: Option<Effort>,
        /// Its sampling temperature; the provider's default when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        temperature: Option<f64>,
    },
}

impl ServerMessage {
    /// The number of an event; none for what is not one.
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
            | Self::ModelSelected { seq, .. } => Some(*seq),
            Self::Welcome(_)
            | Self::Error { .. }
            | Self::Progress { .. }
            | Self::RenderProgress { .. }
            | Self::Pong { .. }
            | Self::Unchanged { .. }
            | Self::Picked { .. } => None,
        }
    }
}
