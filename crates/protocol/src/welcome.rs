//! The first message to a client.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::entries::ChatEntry;
use crate::goal::Goal;
use crate::parts::{Access, ApprovalRequest, Bookmark, Effort, Limits, ModelInfo, Usage};

/// The state of a session at the start of a connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Welcome {
    /// The protocol number.
    pub protocol: u32,
    /// The key of the session: its id, or the share token that the client used.
    pub session_id: String,
    /// The title of the session; empty until something is said in it.
    #[serde(default)]
    pub name: String,
    /// The access of this client.
    #[serde(default)]
    pub access: Access,
    /// Whether sessions are stored on disk.
    #[serde(default)]
    pub durable: bool,
    /// The active branch, from 0.
    #[serde(default)]
    pub branch: usize,
    /// The number of branches.
    #[serde(default)]
    pub branches: usize,
    /// The epoch of the event numbers.
    pub epoch: String,
    /// The number of the last event before the ones that follow.
    pub seq: u64,
    /// Whether the events after the requested number follow; else this snapshot replaces everything.
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
    /// Whether a run is in progress.
    pub running: bool,
    /// The model of the next run.
    pub model: String,
    /// Its reasoning effort; the provider's default when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub effort: Option<Effort>,
    /// Its sampling temperature; the provider's default when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub temperature: Option<f64>,
    /// The models to choose from.
    pub models: Vec<ModelInfo>,
    /// The token usage of the session so far, in all branches.
    #[serde(default)]
    pub usage: Usage,
    /// The limits of the server.
    pub limits: Limits,
    /// Tool calls that wait for the user's `approve`.
    pub approvals: Vec<ApprovalRequest>,
    /// The newest goal of the session, if one was ever set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub goal: Option<Goal>,
    /// The bookmarks of the session, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Bookmark>>")]
    pub bookmarks: Vec<Bookmark>,
}
