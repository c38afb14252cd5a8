//! The body of a Messages request.

use serde_json::{Value, json};

use super::FIELD;
use crate::content::{Content, Part, Role};
use crate::model::{Request, ToolDeclaration};
use crate::normalise::CONTINUE;
use crate::registry::{Thinking, facts};
use crate::service::call_ids::CallIds;

/// The most tokens of one answer that are asked for; the API wants a number.
const MAX_TOKENS: u64 = 32_000;

/// Tokens a model may think where it has to be told.
const THINKING_BUDGET: u64 = 4_000;

/// The request's body. The history is one that `normalise` made; blocks that came from the same
/// model go back as they came.
pub(super) fn body(model: &str, request: &Request) -> Value {
    let facts = facts(model);
    let mut messages = messages(model, &request.contents, true);
    let thinks = match facts.thinking {
        Thinking::Unasked => false,
        // Thinking on a budget cannot begin in the middle of a turn that began without.
        Thinking::Budget => !messages.last().is_some_and(has_results) || turn_thinks(&messages),
        Thinking::Adaptive => true,
    };
    if !thinks {
        messages = self::messages(model, &request.contents, false);
    }
    let mut body = json!({
        "model": model,
        "max_tokens": facts.output_limit.min(MAX_TOKENS),
        "messages": messages,
        "stream": true,
    });
    if !request.system_instruction.is_empty() {
        body["system"] = request.system_instruction.clone().into();
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(declaration).collect();
    }
    if thinks {
        body["thinking"] = match facts.thinking {
            Thinking::Budget => json!({ "type": "enabled", "budget_tokens": THINKING_BUDGET }),
            _ => json!({ "type": "adaptive", "display": "summarized" }),
        };
    }
    body
}

fn declaration(tool: &ToolDeclaration) -> Value {
    json!({ "name": tool.name, "description": tool.description, "input_schema": tool.parameters })
}

fn has_results(message: &Value) -> bool {
    message["role"] == "user" && message["content"][0]["type"] == "tool_result"
}

/// Whether the last answer begins with a thought.
fn turn_thinks(messages: &[Value]) -> bool {
    let last = messages.iter().rfind(|message| message["role"] == "assistant");
    last.is_some_and(|message| {
        matches!(message["content"][0]["type"].as_str(), Some("thinking" | "redacted_thinking"))
    })
}

fn messages(model: &str, contents: &[Content], with_thoughts: bool) -> Vec<Value> {
    let mut ids = CallIds::default();
    // Ids of the calls that wait for their results, in call order.
    let mut open = Vec::new();
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for content in contents {
        let (role, blocks) = match content.role {
            Role::User => ("user", content.parts.iter().filter_map(block).collect()),
            Role::Model => {
                let own = with_thoughts.then_some(model);
                ("assistant", answer(content, own, &mut ids, &mut open))
            }
            Role::Function => ("user", results(&content.parts, std::mem::take(&mut open))),
        };
        if blocks.is_empty() {
            continue;
        }
        match messages.last_mut() {
            // Roles alternate; results come first in their message by themselves.
            Some((last, before)) if *last == role => before.extend(blocks),
            _ => messages.push((role, blocks)),
        }
    }
    // A message of the person that held nothing this API takes still has its turn.
    let stand_in = || ("user", vec![json!({ "type": "text", "text": CONTINUE })]);
    if messages.first().is_none_or(|(role, _)| *role != "user") {
        messages.insert(0, stand_in());
    }
    if messages.last().is_some_and(|(role, _)| *role != "user") {
        messages.push(stand_in());
    }
    messages.into_iter().map(|(role, blocks)| json!({ "role": role, "content": blocks })).collect()
}

/// A block of what the person sends.
fn block(part: &Part) -> Option<Value> {
    if let Some(text) = part.as_text() {
        // Blocks of white space alone are refused.
        return (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }));
    }
    let data = part.raw().get("inlineData")?;
    let mime_type = data["mimeType"].as_str().unwrap_or_default();
    if !matches!(mime_type, "image/png" | "image/jpeg" | "image/webp" | "image/gif") {
        let note = format!("[Data of the type {mime_type}, which this model cannot read.]");
        return Some(json!({ "type": "text", "text": note }));
    }
    let source = json!({ "type": "base64", "media_type": mime_type, "data": data["data"] });
    Some(json!({ "type": "image", "source": source }))
}

/// The blocks of an answer: thoughts of the model `own` verbatim, text joined, calls last.
fn answer(
    content: &Content,
    own: Option<&str>,
    ids: &mut CallIds,
    open: &mut Vec<String>,
) -> Vec<Value> {
    open.clear();
    let mut blocks: Vec<Value> = Vec::new();
    let mut calls = Vec::new();
    for part in &content.parts {
        if let Some(call) = part.as_call() {
            let id = ids.next(call.id);
            let input = call.args.cloned().unwrap_or_else(|| json!({}));
            calls.push(json!({ "type": "tool_use", "id": id, "name": call.name, "input": input }));
            open.push(id);
        } else if let Some(kept) = part.raw().get(FIELD) {
            if own.is_some_and(|model| kept["model"] == model) {
                blocks.push(kept["block"].clone());
            }
        } else if let Some(text) = part.as_text().filter(|_| !part.is_thought()) {
            match blocks.last_mut().filter(|last| last["type"] == "text") {
                Some(last) => {
                    let before = last["text"].as_str().unwrap_or_default();
                    last["text"] = format!("{before}{text}").into();
                }
                None => blocks.push(json!({ "type": "text", "text": text })),
            }
        }
    }
    blocks.retain(|block| {
        block["type"] != "text"
            || block["text"].as_str().is_some_and(|text| !text.trim().is_empty())
    });
    blocks.extend(calls);
    blocks
}

/// The results first, as the API wants them, then what stands beside them.
fn results(parts: &[Part], open: Vec<String>) -> Vec<Value> {
    let mut open = open.into_iter();
    let (mut results, mut beside) = (Vec::new(), Vec::new());
    for part in parts {
        let Some(response) = part.as_response() else {
            beside.extend(block(part));
            continue;
        };
        let value = response.response.unwrap_or(&Value::Null);
        let mut content = vec![json!({ "type": "text", "text": value.to_string() })];
        let pictures = part.raw()["functionResponse"]["parts"].as_array();
        let pictures = pictures.into_iter().flatten();
        content.extend(pictures.filter_map(|raw| block(&Part::from_value(raw.clone()))));
        // A normalised history answers every call once, in order.
        let id = open.next().unwrap_or_default();
        let mut result = json!({ "type": "tool_result", "tool_use_id": id, "content": content });
        // With this mark a result may hold only text.
        if value["success"] == false && result["content"].as_array().is_some_and(|c| c.len() == 1) {
            result["is_error"] = true.into();
        }
        results.push(result);
    }
    results.extend(beside);
    results
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
