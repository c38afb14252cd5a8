//! How a run ended.

use std::time::Duration;

use llm::{ModelError, Usage};

use crate::options::LimitWords;

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Why it ended.
    pub reason: Reason,
    /// Model calls made.
    pub turns: u32,
    /// Tokens of all of them.
    pub usage: Usage,
    /// How long it took.
    pub duration: Duration,
    /// The time from the user's cancel to the end, if the run was cancelled.
    pub cancel_latency: Option<Duration>,
}

/// Why a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// An answer had no tool call.
    Completed,
    /// An answer without a tool call reached the model's length limit.
    LengthLimit,
    /// An answer had neither text for the user nor a call.
    EmptyAnswer,
    /// The limit on model calls was reached.
    TurnLimit(LimitWords),
    /// One wave of calls ran, and the loop is switched off.
    SingleWave,
    /// The model called this tool again and again with the same arguments and the same result.
    Looping(String),
    /// The user stopped it.
    Cancelled,
    /// The model gave no answer.
    Failed(ModelError),
}

impl Outcome {
    /// The message for the user, if the answer does not say it.
    pub fn message(&self) -> Option<String> {
        let turns = self.turns;
        Some(match &self.reason {
            Reason::Completed | Reason::Cancelled => return None,
            Reason::LengthLimit => {
                "The answer reached the model's length limit. Send a message to continue.".into()
            }
            Reason::EmptyAnswer => {
                "The model gave an empty answer. Send a message to continue.".into()
            }
            Reason::TurnLimit(LimitWords::Turns) => {
                format!("Reached maximum turn limit ({turns} turns). Send a message to continue.")
            }
            Reason::TurnLimit(LimitWords::Steps) => {
                format!("Reached maximum reasoning steps ({turns})")
            }
            Reason::SingleWave => "The calls ran; their results did not go back to the model, as \
                                   the loop is switched off. Send a message to continue."
                .into(),
            Reason::Looping(tool) => format!(
                "Paused: the model called {tool} again and again with the same arguments and the \
                 same result. Send a message to continue, best with other words."
            ),
            Reason::Failed(error) => error.to_string(),
        })
    }
}
