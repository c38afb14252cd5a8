//! Data types of the server's messages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// A tool call that waits for the user's approval.
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

/// The reasoning effort of a model. A provider uses the nearest level it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// None, if the provider allows it.
    Off,
    /// As little as possible.
    Low,
    /// In between.
    Medium,
    /// Much.
    High,
    /// As much as the provider allows.
    Max,
}

/// Prices of a million tokens, in US dollars.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModelPrices {
    /// Of requests.
    pub input: f64,
    /// Of answers.
    pub output: f64,
    /// Of requests, read from the provider's prompt cache; as `input` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cached_input: Option<f64>,
    /// Of requests, written to the provider's prompt cache; as `input` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cache_write: Option<f64>,
}

/// A model to choose from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ModelInfo {
    /// The id for `select_model`.
    pub id: String,
    /// Its display name.
    pub label: String,
    /// A short description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
    /// Whether it accepts pictures.
    #[serde(default)]
    pub sees_images: bool,
    /// The context window in tokens, request and answer together; left out if there is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub context_window: Option<u64>,
    /// The limit of an answer in tokens; left out if there is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub output_limit: Option<u64>,
    /// The display name of its provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub provider: Option<String>,
    /// Whether it was found running on the server's machine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub local: bool,
    /// Whether it supports function calling; else it calls tools by a text protocol.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub native_tools: bool,
    /// Whether it thinks before it answers.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub thinks: bool,
    /// The supported levels of `effort`; empty if it has no such setting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Effort>>", optional)]
    pub efforts: Vec<Effort>,
    /// Whether it accepts a `temperature`.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub takes_temperature: bool,
    /// Its prices, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub prices: Option<ModelPrices>,
}

/// A picture that came with a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ShownImage {
    /// `image/png`, `image/jpeg` or `image/webp`.
    pub mime_type: String,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// The limits of the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Limits {
    /// Model calls of a run.
    pub max_turns: u32,
    /// Bytes of a client's message.
    pub max_message_bytes: usize,
    /// Pictures of a message.
    #[serde(default)]
    pub max_images: usize,
    /// Pixels of the longer side of a picture.
    pub max_image_side: u32,
    /// Samples per pixel of a picture.
    pub max_samples: u32,
    /// Shapes of a scene.
    pub max_shapes: usize,
    /// Lights of a scene.
    pub max_lights: usize,
    /// Whether `approve` may carry `"remember": "always"`: on servers of one user.
    #[serde(default)]
    pub standing_approvals: bool,
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ToolResponse {
    /// Whether the call succeeded.
    pub success: bool,
    /// The whole object it created or changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub result: Option<Value>,
    /// Facts about the change: bounds, contacts, overlaps, share of the picture.
    // Boxed to keep chat entries small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub facts: Option<Box<Value>>,
    /// The error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<String>,
}

/// A camera with a name that the people of a session come back to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Bookmark {
    /// The name, of 1 to 60 characters.
    pub name: String,
    /// The camera, as in scene files.
    #[ts(type = "Record<string, unknown>")]
    pub camera: Value,
}

/// A way through the undo stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum HistoryStep {
    /// The last step was taken back.
    Undo,
    /// What was taken back was made again.
    Redo,
}

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChangeOperation {
    /// The object is new.
    Create,
    /// It differs.
    Update,
    /// The object was removed.
    Remove,
}

/// The kind of the changed object.
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
    /// What changes over time.
    Animation,
}

/// One difference between two revisions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SceneChange {
    /// What happened.
    pub op: ChangeOperation,
    /// To what kind of thing.
    pub kind: ChangeKind,
    /// Its id; null for environment, camera and animation.
    pub id: Option<String>,
    /// The object before.
    #[ts(type = "unknown")]
    pub before: Option<Value>,
    /// The object after.
    #[ts(type = "unknown")]
    pub after: Option<Value>,
    /// The index in its list, for a new object and for one that moved within its list. To apply: remove
    /// such objects first, then insert them at their index, in the order of the changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub index: Option<usize>,
}

/// The kind of a step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ProgressAction {
    /// Calls a tool.
    ToolCall,
    /// Hands a task to a sub-agent, or is a step of one.
    Delegate,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunFinishedReason {
    /// The model finished its answer.
    Completed,
    /// The limit on model calls was reached.
    TurnLimit,
    /// The user stopped it.
    Cancelled,
    /// The model gave no answer.
    Error,
}

/// Token counts, and their cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Usage {
    /// Tokens of the requests.
    pub input_tokens: u64,
    /// Tokens of the answers.
    pub output_tokens: u64,
    /// Request tokens that the provider read from its prompt cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[ts(as = "Option<u64>", optional)]
    pub cached_tokens: u64,
    /// Tokens of the last request and its answer: how much of the model's window the conversation
    /// takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub context_tokens: Option<u64>,
    /// The cost by the configured prices, in their currency, else by those of the provider or its maker, in
    /// US dollars; left out if no price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost: Option<f64>,
}

pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Somebody who looks at the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PresentPerson {
    /// Unique in the session while the server runs.
    pub id: u64,
    /// What they call themselves; may be empty.
    pub name: String,
    /// Whether they may edit.
    pub can_edit: bool,
    /// Ids of the objects they selected.
    pub selection: Vec<String>,
}

/// The code of an `error`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The message is not JSON, or a field is missing or of the wrong type.
    BadMessage,
    /// There is no message of this type.
    UnknownType,
    /// The message is larger than `limits.max_message_bytes`.
    TooLarge,
    /// The edit breaks the scene's rules.
    InvalidEdit,
    /// Someone else changed the same object; the message has the current value.
    Stale,
    /// There is nothing to undo, redo or restore.
    NoHistory,
    /// There is no such message or branch.
    UnknownBranch,
    /// This client has read-only access.
    ReadOnly,
    /// The change could not be saved; nothing changed.
    NotSaved,
    /// A value is outside what the server accepts.
    OutOfRange,
    /// There is no such model.
    UnknownModel,
    /// The goal cannot be set or changed so.
    BadGoal,
    /// The server is busy; try again.
    Busy,
    /// An internal error of the server.
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
    /// The `request_id` of the `view` message that it was rendered for; absent before the first, and for one
    /// without an id. A page whose camera moves can tell by it which frames are current.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "unknown", optional)]
    pub view: Option<Value>,
}
