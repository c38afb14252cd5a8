//! The body of a Messages request.
//!
//! Newer models bind thoughts to everything before them ("preserved thinking"), and prompt caches
//! match prefixes. So the blocks of a content depend only on it and on earlier contents.

use serde_json::{Value, json};

use super::names::FIELD;
use super::prefix::Prefix;
use super::settings;
use crate::content::{Content, Part, Role};
use crate::http::call_ids::CallIds;
use crate::http::plain_name;
use crate::model::{Request, ToolDeclaration};
use crate::normalise::CONTINUE;
use crate::pictures::of_response;
use crate::registry::{ModelFacts, Thinking};

/// The text of an answer whose thoughts were all left out.
const NO_TEXT: &str = "[An answer without text.]";

/// The request body. The history comes from `normalise`; blocks of the same model are sent back
/// verbatim.
pub(super) fn body(model: &str, facts: &ModelFacts, request: &Request) -> Value {
    let settings = settings::of(model, facts, request);
    let mut writer = Writer {
        model,
        thinks: settings.shows_thoughts,
        bound: facts.thinking == Thinking::Adaptive,
        prefix: Prefix::default(),
        ids: CallIds::default(),
        open: Vec::new(),
        messages: Vec::new(),
    };
    let system = (!request.system_instruction.is_empty())
        .then(|| json!([{ "type": "text", "text": request.system_instruction }]));
    let tools = (!request.tools.is_empty())
        .then(|| request.tools.iter().map(declaration).collect::<Vec<Value>>());
    writer.prefix.begin(system.as_ref(), tools.as_deref());
    for content in &request.contents {
        writer.add(content);
    }
    let messages = writer.finish();
    let mut body = json!({ "model": model, "max_tokens": settings.max_tokens });
    if let Some(tools) = tools {
        body["tools"] = tools.into();
    }
    if let Some(system) = system {
        body["system"] = system;
    }
    body["stream"] = true.into();
    settings.write(&messages, &mut body);
    body["messages"] = messages.into();
    mark_for_cache(&mut body);
    body
}

fn declaration(tool: &ToolDeclaration) -> Value {
    json!({ "name": tool.name, "description": tool.description, "input_schema": *tool.parameters })
}

/// Sets the four allowed `cache_control` breakpoints: after the tools, after the instruction, at
/// the end of the conversation, and at its end in the previous request. The last one is needed
/// because the provider looks back only twenty blocks from a breakpoint. Nothing else changes.
fn mark_for_cache(body: &mut Value) {
    let mark = |blocks: Option<&mut Value>| {
        if let Some(last) = blocks.and_then(Value::as_array_mut).and_then(|all| all.last_mut()) {
            last["cache_control"] = json!({ "type": "ephemeral" });
        }
    };
    mark(body.get_mut("tools"));
    mark(body.get_mut("system"));
    let messages = body["messages"].as_array_mut().map(Vec::as_mut_slice).unwrap_or_default();
    let users = messages.iter_mut().filter(|message| message["role"] == "user");
    for message in users.rev().take(2) {
        mark(message.get_mut("content"));
    }
}

struct Writer<'a> {
    model: &'a str,
    /// Whether thoughts are sent back.
    thinks: bool,
    /// Whether thoughts are bound to the prefix before them.
    bound: bool,
    prefix: Prefix,
    ids: CallIds,
    /// Ids of the calls without results so far, in call order.
    open: Vec<String>,
    messages: Vec<(&'static str, Vec<Value>)>,
}

