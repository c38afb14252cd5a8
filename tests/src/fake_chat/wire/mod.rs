//! What the services stream.

mod completions;
mod messages;
mod ollama;
mod responses;

use serde_json::Value;

use super::reply::Step;
use super::services::{Dialect, Form};

/// How one answer is written, step by step.
pub(super) enum Writer {
    Chat(completions::Writer),
    Responses(responses::Writer),
    Messages(messages::Writer),
    Ollama(ollama::Writer),
}

/// What an answer's end tells.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub(super) has_calls: bool,
    /// Ended because of the length limit.
    pub(super) cut: bool,
}

impl Writer {
    /// A writer of an answer to `body`; `first_item` counts the items given out so far.
    pub(super) fn new(dialect: Dialect, form: Form, body: &Value, first_item: usize) -> Self {
        match form {
            Form::Chat => Self::Chat(completions::Writer::new(dialect)),
            Form::Responses => Self::Responses(responses::Writer::new(body, first_item)),
            Form::Messages => Self::Messages(messages::Writer::default()),
            Form::Ollama => Self::Ollama(ollama::Writer::new(body)),
        }
    }

    pub(super) fn begin(&mut self) -> String {
        match self {
            Self::Chat(_) => completions::begin(),
            Self::Responses(writer) => writer.begin(),
            Self::Messages(_) => messages::begin(),
            Self::Ollama(_) => String::new(),
        }
    }

    pub(super) fn events(&mut self, step: &Step) -> String {
        match self {
            Self::Chat(writer) => writer.events(step),
            Self::Responses(writer) => writer.events(step),
            Self::Messages(writer) => writer.events(step),
            Self::Ollama(writer) => writer.events(step),
        }
    }

    pub(super) fn end(&mut self, end: End) -> String {
        match self {
            Self::Chat(_) => completions::end(end),
            Self::Responses(writer) => writer.end(end),
            Self::Messages(_) => messages::end(end),
            Self::Ollama(writer) => writer.end(end),
        }
    }
}

/// Pieces of five characters, as models stream arguments.
fn pieces(text: &str) -> Vec<String> {
    text.chars().collect::<Vec<_>>().chunks(5).map(|piece| piece.iter().collect()).collect()
}
