//! Anthropic's dialect: what it streams and what it refuses. Texts of refusals follow the real
//! ones.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::reply::Step;

/// What it lists.
pub(super) const MODELS: &[&str] = &["claude-sonnet-5-5", "claude-haiku-4-5"];

pub(super) fn begin() -> String {
    event(&json!({ "type": "message_start", "message": { "id": "msg_1", "role": "assistant",
        "content": [], "usage": { "input_tokens": 10, "output_tokens": 1 } } }))
        + &event(&json!({ "type": "ping" }))
}

pub(super) fn end(has_calls: bool, cut: bool) -> String {
    let reason = match (cut, has_calls) {
        (true, _) => "max_tokens",
        (_, true) => "tool_use",
        _ => "end_turn",
    };
    event(&json!({ "type": "message_delta", "delta": { "stop_reason": reason },
                   "usage": { "output_tokens": 7 } }))
        + &event(&json!({ "type": "message_stop" }))
}

pub(super) fn events(step: &Step, blocks: &mut u64) -> String {
    let (block, deltas) = match step {
        Step::Text(text) => (
            json!({ "type": "text", "text": "" }),
            vec![json!({ "type": "text_delta", "text": text })],
        ),
        Step::Thought(text, signature) => (
            json!({ "type": "thinking", "thinking": "", "signature": "" }),
            vec![
                json!({ "type": "thinking_delta", "thinking": text }),
                json!({ "type": "signature_delta", "signature": signature }),
            ],
        ),
        Step::Call(id, name, args) => {
            let text: Vec<char> = args.to_string().chars().collect();
            let delta = |piece: &[char]| {
                let piece: String = piece.iter().collect();
                json!({ "type": "input_json_delta", "partial_json": piece })
            };
            let block = json!({ "type": "tool_use", "id": id, "name": name, "input": {} });
            (block, text.chunks(5).map(delta).collect())
        }
        Step::Error(kind, message) => {
            let error = json!({ "type": kind, "message": message });
            return event(&json!({ "type": "error", "error": error }));
        }
        Step::Gate(_) | Step::Break => return String::new(),
    };
    let index = *blocks;
    *blocks += 1;
    let mut events =
        event(&json!({ "type": "content_block_start", "index": index, "content_block": block }));
    for delta in deltas {
        let delta = json!({ "type": "content_block_delta", "index": index, "delta": delta });
        events.push_str(&event(&delta));
    }
    events + &event(&json!({ "type": "content_block_stop", "index": index }))
}

fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or_default())
}

/// Why the real API would refuse `body`; `signed` are the thoughts it gave out.
pub(super) fn faults(body: &Value, signed: &[(String, String)]) -> Vec<String> {
    let mut faults = Vec::new();
    let known = ["model", "max_tokens", "messages", "stream", "system", "tools", "thinking"];
    let fields = body.as_object().into_iter().flatten();
    for (name, _) in fields.filter(|(name, _)| !known.contains(&name.as_str())) {
        faults.push(format!("{name}: Extra inputs are not permitted"));
    }
    let model = body["model"].as_str().unwrap_or_default();
    if !MODELS.contains(&model) {
        faults.push(format!("model: {model}"));
    }
    let max_tokens = body["max_tokens"].as_u64().unwrap_or(0);
    if max_tokens == 0 {
        faults.push("max_tokens: Field required".into());
    }
    let thinking = &body["thinking"];
    match (model, thinking["type"].as_str()) {
        (_, None) | ("claude-sonnet-5-5", Some("adaptive")) => {}
        ("claude-haiku-4-5", Some("enabled"))
            if (1024..max_tokens).contains(&thinking["budget_tokens"].as_u64().unwrap_or(0)) => {}
        _ => faults.push(format!("thinking: {thinking} is not supported for {model}")),
    }
    for tool in body["tools"].as_array().into_iter().flatten() {
        if !is_id(&tool["name"]) || tool["input_schema"]["type"] != "object" {
            faults.push(format!("tools: {tool}"));
        }
    }
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    message_faults(messages, signed, &mut faults);
    if thinking["type"] == "enabled" {
        budget_faults(messages, &mut faults);
    }
    faults
}

