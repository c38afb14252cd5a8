//! Messages from the server to a client.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::entries::ChatEntry;

/// A message of the server. Messages that carry `seq` are the events of the session, numbered
/// without gaps; the others are for one client or of the moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The first message on a connection.
    Welcome(Box<Welcome>),
    /// The person said something.
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
    /// A tool call waits for the person's `approve`; `tool_started` follows in any case.
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
    /// The model's service is asked again after a pause.
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
        /// What kind of fault.
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

/// The state of a session at the start of a connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Welcome {
    /// The protocol number.
    pub protocol: u32,
    /// The session; what was asked for with a share token is the token.
    pub session_id: String,
    /// What people call the session; empty until something is said in it.
    #[serde(default)]
    pub name: String,
    /// What this client may do.
    #[serde(default)]
    pub access: Access,
    /// Whether sessions outlive the server.
    #[serde(default)]
    pub durable: bool,
    /// The branch of the conversation, from 0.
    #[serde(default)]
    pub branch: usize,
    /// How many branches there are.
    #[serde(default)]
    pub branches: usize,
    /// Names the numbering of events.
    pub epoch: String,
    /// The number after which the events that follow count on.
    pub seq: u64,
    /// Whether the events after the asked-for number follow; else this snapshot replaces all.
    pub resumed: bool,
    /// The scene's revision.
    pub revision: u64,
    /// The scene file.
    #[ts(type = "Record<string, unknown>")]
    pub scene: Value,
    /// Whether there is something to undo.
    pub can_undo: bool,
    /// Whether there is something to redo.
    pub can_redo: bool,
    /// The chat so far.
    pub chat: Vec<ChatEntry>,
    /// Whether a run is going.
    pub running: bool,
    /// The model of the next run.
    pub model: String,
    /// The models to choose from.
    pub models: Vec<ModelInfo>,
    /// What the server accepts.
    pub limits: Limits,
    /// Tool calls that wait for the person's `approve`.
    pub approvals: Vec<ApprovalRequest>,
}

/// A tool call that waits for the person's leave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ApprovalRequest {
    /// As in `tool_started`, which follows in any case.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    #[ts(type = "unknown")]
    pub args: Value,
}

/// What a client may do with a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Everything.
    #[default]
    Edit,
    /// Looking.
    View,
}

/// A model to choose from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModelInfo {
    /// What `select_model` takes.
    pub id: String,
    /// What people read.
    pub label: String,
    /// A hint on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
}

/// What the server accepts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Limits {
    /// Model calls of a run.
    pub max_turns: u32,
    /// Bytes of a client's message.
    pub max_message_bytes: usize,
    /// Pixels of the longer side of a picture.
    pub max_image_side: u32,
    /// Samples per pixel of a picture.
    pub max_samples: u32,
    /// Shapes of a scene.
    pub max_shapes: usize,
    /// Lights of a scene.
    pub max_lights: usize,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ToolResponse {
    /// Whether it did what was asked.
    pub success: bool,
    /// The whole object it touched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub result: Option<Value>,
    /// What a change has come to: bounds, contacts, overlaps, share of the screen.
    // Boxed: entries of the chat would all grow by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub facts: Option<Box<Value>>,
    /// What was wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<String>,
}

/// What happened to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChangeOperation {
    /// It is new.
    Create,
    /// It differs.
    Update,
    /// It is gone.
    Remove,
}

/// What kind of thing changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// A shape.
    Shape,
    /// A light.
    Light,
    /// A group.
    Group,
    /// The environment.
    Environment,
    /// The camera.
    Camera,
}

/// One difference between two revisions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SceneChange {
    /// What happened.
    pub op: ChangeOperation,
    /// To what kind of thing.
    pub kind: ChangeKind,
    /// Its id; null for environment and camera.
    pub id: Option<String>,
    /// As it was.
    #[ts(type = "unknown")]
    pub before: Option<Value>,
    /// As it is.
    #[ts(type = "unknown")]
    pub after: Option<Value>,
    /// For a new object, and for one that moved among the others: where it stands in its list. Take
    /// such objects out first, then put them in at their index, in the order of the changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub index: Option<usize>,
}

/// What a step of a run does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ProgressAction {
    /// Calls a tool.
    ToolCall,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunFinishedReason {
    /// The model is done.
    Completed,
    /// The limit on model calls was reached.
    TurnLimit,
    /// The user stopped it.
    Cancelled,
    /// The model gave no answer.
    Error,
}

/// Tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Usage {
    /// Of the requests.
    pub input_tokens: u64,
    /// Of the answers.
    pub output_tokens: u64,
}

/// What kind of fault an `error` tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The message is no JSON, or a field is missing or of the wrong type.
    BadMessage,
    /// There is no message of this type.
    UnknownType,
    /// The message is larger than `limits.max_message_bytes`.
    TooLarge,
    /// The edit breaks the scene's rules.
    InvalidEdit,
    /// Somebody else changed the same thing; the message has what is there now.
    Stale,
    /// There is nothing to undo, redo or restore.
    NoHistory,
    /// There is no such message or branch.
    UnknownBranch,
    /// This client may only look.
    ReadOnly,
    /// It could not be saved; nothing changed.
    NotSaved,
    /// A value is outside what the server accepts.
    OutOfRange,
    /// There is no such model.
    UnknownModel,
    /// The server has too much to do; try again.
    Busy,
    /// The server is at fault.
    Internal,
}

/// The JSON header of a binary preview frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PreviewHeader {
    /// Always "preview".
    #[serde(rename = "type")]
    #[ts(type = "\"preview\"")]
    pub kind: String,
    /// The revision shown.
    pub revision: u64,
    /// The pass, from 0; pass 0 is a coarse draft.
    pub pass: u32,
    /// Samples per pixel so far; 0 for the coarse draft.
    pub samples: u32,
    /// Samples per pixel at the end.
    pub target_samples: u32,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Of the image that follows.
    pub mime_type: String,
    /// Whether this is the last frame of the revision.
    #[serde(rename = "final")]
    pub is_final: bool,
}
