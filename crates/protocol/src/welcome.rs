//! What a client is told first.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::entries::ChatEntry;
use crate::parts::{Access, ApprovalRequest, Effort, Limits, ModelInfo, Usage};

/// The state of a session at the start of a connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Welcome {
    /// The protocol number.
    pub protocol: u32,
    /// The session; what was asked for with a share token is the token.
    pub session_id: String,
    /// The title of the session; empty until something is said in it.
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
    /// How hard it is to think; the provider's default when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub effort: Option<Effort>,
    /// Its sampling temperature; the provider's default when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub temperature: Option<f64>,
    /// The models to choose from.
    pub models: Vec<ModelInfo>,
    /// What the session's models were asked for so far, in all branches.
    #[serde(default)]
    pub usage: Usage,
    /// What the server accepts.
    pub limits: Limits,
    /// Tool calls that wait for the user's `approve`.
    pub approvals: Vec<ApprovalRequest>,
}
