//! What a run tells the outside while it goes.

use std::time::Duration;

use llm::{Content, Usage};
use serde_json::Value;

/// What a step of a run does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Calls a tool.
    ToolCall,
}

/// An event of a run, in the order things happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A content that is no message was appended to the history. Whoever owns the history appends it
    /// too; nothing but this and [`Event::MessageRead`] ever adds to it, so a run that dies loses
    /// nothing that was reported.
    Appended(Content),
    /// A message of the inbox was appended to the history.
    MessageRead {
        /// The message's id.
        id: String,
        /// It, with what the model was told beside it.
        content: Content,
    },
    /// The model is about to be asked.
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
        /// Whether it is a thought, to be shown apart.
        thought: bool,
    },
    /// The text of this answer shown so far is void: the answer starts again.
    TextDiscarded {
        /// The answer.
        message_id: String,
    },
    /// The model's provider is asked again after a pause.
    Retrying {
        /// Which retry, from 1.
        attempt: u32,
        /// The pause.
        delay: Duration,
        /// Why, for the user to read.
        reason: String,
    },
    /// The model's answer has ended, however it did.
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
        /// The contents of the history it stands for.
        contents: usize,
        /// Tokens of the request before, about.
        tokens_before: u64,
        /// Tokens of the request after, about.
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
    /// What the run does next, in few words: for whoever shows no more than that.
    Progress {
        /// The turn, from 1; calls of one answer share it.
        step: u32,
        /// What kind of step.
        action: Action,
        /// The tool.
        target: String,
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
        /// How long it took.
        duration: Duration,
        /// As in [`ToolOutput`](crate::ToolOutput).
        version: Option<u64>,
    },
}

impl Event {
    /// What the event adds to the history.
    pub fn content(&self) -> Option<&Content> {
        match self {
            Self::Appended(content) | Self::MessageRead { content, .. } => Some(content),
            _ => None,
        }
    }
}
