//! The chat as a client shows it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::parts::{HistoryStep, SceneChange, ShownImage, ToolResponse, is_zero};

/// One entry of the chat, in chronological order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChatEntry {
    /// A message of the user.
    User {
        /// As in `user_message`.
        message_id: String,
        /// The text.
        text: String,
        /// As in `user_message`.
        #[serde(default)]
        revision: u64,
        /// As in `user_message`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        selection: Vec<String>,
        /// As in `user_message`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<ShownImage>>")]
        images: Vec<ShownImage>,
    },
    /// The model answered.
    Model {
        /// As in `text_delta`.
        message_id: String,
        /// The answer so far.
        text: String,
        /// The thoughts so far.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[ts(optional, as = "Option<String>")]
        thought: String,
    },
    /// A tool ran.
    Tool {
        /// As in `tool_started`.
        call_id: String,
        /// As in `tool_started`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        parent_call_id: Option<String>,
        /// The tool.
        name: String,
        /// Its arguments.
        #[ts(type = "unknown")]
        args: Value,
        /// Its result, once there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        response: Option<ToolResponse>,
        /// Its duration.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        duration_ms: Option<f64>,
    },
    /// The scene changed.
    Changed {
        /// The new revision.
        revision: u64,
        /// "model" or "user".
        by: String,
        /// What differs; of many the first, of a large group some parts.
        changes: Vec<SceneChange>,
        /// How many more changes there are.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[ts(optional, as = "Option<u64>")]
        left_out: u64,
        /// As in `scene_changed`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        history: Option<HistoryStep>,
    },
    /// Something the user should know.
    Notice {
        /// The sentence.
        text: String,
        /// Whether it is an error.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        is_error: bool,
    },
}
