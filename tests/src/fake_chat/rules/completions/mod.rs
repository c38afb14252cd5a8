//! Chat completions: OpenAI's, and what other providers do differently.

mod table;

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::common::{Picture, is_name, list, text, unknown_fields};
use super::{Asked, schema};
use crate::fake_chat::issued::Issued;
use crate::fake_chat::providers::{Dialect, Model};
use crate::fake_chat::wording::RequestError;
use table::{Ids, Rules, Thoughts, rules};

pub(super) fn check(asked: Asked<'_>, model: &Model, errors: &mut Vec<RequestError>) {
    let Asked { dialect, body, issued, .. } = asked;
    let rules = rules(dialect);
    if let Some(fields) = rules.fields {
        unknown_fields(body, "", fields, errors);
    }
    if let Some(options) = body.get("stream_options") {
        unknown_fields(
            options,
            "stream_options",
            &["include_usage", "include_obfuscation"],
            errors,
        );
    }
    effort(asked, model, errors);
    check_tools(body, &|tool| &tool["function"], errors);
    if dialect == Dialect::OpenAi && !model.thinking.is_empty() {
        if body.get("max_tokens").is_some() {
            errors.push(RequestError::Other(
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
                 'max_completion_tokens' instead."
                    .into(),
            ));
        }
        if body.get("temperature").is_some_and(|it| *it != 1) {
            errors.push(RequestError::Other(
                "Unsupported value: 'temperature' does not support this value with this model. Only the \
                 default (1) value is supported."
                    .into(),
            ));
        }
    }
    let messages = list(&body["messages"]);
    if messages.is_empty() {
        errors.push(RequestError::Other("[] is too short - 'messages'".into()));
    }
    let thinks = !model.thinking.is_empty() && body["thinking"]["type"] != "disabled";
    check_order(messages, &rules, errors);
    check_calls(messages, &rules, issued, errors);
    for (index, message) in messages.iter().enumerate() {
        let at = format!("messages.{index}");
        check_message(message, &at, &rules, errors);
        if thinks {
            check_thought(message, index, &rules, issued, errors);
        }
    }
    check_pictures(messages, &rules, model, errors);
}

fn effort(asked: Asked<'_>, model: &Model, errors: &mut Vec<RequestError>) {
    let body = asked.body;
    let field = "reasoning_effort";
    if let Some(value) = body.get(field).filter(|value| !value.is_null()) {
        let lenient =
            matches!(asked.dialect, Dialect::OpenRouter | Dialect::LlamaCpp | Dialect::Kimi);
        if !lenient && !model.efforts.contains(&text(value)) {
            let value = text(value).to_owned();
            errors.push(RequestError::Effort { field, value, takes: model.efforts });
        }
    }
    if model.tools_by_responses && body.get("tools").is_some() && body[field] != "none" {
        errors.push(RequestError::Other(format!(
            "Function tools with reasoning_effort are not supported for {} in /v1/chat/completions. To \
             use function tools, use /v1/responses or set reasoning_effort to 'none'.",
            model.id
        )));
    }
}

/// Tools of both of OpenAI's forms; `function` finds the declaration in one.
pub(super) fn check_tools(
    body: &Value,
    function: &dyn for<'a> Fn(&'a Value) -> &'a Value,
    errors: &mut Vec<RequestError>,
) {
    let Some(tools) = body.get("tools") else { return };
    let tools = list(tools);
    if tools.is_empty() || tools.len() > 128 {
        errors.push(RequestError::Other(format!(
            "Invalid 'tools': expected an array of 1 to 128 tools, but got {}.",
            tools.len()
        )));
    }
    let mut names = HashSet::new();
    for (index, tool) in tools.iter().enumerate() {
        let declared = function(tool);
        let name = text(&declared["name"]);
        if tool["type"] != "function" {
            errors.push(RequestError::Other(format!(
                "Invalid value: {} at 'tools[{index}].type'.",
                tool["type"]
            )));
        }
        if !is_name(&declared["name"], 64) {
            errors.push(RequestError::Other(format!(
                "Invalid 'tools[{index}].function.name': string does not match pattern. Expected a \
                 string that matches the pattern '^[a-zA-Z0-9_-]+$'."
            )));
        }
        if !names.insert(name) {
            errors.push(RequestError::Other(format!("Duplicate tool name: {name}")));
        }
        if let Some(parameters) = declared.get("parameters") {
            errors.extend(schema::errors(name, parameters).into_iter().map(RequestError::Other));
        }
    }
}

