//! The events of a session, and the chat built from them. The log stores events in the JSON form of
//! these types, so a new field must be optional and no field is ever removed.

mod bookmark;
mod history_step;

use goals::{Goal, GoalChange};
use llm::Effort;
use scene::Change;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use studio::Author;

pub use self::bookmark::Bookmark;
pub use self::history_step::HistoryStep;

/// A numbered event. Numbers have no gaps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SessionEvent {
    /// The user sent a message.
    UserMessage {
        /// Number of this event.
        seq: u64,
        /// Unique in the session.
        message_id: String,
        /// Its text.
        text: String,
        /// The scene's revision at that time.
        #[serde(default)]
        revision: u64,
        /// The name the session takes from its first message, or from the next if nothing came of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_name: Option<String>,
        /// Ids of the selected objects.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        selection: Vec<String>,
        /// The pictures that came with it, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<ImageInfo>,
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
        /// The call of the sub-agent that called it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent_call_id: Option<String>,
        /// The tool.
        name: String,
        /// Its arguments.
        args: Value,
    },
    /// A tool ended.
    ToolFinished {
        /// Number of this event.
        seq: u64,
        /// As in [`SessionEvent::ToolStarted`].
        call_id: String,
        /// As in [`SessionEvent::ToolStarted`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent_call_id: Option<String>,
        /// The tool.
        name: String,
        /// Its result.
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
        /// Who made the change.
        by: Author,
        /// The differences from the revision before.
        changes: Vec<Change>,
        /// Whether there is something to undo.
        can_undo: bool,
        /// Whether there is something to redo.
        can_redo: bool,
        /// Whether the change comes from switching branches: it is not an edit, and the chat does not show it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        for_branch: bool,
        /// Whether it was undone or redone; nothing for what is done for the first time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        history: Option<HistoryStep>,
    },
    /// The run ended.
    RunFinished {
        /// Number of this event.
        seq: u64,
        /// Why.
        reason: RunEnd,
        /// Model calls made.
        turns: u32,
        /// A message for the user, if the answer does not say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// Tokens of the run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// A tool call waits for the user's approval.
    ApprovalNeeded {
        /// Number of this event.
        seq: u64,
        /// As in [`SessionEvent::ToolStarted`], which follows in any case.
        call_id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        args: Value,
    },
    /// The request is retried after a pause.
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
    /// Another branch became active.
    BranchSelected {
        /// Number of this event.
        seq: u64,
        /// The branch, from 0.
        branch: usize,
        /// The number of branches.
        branches: usize,
        /// The chat of the branch so far.
        chat: Vec<ChatEntry>,
        /// Where a new branch forks that does not replace a message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fork: Option<ForkPoint>,
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
        /// Its reasoning effort; the provider's default when `None`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effort: Option<Effort>,
        /// Its sampling temperature; the provider's default when `None`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        temperature: Option<f64>,
    },
    /// Something happened to the goal.
    GoalChanged {
        /// Number of this event.
        seq: u64,
        /// What.
        change: GoalChange,
        /// What the chat shows of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notice: Option<String>,
        /// The session's epoch. Copies and imports have another one, in which a goal does not go on by
        /// itself.
        #[serde(default)]
        epoch: String,
        /// The whole goal afterwards. Boxed: it is by far the largest.
        goal: Box<Goal>,
    },
    /// The bookmarks of the session changed.
    BookmarksChanged {
        /// Number of this event.
        seq: u64,
        /// All of them, in order.
        bookmarks: Vec<Bookmark>,
    },
}

impl SessionEvent {
    /// Its number.
    pub fn seq(&self) -> u64 {
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
            | Self::GoalChanged { seq, .. }
            | Self::BookmarksChanged { seq, .. } => *seq,
        }
    }
}

/// Where a branch forks, beside the chat before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkPoint {
    /// The number of contents of the history before it.
    pub contents: usize,
    /// The scene's revision.
    pub revision: u64,
}

/// One entry of the chat, in chronological order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChatEntry {
    /// The user sent a message.
    User {
        /// As in [`SessionEvent::UserMessage`].
        message_id: String,
        /// Its text.
        text: String,
        /// As in [`SessionEvent::UserMessage`].
        #[serde(default)]
        revision: u64,
        /// As in [`SessionEvent::UserMessage`].
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        selection: Vec<String>,
        /// As in [`SessionEvent::UserMessage`].
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<ImageInfo>,
    },
    /// The model answered.
    Model {
        /// As in [`SessionEvent::TextDelta`].
        message_id: String,
        /// The answer so far.
        text: String,
        /// The thoughts so far.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        thought: String,
    },
    /// A tool ran.
    Tool {
        /// As in [`SessionEvent::ToolStarted`].
        call_id: String,
        /// As in [`SessionEvent::ToolStarted`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent_call_id: Option<String>,
        /// The tool.
        name: String,
        /// Its arguments.
        args: Value,
        /// Its result, once there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        response: Option<ToolResponse>,
        /// Its duration.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        duration_ms: Option<f64>,
    },
    /// The scene changed.
    Changed {
        /// The new revision.
        revision: u64,
        /// Who made the change.
        by: Author,
        /// The differences; of many the first, of a large group some parts.
        changes: Vec<Change>,
        /// How many more there are.
        #[serde(default, skip_serializing_if = "is_zero")]
        left_out: u64,
        /// As in [`SessionEvent::SceneChanged`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        history: Option<HistoryStep>,
    },
    /// Something the user should know.
    Notice {
        /// The text.
        text: String,
        /// Whether it tells of an error.
        #[serde(default)]
        is_error: bool,
    },
}

/// The description of a picture that came with a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageInfo {
    /// `image/png`, `image/jpeg` or `image/webp`.
    pub mime_type: String,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResponse {
    /// Whether the call succeeded.
    pub success: bool,
    /// The whole object it created or changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Facts about the change: bounds, contacts, overlaps, share of the picture.
    // Boxed to keep chat entries small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Box<Value>>,
    /// The error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// The model finished its answer.
    Completed,
    /// The limit on model calls was reached.
    TurnLimit,
    /// The user stopped it.
    Cancelled,
    /// The model gave no answer.
    Error,
}

/// Token counts and their cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the requests.
    pub input_tokens: u64,
    /// Tokens of the answers.
    pub output_tokens: u64,
    /// Request tokens that the provider read from its prompt cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_tokens: u64,
    /// Tokens of the last request and its answer together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u64>,
    /// `None` when no price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

impl Usage {
    /// The sum with the usage of a run.
    pub(crate) fn plus(self, run: Self) -> Self {
        Self {
            input_tokens: self.input_tokens + run.input_tokens,
            output_tokens: self.output_tokens + run.output_tokens,
            cached_tokens: self.cached_tokens + run.cached_tokens,
            context_tokens: run.context_tokens.or(self.context_tokens),
            cost: match (self.cost, run.cost) {
                (None, None) => None,
                (before, now) => Some(before.unwrap_or(0.0) + now.unwrap_or(0.0)),
            },
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A tool call that waits for the user's approval.
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovalRequest {
    /// As in [`SessionEvent::ToolStarted`], which follows in any case.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub args: Value,
}

#[cfg(test)]
mod tests;
