//! What the providers refuse. Each form has a module; what they share stands in `common`.

mod common;
mod completions;
mod messages;
mod ollama;
mod responses;
mod schema;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::issued::Issued;
use super::providers::{Dialect, Form, Model};
use super::wording::RequestError;

pub(super) use common::{is_picture, tokens};
pub(super) use messages::bound_prefix;

/// A request as the rules see it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) dialect: Dialect,
    pub(super) form: Form,
    pub(super) body: &'a Value,
    /// The value of `anthropic-beta`.
    pub(super) betas: &'a str,
    /// What this server gave out so far.
    pub(super) issued: &'a Issued,
    /// Whether thoughts are bound to what stood before them.
    pub(super) binds_thoughts: bool,
    /// A window that replaces the model's.
    pub(super) window: Option<u64>,
}

impl Asked<'_> {
    fn model(&self) -> Option<&'static Model> {
        self.dialect.model(common::text(&self.body["model"]))
    }
}

/// Why the real provider would refuse the request, the reason it would name first at the front.
pub(super) fn errors(asked: Asked<'_>) -> Vec<RequestError> {
    if !asked.body.is_object() {
        return vec![RequestError::Other(
            "We could not parse the JSON body of your request.".into(),
        )];
    }
    let mut errors = Vec::new();
    let name = common::text(&asked.body["model"]);
    let Some(model) = asked.model() else { return vec![RequestError::UnknownModel(name.into())] };
    if !model.chats {
        let text = match asked.dialect {
            Dialect::Ollama => format!("{name:?} does not support chat"),
            _ => format!("{name} is not a chat model and thus not supported in this endpoint."),
        };
        return vec![RequestError::Other(text)];
    }
    if !model.tools && asked.body.get("tools").is_some() {
        errors.push(RequestError::NoTools(name.into()));
    }
    match asked.form {
        Form::Chat => completions::check(asked, model, &mut errors),
        Form::Responses => responses::check(asked, model, &mut errors),
        Form::Messages => messages::check(asked, model, &mut errors),
        Form::Ollama => ollama::check(asked, model, &mut errors),
    }
    let window = match asked.form {
        Form::Ollama => ollama::refusing_window(asked),
        _ => Some(asked.window.unwrap_or(model.window)),
    };
    let tokens = tokens(asked.body);
    if let Some(window) = window
        && tokens > window
    {
        errors.push(RequestError::Overflow { tokens, window });
    }
    errors
}
