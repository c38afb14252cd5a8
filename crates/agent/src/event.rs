//! Events of a run.

use std::time::Duration;

use llm::{Content, Usage};
use serde_json::Value;

/// The kind of a step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Calls a tool.
    ToolCall,
}

/// What a running call says that it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolNote {
    /// The call, as in [`Event::ToolStarted`].
    pub call_id: String,
    /// What it does.
    pub text: String,
}

/// An event of a run, in chronological order.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A content other than a message was appended to the history. The owner of the history appends
    /// it, too. Only this and [`Event::MessageRead`] extend the history, so a run that crashes loses
    /// nothing that was reported.
    Appended(Content),
    /// A message of the inbox was appended to the history.
    MessageRead {
        /// The message's id.
        id: String,
        /// The message with the context the model got.
        content: Content,
    },
    /// A request to the model starts.
    TurnStarted {
        /// From 1 in each run.
        turn: u32,
        /// The limit.
        max_turns: u32,
    },
    /// A piece of the answer.
    TextDelta {
        /// The answer it belongs to.
        message_id: String,
        /// The piece.
        text: String,
        /// Whether it is a thought, which is shown separately.
        thought: bool,
    },
    /// The text of this answer so far is discarded: the answer starts again.
    TextDiscarded {
        /// The answer.
        message_id: String,
    },
    /// The request is retried after a pause.
    Retrying {
        /// Which retry, from 1.
        attempt: u32,
        /// The pause.
        delay: Duration,
        /// Why, for the user to read.
        reason: String,
    },
    /// The model's answer has ended, complete or not.
    TurnFinished {
        /// As in [`Event::TurnStarted`].
        turn: u32,
        /// Tokens of this answer.
        usage: Usage,
        /// From the request to the end.
        duration: Duration,
        /// From the request to the first text for the user.
        first_text: Option<Duration>,
        /// Whether there was an answer.
        success: bool,
    },
    /// The older part of the conversation was summarised; the summary has been appended.
    Compacted {
        /// The number of contents the summary replaces.
        contents: usize,
        /// Estimated tokens of the request before.
        tokens_before: u64,
        /// Estimated tokens of the request after.
        tokens_after: u64,
    },
    /// A tool call waits for the user's approval.
    ApprovalNeeded {
        /// As in [`Event::ToolStarted`], which follows in any case.
        call_id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        args: Value,
    },
    /// A short progress note about the next step.
    Progress {
        /// The turn, from 1; calls of one answer share it.
        step: u32,
        /// What kind of step.
        action: Action,
        /// The tool; after a colon what a long call does meanwhile.
        target: String,
        /// What a running call does meanwhile; without it, the call is about to begin.
        note: Option<ToolNote>,
    },
    /// A tool begins.
    ToolStarted {
        /// Unique in the conversation; the model's own id where it gave a fresh one.
        call_id: String,
        /// The tool.
        name: String,
        /// Its arguments, as the model sent them.
        args: Value,
    },
    /// A tool ended.
    ToolFinished {
        /// As in [`Event::ToolStarted`].
        call_id: String,
        /// The tool.
        name: String,
        /// `{"success": ...}`.
        response: Value,
        /// Its duration.
        duration: Duration,
        /// As in [`ToolOutput`](crate::ToolOutput).
        version: Option<u64>,
    },
}

impl Event {
    /// The content that the event adds to the history.
    pub fn content(&self) -> Option<&Content> {
        match self {
            Self::Appended(content) | Self::MessageRead { content, .. } => Some(content),
            _ => None,
        }
    }
}
