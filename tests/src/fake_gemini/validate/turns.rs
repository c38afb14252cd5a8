//! Roles, the order of turns, and the pairing of calls and responses.

use serde_json::Value;

use super::common::{is_gemini_3_or_later, list};
use super::tools::is_name;

pub(super) fn check(model: &str, body: &Value, errors: &mut Vec<String>) {
    let contents = list(body, "contents");
    if contents.is_empty() {
        errors.push("* GenerateContentRequest.contents: contents is not specified".into());
    }
    if contents.first().is_some_and(|first| first["role"] == "model") {
        errors.push("the first content is not the user's".into());
    }
    if contents.last().is_some_and(|last| last["role"] == "model") {
        errors.push("the last content is not the user's".into());
    }
    for (index, content) in contents.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &contents[before]);
        for error in content_errors(model, content, before, contents.get(index + 1)) {
            errors.push(format!("contents[{index}]: {error}"));
        }
    }
    if is_gemini_3_or_later(model) {
        check_signed_calls(contents, errors);
    }
    if let Some(part) =
        list(&body["systemInstruction"], "parts").iter().find(|part| part["text"].is_null())
    {
        errors.push(format!("the system instruction takes text only, not {part}"));
    }
}

fn content_errors(
    model: &str,
    content: &Value,
    before: Option<&Value>,
    after: Option<&Value>,
) -> Vec<String> {
    let mut errors = Vec::new();
    let role = content["role"].as_str().unwrap_or_default();
    if role != "user" && role != "model" {
        errors.push(format!("Please use a valid role: user, model. Not {:?}.", content["role"]));
    }
    if list(content, "parts").is_empty() {
        errors.push("contents.parts must not be empty.".into());
    }
    let calls = bodies(content, "functionCall");
    let responses = bodies(content, "functionResponse");
    for body in calls.iter().chain(&responses) {
        if !body["name"].as_str().is_some_and(is_name) {
            errors.push(format!("Invalid function name {}.", body["name"]));
        }
    }
    if role == "model" && !responses.is_empty() {
        errors.push("the role model has no function responses".into());
    }
    if role == "user" && !calls.is_empty() {
        errors.push("the role user has no function calls".into());
    }
    if !calls.is_empty() {
        if before.is_none_or(|before| before["role"] == "model") {
            errors.push(
                "Please ensure that function call turn comes immediately after a user turn or \
                 after a function response turn."
                    .into(),
            );
        }
        let answers = after.map(|after| bodies(after, "functionResponse")).unwrap_or_default();
        pairing_errors(&calls, &answers, &mut errors);
    }
    if !responses.is_empty()
        && before.is_none_or(|before| bodies(before, "functionCall").is_empty())
    {
        errors.push(
            "Please ensure that function response turn comes immediately after a function call \
             turn."
                .into(),
        );
    }
    if !is_gemini_3_or_later(model) && responses.iter().any(|body| !list(body, "parts").is_empty())
    {
        errors.push(format!("{model} takes no pictures within function responses"));
    }
    errors
}

fn pairing_errors(calls: &[&Value], responses: &[&Value], errors: &mut Vec<String>) {
    if calls.len() != responses.len() {
        errors.push(format!(
            "Please ensure that the number of function response parts is equal to the number of \
             function call parts of the function call turn ({} and {}).",
            responses.len(),
            calls.len()
        ));
    }
    for (index, (call, response)) in calls.iter().zip(responses).enumerate() {
        for field in ["id", "name"] {
            if call[field] != response[field] {
                errors.push(format!(
                    "function response {index} has the {field} {}, its call {}",
                    response[field], call[field]
                ));
            }
        }
    }
}

/// In the current turn, since the last words of the user, the first call of each content must be
/// signed.
fn check_signed_calls(contents: &[Value], errors: &mut Vec<String>) {
    let is_words = |content: &Value| {
        content["role"] == "user" && bodies(content, "functionResponse").is_empty()
    };
    let turn = contents.iter().rposition(is_words).unwrap_or(0);
    for (index, content) in contents.iter().enumerate().skip(turn) {
        let first = list(content, "parts").iter().find(|part| !part["functionCall"].is_null());
        if first.is_some_and(|part| part["thoughtSignature"].is_null()) {
            errors.push(format!(
                "contents[{index}]: Function call is missing a thought_signature in functionCall \
                 parts."
            ));
        }
    }
}

fn bodies<'a>(content: &'a Value, data: &str) -> Vec<&'a Value> {
    list(content, "parts").iter().map(|part| &part[data]).filter(|body| !body.is_null()).collect()
}