fn check_order(messages: &[Value], rules: &Rules, errors: &mut Vec<RequestError>) {
    let role = |message: &Value| text(&message["role"]).to_owned();
    let spoken: Vec<&Value> = messages
        .iter()
        .filter(|message| !matches!(text(&message["role"]), "system" | "developer"))
        .collect();
    for pair in spoken.windows(2) {
        let (after, role) = (role(pair[0]), role(pair[1]));
        let out_of_turn = after == "tool" && role == "user" && !rules.user_after_tool;
        let repeated = after == role && role != "tool" && !rules.repeats;
        if out_of_turn || repeated {
            errors.push(RequestError::Order { role, after });
        }
    }
    if !rules.user_after_tool && spoken.last().is_some_and(|last| last["role"] == "assistant") {
        errors.push(RequestError::Other(
            "Expected last role User or Tool (or Assistant with prefix True) for serving but got \
             assistant"
                .into(),
        ));
    }
}

/// Every call is answered at once, once, and by its id.
fn check_calls(messages: &[Value], rules: &Rules, issued: &Issued, errors: &mut Vec<RequestError>) {
    let mut waiting: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        if message["role"] == "tool" {
            let id = text(&message["tool_call_id"]);
            match waiting.iter().position(|waits| *waits == id) {
                Some(at) => drop(waiting.remove(at)),
                None => errors.push(RequestError::Other(format!(
                    "messages.[{index}]: messages with role 'tool' must be a response to a preceeding \
                     message with 'tool_calls'."
                ))),
            }
            continue;
        }
        unanswered(&mut waiting, errors);
        for call in list(&message["tool_calls"]) {
            let id = text(&call["id"]);
            let function = &call["function"];
            if call["type"] != "function" || !is_name(&function["name"], 64) {
                errors.push(RequestError::Other(format!(
                    "messages.[{index}]: Invalid tool call: {call}"
                )));
            }
            let arguments = text(&function["arguments"]);
            if !serde_json::from_str::<Value>(arguments).is_ok_and(|args| args.is_object()) {
                errors.push(RequestError::Other(format!(
                    "messages.[{index}]: the arguments of a call must be a JSON object in a string"
                )));
            }
            if !id_fits(id, call, rules, issued) {
                errors.push(RequestError::CallId(id.into()));
            }
            if waiting.contains(&id) {
                errors.push(RequestError::Other(format!(
                    "Duplicate value for 'tool_call_id' of '{id}'"
                )));
            }
            waiting.push(id);
        }
    }
    unanswered(&mut waiting, errors);
}

fn id_fits(id: &str, call: &Value, rules: &Rules, issued: &Issued) -> bool {
    match rules.ids {
        Ids::Short => (1..=40).contains(&id.len()),
        Ids::Nine => id.len() == 9 && id.chars().all(|char| char.is_ascii_alphanumeric()),
        Ids::AsGiven => {
            let function = &call["function"];
            let args: Value =
                serde_json::from_str(text(&function["arguments"])).unwrap_or_default();
            let mut same = issued
                .calls
                .iter()
                .filter(|given| given.name == text(&function["name"]) && given.args == args)
                .peekable();
            !id.is_empty() && (same.peek().is_none() || same.any(|given| given.id == id))
        }
    }
}

fn unanswered(waiting: &mut Vec<&str>, errors: &mut Vec<RequestError>) {
    if !waiting.is_empty() {
        errors.push(RequestError::Other(format!(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each \
             'tool_call_id'. The following tool_call_ids did not have response messages: {}",
            waiting.join(", ")
        )));
        waiting.clear();
    }
}

