//! What the server's messages carry.

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

/// How hard a model is to think before it answers. A provider takes the nearest level it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// Not at all, where the provider allows it.
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
    /// What `select_model` takes.
    pub id: String,
    /// Its display name.
    pub label: String,
    /// A hint on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
    /// Whether it sees pictures.
    #[serde(default)]
    pub sees_images: bool,
    /// Tokens of a request and its answer together; left out where there is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub context_window: Option<u64>,
    /// Tokens of an answer; left out where there is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub output_limit: Option<u64>,
    /// Who provides it, as the user reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub provider: Option<String>,
    /// Whether it was found running on the server's machine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub local: bool,
    /// Whether it takes tools by function calling; else they are described in its text.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub native_tools: bool,
    /// Whether it thinks before it answers.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub thinks: bool,
    /// The levels of `effort` it knows; none where it takes no such setting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Effort>>", optional)]
    pub efforts: Vec<Effort>,
    /// Whether it takes a `temperature`.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub takes_temperature: bool,
    /// What it costs, where that is known.
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

/// What the server accepts.
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

/// What models were asked for, and what that cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Usage {
    /// Tokens of the requests.
    pub input_tokens: u64,
    /// Tokens of the answers.
    pub output_tokens: u64,
    /// Those of the requests that the provider read from its prompt cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[ts(as = "Option<u64>", optional)]
    pub cached_tokens: u64,
    /// Tokens of the last request and its answer: how much of the model's window the conversation
    /// takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub context_tokens: Option<u64>,
    /// By the prices the server was started with, in their currency, else by those of the provider or its
    /// maker, in US dollars; left out where none are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost: Option<f64>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What kind of error an `error` tells of.
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
    /// The `request_id` of the `view` message that it was made for; absent before the first, and for one
    /// without an id. Tells a page that looks around which pictures are of where it looks now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "unknown", optional)]
    pub view: Option<Value>,
}
