//! What the providers stream.

mod completions;
mod messages;
mod ollama;
mod parts;
mod responses;

use serde_json::Value;

use super::providers::{Dialect, Form};
use super::reply::Step;
use super::rules::tokens;

pub(super) use parts::End;

/// How one answer is written, step by step.
pub(super) struct Writer {
    form: FormWriter,
    /// Tokens of the request, about.
    prompt_tokens: u64,
}

enum FormWriter {
    Chat(completions::Writer),
    Responses(responses::Writer),
    Messages(messages::Writer),
    Ollama(ollama::Writer),
}

impl Writer {
    /// A writer of an answer to `body`; `first_item` counts the items given out so far.
    pub(super) fn new(dialect: Dialect, form: Form, body: &Value, first_item: usize) -> Self {
        let form = match form {
            Form::Chat => FormWriter::Chat(completions::Writer::new(dialect)),
            Form::Responses => FormWriter::Responses(responses::Writer::new(body, first_item)),
            Form::Messages => FormWriter::Messages(messages::Writer::default()),
            Form::Ollama => FormWriter::Ollama(ollama::Writer::new(body)),
        };
        Self { form, prompt_tokens: tokens(body) }
    }

    pub(super) fn begin(&mut self) -> String {
        match &mut self.form {
            FormWriter::Chat(_) => completions::begin(),
            FormWriter::Responses(writer) => writer.begin(),
            FormWriter::Messages(_) => messages::begin(self.prompt_tokens),
            FormWriter::Ollama(_) => String::new(),
        }
    }

    pub(super) fn events(&mut self, step: &Step) -> String {
        match &mut self.form {
            FormWriter::Chat(writer) => writer.events(step),
            FormWriter::Responses(writer) => writer.events(step),
            FormWriter::Messages(writer) => writer.events(step),
            FormWriter::Ollama(writer) => writer.events(step),
        }
    }

    pub(super) fn end(&mut self, end: End) -> String {
        match &mut self.form {
            FormWriter::Chat(_) => completions::end(end, self.prompt_tokens),
            FormWriter::Responses(writer) => writer.end(end, self.prompt_tokens),
            FormWriter::Messages(_) => messages::end(end),
            FormWriter::Ollama(writer) => writer.end(end, self.prompt_tokens),
        }
    }
}