fn message_faults(messages: &[Value], signed: &[(String, String)], faults: &mut Vec<String>) {
    if messages.first().is_none_or(|first| first["role"] != "user") {
        faults.push("messages: first message must use the \"user\" role".into());
    }
    if messages.last().is_some_and(|last| last["role"] != "user") {
        faults.push("This model does not support assistant message prefill.".into());
    }
    let mut ids: HashSet<&str> = HashSet::new();
    let mut waiting: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let mut fault = |text: &str| faults.push(format!("messages.{index}: {text}"));
        let role = message["role"].as_str().unwrap_or_default();
        if index > 0 && messages[index - 1]["role"] == message["role"] {
            fault("roles must alternate between \"user\" and \"assistant\"");
        }
        let blocks = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        if blocks.is_empty() {
            fault("content must be non-empty");
        }
        let first_others = blocks.iter().position(|block| block["type"] != "tool_result");
        let results = &blocks[..first_others.unwrap_or(blocks.len())];
        let answered: Vec<&str> =
            results.iter().filter_map(|block| block["tool_use_id"].as_str()).collect();
        let all_answered =
            waiting.len() == answered.len() && waiting.iter().all(|id| answered.contains(id));
        if !all_answered {
            fault(&format!(
                "`tool_use` ids {waiting:?} were found with `tool_result` blocks {answered:?} at the \
                 beginning of the next message. Each `tool_use` block must have a corresponding \
                 `tool_result` block in the next message."
            ));
        }
        waiting.clear();
        for block in &blocks[results.len()..] {
            match (role, block["type"].as_str().unwrap_or_default()) {
                (_, "text") if !is_blank(&block["text"]) => {}
                ("user", "image") if is_picture(block) => {}
                ("assistant", "thinking") => {
                    let given = |(text, signature): &(String, String)| {
                        block["thinking"] == *text && block["signature"] == *signature
                    };
                    if !signed.iter().any(given) {
                        fault("Invalid `signature` in `thinking` block");
                    }
                }
                ("assistant", "tool_use") if is_id(&block["id"]) && block["input"].is_object() => {
                    let id = block["id"].as_str().unwrap_or_default();
                    if !ids.insert(id) {
                        fault("`tool_use` ids must be unique");
                    }
                    waiting.push(id);
                }
                _ => fault(&format!("this block cannot stand here: {block}")),
            }
        }
        for result in results {
            let content = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
            let is_text = |block: &Value| block["type"] == "text" && !is_blank(&block["text"]);
            let is_error = result["is_error"] == true;
            if !content.iter().all(|block| is_text(block) || (!is_error && is_picture(block))) {
                fault(&format!("this result cannot be read: {result}"));
            }
        }
    }
    if !waiting.is_empty() {
        faults.push("`tool_use` ids were found without `tool_result` blocks".into());
    }
}

/// With a budget, an answer whose calls go on has to begin with its thought.
fn budget_faults(messages: &[Value], faults: &mut Vec<String>) {
    let goes_on = messages.last().is_some_and(|last| last["content"][0]["type"] == "tool_result");
    let answer = messages.iter().rfind(|message| message["role"] == "assistant");
    if goes_on && answer.is_some_and(|answer| answer["content"][0]["type"] != "thinking") {
        faults.push("Expected `thinking` or `redacted_thinking`, but found `tool_use`.".into());
    }
}

fn is_blank(text: &Value) -> bool {
    text.as_str().unwrap_or_default().trim().is_empty()
}

fn is_picture(block: &Value) -> bool {
    let source = &block["source"];
    let types = ["image/jpeg", "image/png", "image/gif", "image/webp"];
    block["type"] == "image"
        && source["type"] == "base64"
        && source["media_type"].as_str().is_some_and(|kind| types.contains(&kind))
        && source["data"].as_str().is_some_and(|data| !data.is_empty())
}

fn is_id(id: &Value) -> bool {
    let id = id.as_str().unwrap_or_default();
    !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}
