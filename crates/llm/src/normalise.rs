//! Normalisation of a history to a form that the Gemini API accepts.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::content::{Content, FunctionCall, Part, Role};

/// The text of an inserted user message: between two answers of the model, before an answer at the
/// beginning, and after one at the end.
pub(crate) const CONTINUE: &str = "(continue)";

/// The longest tool name that every API accepts.
const MAX_NAME_CHARS: usize = 64;

/// The response to a call that never got one.
const INTERRUPTED: &str = "interrupted: the run stopped before this call gave a result; \
                           check the current state before trying again";

/// A copy of `history` that the Gemini API accepts; a valid history is returned unchanged.
///
/// - It starts with the user and does not end with the model, and no two answers of the model are
///   adjacent. So each request begins with the previous one.
/// - Calls follow the user or function responses, and are followed at once by one content of role
///   `function` that answers each of them once, in call order, with their ids and names. Missing
///   responses become `{"success": false, "error": "interrupted: ..."}`.
/// - Responses without a call, calls by another role than the model, empty parts and contents
///   without parts are removed. All other parts stay as they are, in their order.
/// - Invalid tool names, which models sometimes invent, are replaced (see `tool_name`).
pub fn normalise(history: &[Content]) -> Vec<Content> {
    let cleaned: Vec<Content> = history.iter().filter_map(clean).collect();
    let mut result: Vec<Content> = Vec::with_capacity(cleaned.len() + 1);
    let mut rest = cleaned.as_slice();
    while let Some((content, after)) = rest.split_first() {
        rest = after;
        let calls: Vec<FunctionCall<'_>> = content.calls().collect();
        let needs_user = match content.role {
            Role::User => false,
            Role::Function => result.is_empty(),
            Role::Model => result.last().is_none_or(|last| last.role == Role::Model),
        };
        if calls.is_empty() {
            if let Some(content) = without_responses(content) {
                if needs_user {
                    result.push(Content::user(CONTINUE));
                }
                result.push(content);
            }
            continue;
        }
        if needs_user {
            result.push(Content::user(CONTINUE));
        }
        result.push(content.clone());
        // A response may have been logged late, after a queued user message: search up to the next
        // calls.
        let reach =
            rest.iter().position(|later| later.calls().next().is_some()).unwrap_or(rest.len());
        let window = &rest[..reach];
        result.push(answer(&calls, window));
        // The other parts of these contents follow in their turn.
        let is_answer = window.first().is_some_and(|next| next.role == Role::Function);
        rest = &rest[usize::from(is_answer)..];
    }
    if result.last().is_some_and(|last| last.role == Role::Model) {
        result.push(Content::user(CONTINUE));
    }
    result
}

/// Removes empty parts and parts that the role cannot have; `None` if nothing is left.
fn clean(content: &Content) -> Option<Content> {
    let is_model = content.role == Role::Model;
    let parts: Vec<Part> = content
        .parts
        .iter()
        .filter(|part| !part.raw().is_empty())
        .filter(|part| is_model || part.as_call().is_none())
        .filter(|part| !is_model || part.as_response().is_none())
        .map(with_tool_name)
        .collect();
    (!parts.is_empty()).then_some(Content { role: content.role, parts })
}

/// A valid tool name for `name`: a letter or `_`, then up to 63 letters, digits, `_` and `-`.
/// Deterministic; a valid name is returned unchanged.
pub(crate) fn tool_name(name: &str) -> Cow<'_, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if begins_well && name.len() <= MAX_NAME_CHARS && name.chars().all(fits) {
        return Cow::Borrowed(name);
    }
    let plain = name.trim().chars().map(|c| if fits(c) { c } else { '_' });
    let begin = if begins_well { "" } else { "_" };
    let made: String = begin.chars().chain(plain).take(MAX_NAME_CHARS).collect();
    Cow::Owned(if made == "_" { "unnamed".into() } else { made })
}

/// A call or response with a valid tool name; other parts unchanged.
fn with_tool_name(part: &Part) -> Part {
    let call = part.as_call().map(|call| ("functionCall", call.name));
    let response = || part.as_response().map(|response| ("functionResponse", response.name));
    let Some((field, name)) = call.or_else(response) else {
        return part.clone();
    };
    let Cow::Owned(name) = tool_name(name) else {
        return part.clone();
    };
    let mut raw = Value::Object(part.raw().clone());
    if raw[field].is_object() {
        raw[field]["name"] = name.into();
    }
    Part::from_value(raw)
}

fn without_responses(content: &Content) -> Option<Content> {
    let parts: Vec<Part> =
        content.parts.iter().filter(|part| part.as_response().is_none()).cloned().collect();
    (!parts.is_empty()).then_some(Content { role: content.role, parts })
}

/// The content with the responses to `calls`, taken from `window`, the contents up to the next
/// calls, and with the other parts of the content that follows directly.
fn answer(calls: &[FunctionCall<'_>], window: &[Content]) -> Content {
    let directly = window.first().filter(|next| next.role == Role::Function);
    if let Some(next) = directly.filter(|next| answers_in_order(calls, next)) {
        return next.clone();
    }
    let mut responses: Vec<&Part> = window
        .iter()
        .flat_map(|content| &content.parts)
        .filter(|part| part.as_response().is_some())
        .collect();
    let mut parts: Vec<Part> = calls.iter().map(|call| response_to(call, &mut responses)).collect();
    // Pictures beside the responses belong to them.
    parts.extend(directly.and_then(without_responses).into_iter().flat_map(|next| next.parts));
    Content::function(parts)
}

fn answers_in_order(calls: &[FunctionCall<'_>], content: &Content) -> bool {
    content
        .responses()
        .map(|response| (response.id, response.name))
        .eq(calls.iter().map(|call| (call.id, call.name)))
}

/// Takes the response to `call` out of `responses`: the one with its id, or the first with its name
/// if one of the two has no id.
fn response_to(call: &FunctionCall<'_>, responses: &mut Vec<&Part>) -> Part {
    let by_id = responses.iter().position(|part| {
        part.as_response().is_some_and(|response| call.id.is_some() && response.id == call.id)
    });
    let found = by_id.or_else(|| {
        responses.iter().position(|part| {
            part.as_response().is_some_and(|response| {
                response.name == call.name && (call.id.is_none() || response.id.is_none())
            })
        })
    });
    match found {
        Some(index) => echo(responses.remove(index), call),
        None => Part::response(
            call.id,
            call.name,
            json!({ "success": false, "error": INTERRUPTED }),
            Vec::new(),
        ),
    }
}

/// A copy of `part` with the id and name of `call`.
fn echo(part: &Part, call: &FunctionCall<'_>) -> Part {
    let mut raw = part.raw().clone();
    if let Some(Value::Object(body)) = raw.get_mut("functionResponse") {
        body.insert("name".into(), call.name.into());
        match call.id {
            Some(id) => body.insert("id".into(), id.into()),
            None => body.shift_remove("id"),
        };
    }
    Part::from_value(Value::Object(raw))
}

#[cfg(test)]
#[path = "normalise_tests.rs"]
mod tests;
