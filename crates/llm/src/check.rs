//! A checker for the Gemini API's rules on histories.
//!
//! It shares no code with [`crate::normalise`], so that each can find the other's mistakes.

use crate::content::{Content, FunctionCall, FunctionResponse, Role};

/// Every reason why the Gemini API would refuse `history`, for developers; empty if the history is
/// valid.
pub fn history_errors(history: &[Content]) -> Vec<String> {
    let mut errors = Vec::new();
    if history.first().is_some_and(|first| first.role != Role::User) {
        errors.push("the history does not start with the user".into());
    }
    if history.last().is_some_and(|last| last.role == Role::Model) {
        errors.push("the history ends with the model".into());
    }
    for (index, content) in history.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| history.get(before));
        content_errors(content, before, history.get(index + 1), |error| {
            errors.push(format!("content {index}: {error}"));
        });
    }
    errors
}

fn content_errors(
    content: &Content,
    before: Option<&Content>,
    after: Option<&Content>,
    mut report: impl FnMut(String),
) {
    if content.parts.is_empty() {
        report("it has no parts".into());
    }
    if content.parts.iter().any(|part| part.raw().is_empty()) {
        report("a part is empty".into());
    }
    let calls: Vec<FunctionCall<'_>> = content.calls().collect();
    if content.role != Role::Function && content.responses().next().is_some() {
        report("it has function responses, but is not of the role function".into());
    }
    if content.role != Role::Model && !calls.is_empty() {
        report("it has function calls, but is not the model's".into());
    }
    if content.role == Role::Model && !calls.is_empty() {
        if before.is_none_or(|before| before.role == Role::Model) {
            report("its calls follow neither the user nor function responses".into());
        }
        match after {
            Some(after) if after.role == Role::Function => {
                pairing_faults(&calls, &after.responses().collect::<Vec<_>>(), &mut report);
            }
            _ => report("no function responses follow its calls".into()),
        }
    }
    if content.role == Role::Function
        && content.responses().next().is_some()
        && before.is_none_or(|before| before.calls().next().is_none())
    {
        report("its function responses follow no calls".into());
    }
}

fn pairing_faults(
    calls: &[FunctionCall<'_>],
    responses: &[FunctionResponse<'_>],
    report: &mut impl FnMut(String),
) {
    if calls.len() != responses.len() {
        report(format!("{} calls have {} responses", calls.len(), responses.len()));
    }
    for (number, (call, response)) in calls.iter().zip(responses).enumerate() {
        if call.id != response.id || call.name != response.name {
            report(format!(
                "call {number} ({} {:?}) is answered by a response to {} {:?}",
                call.name, call.id, response.name, response.id
            ));
        }
    }
}
