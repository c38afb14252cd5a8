//! What the providers refuse. Each form has a module; what they share stands in `common`.

mod asked;
mod common;
mod completions;
mod messages;
mod ollama;
mod responses;
mod schema;
#[cfg(test)]
mod tests;

use super::providers::{Dialect, Form};
use super::wording::RequestError;

pub(super) use asked::Asked;
pub(super) use common::{is_picture, tokens};
pub(super) use messages::bound_prefix;

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