fn check_message(message: &Value, at: &str, rules: &Rules, errors: &mut Vec<RequestError>) {
    let role = text(&message["role"]);
    let mut error = |text: String| errors.push(RequestError::Other(format!("{at}: {text}")));
    if !["system", "developer", "user", "assistant", "tool"].contains(&role) {
        error(format!(
            "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user'."
        ));
    }
    let content = &message["content"];
    let has_calls = !list(&message["tool_calls"]).is_empty();
    let is_empty = match content {
        Value::String(text) => text.is_empty(),
        Value::Array(parts) => parts.is_empty(),
        _ => true,
    };
    if role == "assistant" && is_empty && !has_calls {
        error("Assistant message must have either content or tool_calls, but not none.".into());
    }
    if message.get("tool_calls").is_some() && !has_calls {
        error("Invalid 'tool_calls': empty array. Expected an array with minimum length 1.".into());
    }
    if role != "assistant" && !content.is_string() && !content.is_array() {
        error("Invalid value for 'content': expected a string or an array of parts.".into());
    }
    for part in list(content) {
        let kind = text(&part["type"]);
        let is_fine = match (role, kind) {
            (_, "text") => part["text"].is_string(),
            ("user", "image_url") => Picture::from_url(&part["image_url"]["url"]).is_some(),
            ("assistant", "refusal") => true,
            ("assistant", "thinking") => rules.ids == Ids::Nine && part["thinking"].is_array(),
            _ => false,
        };
        if !is_fine {
            let kind = if kind == "image_url" && role != "user" {
                format!(
                    "Image URLs are only allowed for messages with role 'user', but this message with \
                     role '{role}' contains an image URL."
                )
            } else {
                format!("Invalid content part: {part}")
            };
            error(kind);
        }
    }
    if let Some(by_role) = rules.message_fields {
        let more = by_role.iter().find(|(name, _)| *name == role).map_or(&[][..], |(_, more)| more);
        let known: Vec<&str> = ["role", "content"].iter().chain(more).copied().collect();
        unknown_fields(message, at, &known, errors);
    }
}

fn check_thought(
    message: &Value,
    index: usize,
    rules: &Rules,
    issued: &Issued,
    errors: &mut Vec<RequestError>,
) {
    if message["role"] != "assistant" {
        return;
    }
    let thought = message.get("reasoning_content").and_then(Value::as_str);
    let calls = list(&message["tool_calls"]);
    let is_missing = match rules.thoughts {
        Thoughts::OnEveryAnswer => thought.is_none(),
        Thoughts::OnEveryCall => !calls.is_empty() && thought.is_none(),
        Thoughts::Allowed | Thoughts::Unknown => return,
    };
    // What was thought before a call that was given out here comes back with it.
    let was_thought =
        calls.iter().any(|call| issued.call(text(&call["id"])).is_some_and(|given| given.thought));
    if is_missing || (was_thought && thought.is_none_or(|thought| thought.trim().is_empty())) {
        errors.push(RequestError::ThoughtMissing(index));
    }
}

fn check_pictures(
    messages: &[Value],
    rules: &Rules,
    model: &Model,
    errors: &mut Vec<RequestError>,
) {
    let mut pictures: HashMap<usize, Vec<Picture>> = HashMap::new();
    for (index, message) in messages.iter().enumerate() {
        for part in list(&message["content"]).iter().filter(|part| part["type"] == "image_url") {
            let picture = Picture::from_url(&part["image_url"]["url"]);
            pictures.entry(index).or_default().extend(picture);
        }
    }
    if let Some(first) = pictures.keys().min().filter(|_| !model.pictures) {
        errors.push(RequestError::NoPictures(model.id.into(), *first));
    }
    let all: Vec<&Picture> = pictures.values().flatten().collect();
    if all.len() > rules.max_pictures {
        errors.push(RequestError::Other(format!(
            "Too many images provided. This model supports up to {} images, got {}.",
            rules.max_pictures,
            all.len()
        )));
    }
    for picture in all {
        let known = ["image/png", "image/jpeg", "image/gif", "image/webp"];
        if !known.contains(&picture.mime_type.as_str()) {
            errors.push(RequestError::Other(format!(
                "You uploaded an unsupported image. Please make sure your image has of one the following \
                 formats: ['png', 'jpeg', 'gif', 'webp']; not {}.",
                picture.mime_type
            )));
        }
        if picture.bytes.len() > rules.max_picture_bytes {
            errors.push(RequestError::Other("Image size is too large.".into()));
        }
    }
}
