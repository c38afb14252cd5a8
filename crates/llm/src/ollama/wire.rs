//! The body of a chat request.

use serde_json::{Map, Value, json};

use super::names::FIELD;
use crate::content::{Content, Part, Role};
use crate::effort::Effort;
use crate::http::pieces::{Piece, after_results};
use crate::model::Request;
use crate::pictures::of_response;
use crate::registry::ModelFacts;

/// The request body. The history comes from `normalise`.
pub(super) fn body(
    model: &str,
    facts: &ModelFacts,
    request: &Request,
    context: u64,
    keep_alive: &str,
) -> Value {
    let mut options = Map::from_iter([("num_ctx".to_owned(), context.into())]);
    if let Some(temperature) = request.settings.temperature {
        options.insert("temperature".into(), temperature.into());
    }
    let mut body = json!({
        "model": model,
        "messages": messages(model, facts, request),
        "stream": true,
        // Let Ollama report an overflow instead of truncating the beginning of the conversation.
        "truncate": false,
        "shift": false,
        "keep_alive": keep_alive,
        "options": options,
    });
    if !request.tools.is_empty() {
        let tool = |tool: &crate::ToolDeclaration| {
            json!({ "type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": *tool.parameters } })
        };
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if let Some(think) = think(facts, request.settings.effort) {
        body["think"] = think;
    }
    body
}

/// The value of `think`: a boolean, or a level for models that have levels.
fn think(facts: &ModelFacts, effort: Option<Effort>) -> Option<Value> {
    if !facts.reasons {
        return None;
    }
    let level = effort.and_then(|effort| facts.efforts.nearest(effort));
    Some(match level {
        Some(Effort::Low) => "low".into(),
        Some(Effort::Medium) => "medium".into(),
        Some(Effort::High | Effort::Max) => "high".into(),
        Some(Effort::Off) => false.into(),
        None => (effort != Some(Effort::Off)).into(),
    })
}

fn messages(model: &str, facts: &ModelFacts, request: &Request) -> Vec<Value> {
    let mut messages = Vec::new();
    if !request.system_instruction.is_empty() {
        messages.push(json!({ "role": "system", "content": request.system_instruction }));
    }
    let last_user = request.contents.iter().rposition(|content| content.role == Role::User);
    let mut open: Vec<(Option<String>, String)> = Vec::new();
    for (index, content) in request.contents.iter().enumerate() {
        match content.role {
            Role::User => push_user(&mut messages, &content.parts, facts.images),
            Role::Model => {
                // Thoughts are only sent back within the current turn.
                let thinks = last_user.is_none_or(|last| index > last).then_some(model);
                open = content
                    .calls()
                    .map(|call| (call.id.map(str::to_owned), call.name.to_owned()))
                    .collect();
                messages.extend(answer(content, thinks));
            }
            Role::Function => {
                push_results(
                    &mut messages,
                    &content.parts,
                    std::mem::take(&mut open),
                    facts.images,
                );
            }
        }
    }
    messages
}

/// The texts and pictures of parts; a note replaces unsupported data.
fn text_and_images(parts: &[Part], sees: bool) -> (String, Vec<&str>) {
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    for piece in parts.iter().filter_map(|part| Piece::of(part, sees)) {
        match piece {
            Piece::Text(text) => texts.push(text),
            Piece::Picture { data, .. } => images.push(data),
        }
    }
    (texts.join("\n\n"), images)
}

fn push_user(messages: &mut Vec<Value>, parts: &[Part], sees: bool) {
    let (text, images) = text_and_images(parts, sees);
    if text.is_empty() && images.is_empty() {
        return;
    }
    let mut message = json!({ "role": "user", "content": text });
    if !images.is_empty() {
        message["images"] = json!(images);
    }
    messages.push(message);
}

fn answer(content: &Content, own: Option<&str>) -> Option<Value> {
    let mut message = json!({ "role": "assistant", "content": content.visible_text() });
    let thoughts = content.parts.iter().filter(|part| {
        own.is_some_and(|model| part.raw().get(FIELD).is_some_and(|kept| kept["model"] == model))
    });
    let thinking: String = thoughts.filter_map(Part::as_text).collect();
    if !thinking.is_empty() {
        message["thinking"] = thinking.into();
    }
    let call = |call: crate::FunctionCall<'_>| {
        let mut wire = json!({ "function": { "name": call.name, "arguments": call.arguments() } });
        if let Some(id) = call.id {
            wire["id"] = id.into();
        }
        wire
    };
    let calls: Vec<Value> = content.calls().map(call).collect();
    if calls.is_empty() && content.visible_text().is_empty() {
        return None;
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    Some(message)
}

fn push_results(
    messages: &mut Vec<Value>,
    parts: &[Part],
    open: Vec<(Option<String>, String)>,
    sees: bool,
) {
    let mut open = open.into_iter();
    let (mut beside, mut pictures) = (Vec::new(), Vec::new());
    for part in parts {
        let Some(response) = part.as_response() else {
            beside.push(part.clone());
            continue;
        };
        pictures.extend(of_response(part));
        // `normalise` gives every call exactly one response, in order.
        let (id, name) = open.next().unwrap_or_default();
        let content = response.response.unwrap_or(&Value::Null).to_string();
        let mut message = json!({ "role": "tool", "tool_name": name, "content": content });
        if let Some(id) = id {
            message["tool_call_id"] = id.into();
        }
        messages.push(message);
    }
    let all: Vec<Part> = after_results(pictures, sees).into_iter().chain(beside).collect();
    push_user(messages, &all, sees);
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