impl Writer<'_> {
    fn add(&mut self, content: &Content) {
        match content.role {
            Role::User => {
                let mut blocks: Vec<Value> = content.parts.iter().filter_map(block).collect();
                // A user message without supported content still takes its turn.
                if blocks.is_empty() && self.messages.last().is_none_or(|(role, _)| *role != "user")
                {
                    blocks = stand_in().1;
                }
                self.push("user", blocks);
            }
            Role::Model => {
                let blocks = self.answer(content);
                self.push("assistant", blocks);
            }
            Role::Function => {
                let open = std::mem::take(&mut self.open);
                self.push("user", results(&content.parts, open));
            }
        }
    }

    /// Appends blocks to the last message if it has the same role, since roles alternate; otherwise
    /// as a new message. Results always come first in their message.
    fn push(&mut self, role: &'static str, blocks: Vec<Value>) {
        if blocks.is_empty() {
            return;
        }
        if self.messages.is_empty() && role != "user" {
            self.messages.push(stand_in());
        }
        match self.messages.last_mut() {
            Some((last, before)) if *last == role => before.extend(blocks),
            _ => self.messages.push((role, blocks)),
        }
    }

    fn finish(mut self) -> Vec<Value> {
        if self.messages.last().is_none_or(|(role, _)| *role != "user") {
            self.messages.push(stand_in());
        }
        let message = |(role, blocks)| json!({ "role": role, "content": blocks });
        self.messages.into_iter().map(message).collect()
    }

    /// The blocks of an answer in order, thoughts of the same model verbatim. Thoughts whose prefix
    /// has changed are left out, since the API refuses them.
    fn answer(&mut self, content: &Content) -> Vec<Value> {
        if self.messages.is_empty() {
            self.messages.push(stand_in());
        }
        self.open.clear();
        let here = self.prefix.after(&self.messages);
        let mut blocks: Vec<Value> = Vec::new();
        let mut left_out = false;
        for part in &content.parts {
            let own = part.raw().get(FIELD).filter(|own| own["model"] == self.model);
            if let Some(call) = part.as_call() {
                let id = self.ids.next(call.id);
                let input = call.arguments();
                let name = plain_name(call.name);
                blocks.push(json!({ "type": "tool_use", "id": id, "name": name, "input": input }));
                self.open.push(id);
            } else if let Some(thought) = own.and_then(|own| own.get("block")) {
                let prefix = own.and_then(|own| own.get("prefix"));
                let fits = !self.bound || prefix.is_none_or(|then| *then == here);
                if self.thinks && fits && is_signed(thought) {
                    blocks.push(thought.clone());
                } else {
                    left_out = true;
                }
            } else if let Some(text) = part.as_text().filter(|_| !part.is_thought()) {
                let begins = own.is_some_and(|own| own["begins"] == true);
                match blocks.last_mut().filter(|last| last["type"] == "text" && !begins) {
                    Some(last) => {
                        let before = last["text"].as_str().unwrap_or_default();
                        last["text"] = format!("{before}{text}").into();
                    }
                    None => blocks.push(json!({ "type": "text", "text": text })),
                }
            }
        }
        // The API refuses text blocks of white space.
        blocks.retain(|block| {
            block["type"] != "text"
                || block["text"].as_str().is_some_and(|text| !text.trim().is_empty())
        });
        if blocks.is_empty() && left_out {
            blocks.push(json!({ "type": "text", "text": NO_TEXT }));
        }
        blocks
    }
}

fn stand_in() -> (&'static str, Vec<Value>) {
    ("user", vec![json!({ "type": "text", "text": CONTINUE })])
}

/// Whether a thinking block has a signature. Truncated ones have none, and the API refuses them.
fn is_signed(block: &Value) -> bool {
    let filled = |name: &str| block[name].as_str().is_some_and(|text| !text.is_empty());
    filled("signature") || filled("data")
}

/// The block for a part of a user message.
fn block(part: &Part) -> Option<Value> {
    if let Some(text) = part.as_text() {
        // The API refuses text blocks of white space.
        return (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }));
    }
    let data = part.raw().get("inlineData")?;
    let mime_type = data["mimeType"].as_str().unwrap_or_default();
    let base64 = data["data"].as_str().unwrap_or_default();
    let note = |text: String| Some(json!({ "type": "text", "text": text }));
    if !matches!(mime_type, "image/png" | "image/jpeg" | "image/webp" | "image/gif") {
        return note(format!("[Data of the type {mime_type}, which this model cannot read.]"));
    }
    if base64.is_empty() || base64.len() > MAX_PICTURE_BASE64 {
        return note("[A picture that is too large for this model, left out.]".to_owned());
    }
    let source = json!({ "type": "base64", "media_type": mime_type, "data": base64 });
    Some(json!({ "type": "image", "source": source }))
}

/// The largest picture that the API accepts: 5 MB, measured in base64
/// (platform.claude.com/docs/en/build-with-claude/vision).
const MAX_PICTURE_BASE64: usize = 5 * 1024 * 1024;

/// The tool results, which the API wants first, then the other blocks of the message.
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
        content.extend(of_response(part).iter().filter_map(block));
        // `normalise` gives every call exactly one response, in order.
        let id = open.next().unwrap_or_default();
        // A result with `is_error` may contain only text.
        let only_text = content.iter().all(|block| block["type"] == "text");
        let mut result = json!({ "type": "tool_result", "tool_use_id": id, "content": content });
        if value["success"] == false && only_text {
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
