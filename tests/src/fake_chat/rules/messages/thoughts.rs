//! Thinking blocks: their signatures, and that nothing before them has changed.

use serde_json::Value;

use super::super::asked::Asked;
use super::super::common::{list, text};
use crate::fake_chat::issued::{Issued, Thought};
use crate::fake_chat::providers::Model;
use crate::fake_chat::wording::RequestError;

const BOUND: &str = "Invalid `signature` in `thinking` block. The block is bound to a different \
                     conversation. Remove the block, or set \
                     `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\". That setting \
                     requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` \
                     header.";

/// What stands in a request before message `end`, block by block: tools, system, messages. Thoughts
/// that `model` cannot read and marks of the cache do not count.
pub(in crate::fake_chat) fn bound_prefix(
    body: &Value,
    end: usize,
    model: &str,
    issued: &Issued,
) -> Vec<String> {
    let mut prefix = vec![format!("tools {}", unmarked(&body["tools"]))];
    prefix.extend(blocks(&body["system"]).into_iter().map(|block| format!("system {block}")));
    for message in list(&body["messages"]).iter().take(end) {
        let role = text(&message["role"]);
        let readable =
            |block: &Value| block["type"] != "thinking" || is_readable(block, model, issued);
        let blocks = blocks(&message["content"]).into_iter().filter(readable);
        prefix.extend(blocks.map(|block| format!("{role} {block}")));
    }
    prefix
}

fn blocks(content: &Value) -> Vec<Value> {
    match content {
        Value::Null => Vec::new(),
        Value::String(text) => vec![serde_json::json!({ "type": "text", "text": text })],
        content => list(content).iter().map(unmarked).collect(),
    }
}

/// Without marks of the cache, at any depth.
fn unmarked(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| *name != "cache_control");
            fields.map(|(name, value)| (name.clone(), unmarked(value))).collect()
        }
        Value::Array(values) => values.iter().map(unmarked).collect(),
        other => other.clone(),
    }
}

fn is_readable(block: &Value, model: &str, issued: &Issued) -> bool {
    issued.thoughts(text(&block["signature"])).any(|thought| thought.model == model)
}

pub(super) fn check(asked: Asked<'_>, model: &Model, errors: &mut Vec<RequestError>) {
    let Asked { body, issued, .. } = asked;
    let binds = asked.binds_thoughts && model.binds_thoughts;
    let drops = body["thinking"]["block_binding"]["prefix_mismatch_behavior"] == "drop_block";
    let messages = list(&body["messages"]);
    for (index, message) in messages.iter().enumerate() {
        for (number, block) in list(&message["content"]).iter().enumerate() {
            if block["type"] != "thinking" {
                continue;
            }
            let at = format!("messages.{index}.content.{number}");
            let Some(signature) = block.get("signature").and_then(Value::as_str) else {
                errors
                    .push(RequestError::Other(format!("{at}.thinking.signature: Field required")));
                continue;
            };
            let given: Vec<&Thought> = issued
                .thoughts(signature)
                .filter(|thought| block["thinking"] == *thought.text)
                .collect();
            if given.is_empty() {
                errors.push(RequestError::Other(format!(
                    "{at}: Invalid `signature` in `thinking` block"
                )));
                continue;
            }
            // One of another model is left out without an error.
            let own: Vec<&Thought> =
                given.into_iter().filter(|thought| thought.model == model.id).collect();
            if drops || !binds || own.is_empty() {
                continue;
            }
            let prefix = bound_prefix(body, index, model.id, issued);
            if !own.iter().any(|thought| thought.prefix == prefix) {
                let what = difference(&own[0].prefix, &prefix);
                errors.push(RequestError::Other(format!("{at}: {BOUND} {what}")));
            }
        }
    }
    if body["thinking"]["type"] == "enabled" {
        check_budget(messages, errors);
    }
}

/// Names what changed, as the provider does.
fn difference(created: &[String], now: &[String]) -> String {
    let first = created.iter().zip(now).position(|(created, now)| created != now);
    let at = first.unwrap_or(created.len().min(now.len()));
    let created = created.get(at).map(String::as_str).unwrap_or_default();
    match created.split(' ').next() {
        Some("tools") => "The `tools` differ from the ones this block was created with.".into(),
        Some("system") => "The `system` prompt differs from the one this block was created with.".into(),
        _ if created.contains("\"type\":\"thinking\"") => {
            "The `thinking` block that preceded this one when it was created is missing from this request."
                .into()
        }
        _ => format!("The messages before it differ at block {at}."),
    }
}

/// With a budget, an answer whose calls go on has to begin with its thought.
fn check_budget(messages: &[Value], errors: &mut Vec<RequestError>) {
    let goes_on = messages.last().is_some_and(|last| last["content"][0]["type"] == "tool_result");
    let answer = messages.iter().rposition(|message| message["role"] == "assistant");
    if let Some(index) = answer.filter(|_| goes_on)
        && messages[index]["content"][0]["type"] != "thinking"
    {
        errors.push(RequestError::Other(format!(
            "messages.{index}.content.0.type: Expected `thinking` or `redacted_thinking`, but found {}. \
             When `thinking` is enabled, a final `assistant` message must start with a thinking block.",
            messages[index]["content"][0]["type"]
        )));
    }
}
