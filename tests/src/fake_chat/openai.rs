//! OpenAI's dialect: what it streams and what it refuses. Texts of refusals follow the real ones.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::reply::Step;

/// What it lists.
pub(super) const MODELS: &[&str] = &["gpt-5.5", "gpt-4o-mini", "text-embedding-3-small"];

pub(super) fn begin() -> String {
    chunk(&json!({ "role": "assistant", "content": "" }))
}

pub(super) fn end(has_calls: bool, cut: bool) -> String {
    let reason = match (cut, has_calls) {
        (true, _) => "length",
        (_, true) => "tool_calls",
        _ => "stop",
    };
    let finish = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] });
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 10, "completion_tokens": 7 } });
    format!("data: {finish}\n\ndata: {usage}\n\ndata: [DONE]\n\n")
}

pub(super) fn events(step: &Step, calls: &mut u64) -> String {
    match step {
        Step::Text(text) => chunk(&json!({ "content": text })),
        Step::Thought(text, _) => chunk(&json!({ "reasoning_content": text })),
        Step::Call(id, name, args) => {
            let index = *calls;
            *calls += 1;
            let function = json!({ "name": name, "arguments": "" });
            let mut events = chunk(&json!({ "tool_calls": [
                { "index": index, "id": id, "type": "function", "function": function }] }));
            let text: Vec<char> = args.to_string().chars().collect();
            for piece in text.chunks(5) {
                let function = json!({ "arguments": piece.iter().collect::<String>() });
                let delta = json!({ "tool_calls": [{ "index": index, "function": function }] });
                events.push_str(&chunk(&delta));
            }
            events
        }
        Step::Error(code, message) => {
            let error = json!({ "error": { "message": message, "code": code } });
            format!("data: {error}\n\n")
        }
        Step::Gate(_) | Step::Break => String::new(),
    }
}

fn chunk(delta: &Value) -> String {
    let chunk = json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk",
        "choices": [{ "index": 0, "delta": delta, "finish_reason": null }], "usage": null });
    format!("data: {chunk}\n\n")
}

/// Why the real API would refuse `body`.
pub(super) fn faults(body: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(object) = body.as_object() else {
        return vec!["We could not parse the JSON body of your request.".into()];
    };
    let known = ["model", "messages", "stream", "stream_options", "tools", "reasoning_effort"];
    for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
        faults.push(format!("Unrecognized request argument supplied: {name}"));
    }
    let model = body["model"].as_str().unwrap_or_default();
    if !MODELS.contains(&model) {
        faults.push(format!("The model `{model}` does not exist."));
    }
    if body.get("tools").is_some() && model == "gpt-5.5" && body["reasoning_effort"] != "none" {
        faults.push(format!(
            "Function tools with reasoning_effort are not supported for {model} in \
             /v1/chat/completions. To use function tools, use /v1/responses or set \
             reasoning_effort to 'none'."
        ));
    }
    for tool in body["tools"].as_array().into_iter().flatten() {
        let function = &tool["function"];
        let schema = &function["parameters"]["type"];
        if tool["type"] != "function" || !is_name(&function["name"]) || schema != "object" {
            faults.push(format!("Invalid tool: {tool}"));
        }
    }
    match body["messages"].as_array() {
        Some(messages) if !messages.is_empty() => message_faults(messages, &mut faults),
        _ => faults.push("[] is too short - 'messages'".into()),
    }
    faults
}

fn message_faults(messages: &[Value], faults: &mut Vec<String>) {
    // Calls of the assistant message before that wait for their tool messages.
    let mut waiting: HashSet<String> = HashSet::new();
    for (index, message) in messages.iter().enumerate() {
        let at = format!("messages.[{index}]");
        let role = message["role"].as_str().unwrap_or_default();
        if role == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            if !waiting.remove(id) {
                faults.push(format!(
                    "{at}: messages with role 'tool' must be a response to a preceeding message \
                     with 'tool_calls'."
                ));
            }
            if !message["content"].is_string() {
                faults.push(format!("{at}: tool messages hold text"));
            }
            continue;
        }
        unanswered(&mut waiting, faults);
        match role {
            "system" if message["content"].is_string() => {}
            "user" => user_faults(&at, &message["content"], faults),
            "assistant" => {
                let calls = message.get("tool_calls");
                if calls.is_none() && !message["content"].is_string() {
                    faults.push(format!("Invalid value for 'content' at {at}: expected a string."));
                }
                for call in calls.and_then(Value::as_array).into_iter().flatten() {
                    let id = call["id"].as_str().unwrap_or_default();
                    let function = &call["function"];
                    let is_fine = call["type"] == "function"
                        && is_name(&function["name"])
                        && function["arguments"].is_string()
                        && (1..=40).contains(&id.len());
                    if !is_fine || !waiting.insert(id.to_owned()) {
                        faults.push(format!("{at}: Invalid tool call: {call}"));
                    }
                }
            }
            _ => faults.push(format!("{at}: Invalid message: {message}")),
        }
    }
    unanswered(&mut waiting, faults);
}

fn unanswered(waiting: &mut HashSet<String>, faults: &mut Vec<String>) {
    if !waiting.is_empty() {
        let ids: Vec<String> = waiting.drain().collect();
        faults.push(format!(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to \
             each 'tool_call_id'. The following tool_call_ids did not have response messages: {}",
            ids.join(", ")
        ));
    }
}

fn user_faults(at: &str, content: &Value, faults: &mut Vec<String>) {
    let Some(parts) = content.as_array() else {
        if !content.is_string() {
            faults.push(format!("Invalid value for 'content' at {at}"));
        }
        return;
    };
    for part in parts {
        let is_fine = match part["type"].as_str() {
            Some("text") => part["text"].is_string(),
            Some("image_url") => {
                let url = part["image_url"]["url"].as_str().unwrap_or_default();
                url.starts_with("data:image/") && url.contains(";base64,")
            }
            _ => false,
        };
        if !is_fine {
            faults.push(format!("{at}: Invalid content part: {part}"));
        }
    }
}

fn is_name(name: &Value) -> bool {
    let name = name.as_str().unwrap_or_default();
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (1..=64).contains(&name.len()) && name.chars().all(fits)
}
