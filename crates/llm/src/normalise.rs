//! A history as the Gemini API accepts it.

use serde_json::{Value, json};

use crate::content::{Content, FunctionCall, Part, Role};

/// Stands in for the user where the API wants one: before an answer of the model that follows
/// nothing or another answer, and at the end.
pub(crate) const CONTINUE: &str = "(continue)";

/// The response given to a call that never got one.
const INTERRUPTED: &str = "interrupted: the run stopped before this call gave a result; \
                           check the current state before trying again";

/// A copy of `history` that the Gemini API accepts; a history that is fine comes back unchanged.
///
/// - It starts with the user and does not end with the model.
/// - Calls follow the user or function responses, and are followed at once by one content of role
///   `function` that answers each of them once, in call order, with their ids and names. Missing
///   responses become `{"success": false, "error": "interrupted: ..."}`.
/// - Responses that answer nothing, calls that are not the model's, empty parts and contents
///   without parts are left out. All other parts stay as they are, in their order.
pub fn normalise(history: &[Content]) -> Vec<Content> {
    let cleaned: Vec<Content> = history.iter().filter_map(clean).collect();
    let mut result: Vec<Content> = Vec::with_capacity(cleaned.len() + 1);
    let mut rest = cleaned.as_slice();
    while let Some((content, after)) = rest.split_first() {
        rest = after;
        let calls: Vec<FunctionCall<'_>> = content.calls().collect();
        let follows_model = result.last().is_none_or(|last| last.role == Role::Model);
        let needs_user = match content.role {
            Role::User => false,
            Role::Function => result.is_empty(),
            Role::Model => result.is_empty() || (follows_model && !calls.is_empty()),
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
        // A response may have been logged late, after a queued message of the user: look for it up
        // to the next calls.
        let reach =
            rest.iter().position(|later| later.calls().next().is_some()).unwrap_or(rest.len());
        let (window, beyond) = rest.split_at(reach);
        rest = beyond;
        answer(&calls, window, &mut result);
    }
    if result.last().is_some_and(|last| last.role == Role::Model) {
        result.push(Content::user(CONTINUE));
    }
    result
}

/// Leaves out empty parts and what a role cannot say; `None` when nothing is left.
fn clean(content: &Content) -> Option<Content> {
    let is_model = content.role == Role::Model;
    let parts: Vec<Part> = content
        .parts
        .iter()
        .filter(|part| !part.raw().is_empty())
        .filter(|part| is_model || part.as_call().is_none())
        .filter(|part| !is_model || part.as_response().is_none())
        .cloned()
        .collect();
    (!parts.is_empty()).then_some(Content { role: content.role, parts })
}

fn without_responses(content: &Content) -> Option<Content> {
    let parts: Vec<Part> =
        content.parts.iter().filter(|part| part.as_response().is_none()).cloned().collect();
    (!parts.is_empty()).then_some(Content { role: content.role, parts })
}

/// Pushes the responses to `calls`, then what else `window`, the contents up to the next calls,
/// holds.
fn answer(calls: &[FunctionCall<'_>], window: &[Content], result: &mut Vec<Content>) {
    let directly = window.first().filter(|next| next.role == Role::Function);
    if let Some(next) = directly.filter(|next| answers_in_order(calls, next)) {
        result.push(next.clone());
    } else {
        let mut responses: Vec<&Part> = window
            .iter()
            .flat_map(|content| &content.parts)
            .filter(|part| part.as_response().is_some())
            .collect();
        let mut parts: Vec<Part> =
            calls.iter().map(|call| response_to(call, &mut responses)).collect();
        // Pictures beside the responses belong to them.
        parts.extend(directly.and_then(without_responses).into_iter().flat_map(|next| next.parts));
        result.push(Content::function(parts));
    }
    let done = usize::from(directly.is_some());
    result.extend(window.iter().skip(done).filter_map(without_responses));
}

fn answers_in_order(calls: &[FunctionCall<'_>], content: &Content) -> bool {
    content
        .responses()
        .map(|response| (response.id, response.name))
        .eq(calls.iter().map(|call| (call.id, call.name)))
}

/// Takes the response to `call` out of `responses`: the one with its id, else the first of its
/// name where one side lacks the id.
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

/// `part` with the id and name of `call`.
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
