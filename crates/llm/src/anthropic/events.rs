//! Conversion of a message's stream events to parts.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::errors;
use super::names::{FIELD, NAMES};
use crate::content::Part;
use crate::http::errors::shortened;
use crate::http::{AnswerEvent, End, EventReader};
use crate::model::{Chunk, ModelError};
use crate::retry::Failure;
use crate::usage::Usage;

/// The reader of one answer's events.
pub(super) struct Events {
    model: String,
    /// The digest of the request. It is stored with each thinking block, so that later requests can
    /// tell whether the block is still valid (see `prefix`).
    prefix: Option<String>,
    /// The open content blocks, by index.
    blocks: BTreeMap<u64, Block>,
    /// Whether the previous block was text, too; a separator is inserted between two text blocks.
    after_text: bool,
    usage: Usage,
}

/// A content block that is still streaming.
enum Block {
    /// A tool call. Its arguments arrive as fragments of JSON text.
    Call { id: String, name: String, input: Value, json: String },
    /// A thinking block. It is sent back whole, with its signature.
    Thinking { text: String, signature: String },
    /// A text block, streamed as it comes. `begins`: the next fragment is the first one.
    Text { begins: bool },
}

impl Events {
    pub(super) fn new(model: &str, prefix: Option<String>) -> Self {
        Self {
            model: model.to_owned(),
            prefix,
            blocks: BTreeMap::new(),
            after_text: false,
            usage: Usage::default(),
        }
    }

    /// A thought part that stores `block`, to be sent back verbatim.
    fn stored_thought(&self, block: &Value) -> Chunk {
        let mut own = json!({ "model": self.model, "block": block });
        if let Some(prefix) = &self.prefix {
            own["prefix"] = prefix.as_str().into();
        }
        Chunk::Part(Part::from_value(json!({ "text": "", "thought": true, FIELD: own })))
    }

    fn begin(&mut self, index: u64, block: &Value, event: &mut AnswerEvent) {
        let text = |name: &str| block[name].as_str().unwrap_or_default().to_owned();
        let after_text = std::mem::replace(&mut self.after_text, block["type"] == "text");
        let begun = match block["type"].as_str().unwrap_or_default() {
            "tool_use" => Block::Call {
                id: text("id"),
                name: text("name"),
                input: block["input"].clone(),
                json: String::new(),
            },
            "thinking" => {
                push_text(&text("thinking"), true, event);
                Block::Thinking { text: text("thinking"), signature: text("signature") }
            }
            "redacted_thinking" => {
                event.chunks.push(self.stored_thought(block));
                return;
            }
            "text" => {
                self.blocks.insert(index, Block::Text { begins: after_text });
                self.text(index, &text("text"), event);
                return;
            }
            // Blocks of server-side tools, which are never requested.
            _ => return,
        };
        self.blocks.insert(index, begun);
    }

    /// Emits a fragment of a text block.
    fn text(&mut self, index: u64, text: &str, event: &mut AnswerEvent) {
        let begins = match self.blocks.get_mut(&index) {
            Some(Block::Text { begins }) if !text.is_empty() => std::mem::take(begins),
            _ => false,
        };
        if begins {
            let own = json!({ "model": self.model, "begins": true });
            let part = Part::from_value(json!({ "text": text, FIELD: own }));
            event.chunks.push(Chunk::Part(part));
        } else {
            push_text(text, false, event);
        }
    }

    fn add(&mut self, index: u64, delta: &Value, event: &mut AnswerEvent) {
        let piece = |name: &str| delta[name].as_str().unwrap_or_default();
        match (self.blocks.get_mut(&index), delta["type"].as_str().unwrap_or_default()) {
            (Some(Block::Call { json, .. }), "input_json_delta") => {
                json.push_str(piece("partial_json"));
            }
            (Some(Block::Thinking { text, .. }), "thinking_delta") => {
                text.push_str(piece("thinking"));
                push_text(piece("thinking"), true, event);
            }
            (Some(Block::Thinking { signature, .. }), "signature_delta") => {
                signature.push_str(piece("signature"));
            }
            (_, "text_delta") => self.text(index, piece("text"), event),
            _ => {}
        }
    }

    fn end(&mut self, index: u64, event: &mut AnswerEvent) {
        match self.blocks.remove(&index) {
            // A truncated thinking block has no signature, and the API would refuse it.
            Some(Block::Thinking { signature, .. }) if signature.is_empty() => {}
            Some(Block::Thinking { text, signature }) => {
                let block = json!({ "type": "thinking", "thinking": text, "signature": signature });
                event.chunks.push(self.stored_thought(&block));
            }
            Some(Block::Call { id, name, input, json }) => {
                let args = match json.trim() {
                    "" => Ok(input.as_object().cloned().unwrap_or_default()),
                    json => serde_json::from_str::<Map<String, Value>>(json),
                };
                match args {
                    Ok(args) => {
                        let id = Some(id.as_str()).filter(|id| !id.is_empty());
                        let call = Part::call(id, &name, Value::Object(args));
                        event.chunks.push(Chunk::Part(call));
                    }
                    Err(error) => event.end = Some(malformed(&name, &error.to_string())),
                }
            }
            Some(Block::Text { .. }) | None => {}
        }
    }

    fn count(&mut self, usage: &Value, event: &mut AnswerEvent) {
        let count = |name: &str| usage[name].as_u64();
        if let Some(input) = count("input_tokens") {
            // The final counts may omit fields of the first ones.
            if let Some(read) = count("cache_read_input_tokens") {
                self.usage.cached_tokens = read;
            }
            if let Some(written) = count("cache_creation_input_tokens") {
                self.usage.cache_write_tokens = written;
            }
            let Usage { cached_tokens, cache_write_tokens, .. } = self.usage;
            self.usage.input_tokens = input + cached_tokens + cache_write_tokens;
        }
        if let Some(output) = count("output_tokens") {
            self.usage.output_tokens = output;
        }
        event.chunks.push(Chunk::Usage(self.usage));
    }

    fn stop(&mut self, delta: &Value, event: &mut AnswerEvent) {
        let Some(reason) = delta["stop_reason"].as_str() else { return };
        match reason {
            "max_tokens" | "model_context_window_exceeded" => {
                event.chunks.push(Chunk::LengthLimit);
                if let Some(Block::Call { name, .. }) = self.blocks.values().next() {
                    event.end = Some(malformed(name, "it reached the length limit"));
                }
            }
            "refusal" => {
                let details = &delta["stop_details"];
                let why = ["explanation", "category"].iter().find_map(|it| details[*it].as_str());
                let why = why.map(|why| format!(": {}", shortened(why))).unwrap_or_default();
                let text = format!(
                    "The Anthropic API broke its answer off (refusal{why}). Say it in other words, \
                     or choose another model."
                );
                event.end = Some(ModelError::Blocked(text).into());
            }
            // `end_turn`, `tool_use` and `stop_sequence`. `pause_turn` belongs to server-side
            // tools, which are never requested.
            _ => event.end = Some(End::Whole),
        }
        if event.end.is_none() {
            event.end = Some(End::Whole);
        }
    }
}

fn push_text(text: &str, thought: bool, event: &mut AnswerEvent) {
    if !text.is_empty() {
        event.chunks.push(Chunk::Part(if thought {
            Part::thought(text)
        } else {
            Part::text(text)
        }));
    }
}

fn malformed(name: &str, why: &str) -> End {
    ModelError::MalformedCall(format!(
        "The arguments of the call to {name:?} were no JSON object ({why}). Call the tool again: a \
         JSON object of arguments that fits its schema, nothing else."
    ))
    .into()
}

impl EventReader for Events {
    fn read(&mut self, data: &str) -> Result<AnswerEvent, Failure> {
        let message: Value = serde_json::from_str(data).map_err(|error| {
            Failure::passing(format!("The Anthropic API's answer is unreadable ({error})."))
        })?;
        let mut event = AnswerEvent::default();
        let index = message["index"].as_u64().unwrap_or(0);
        match message["type"].as_str().unwrap_or_default() {
            "message_start" => self.count(&message["message"]["usage"], &mut event),
            "content_block_start" => self.begin(index, &message["content_block"], &mut event),
            "content_block_delta" => self.add(index, &message["delta"], &mut event),
            "content_block_stop" => self.end(index, &mut event),
            "message_delta" => {
                self.count(&message["usage"], &mut event);
                self.stop(&message["delta"], &mut event);
            }
            "message_stop" => event.end = Some(End::Closed),
            "error" => {
                let mut error = errors::from_error_object(&message["error"]);
                if let Some(id) = message["request_id"].as_str() {
                    error.add_request_id(id);
                }
                event.end = Some(End::Failed(error.into_failure(NAMES, &self.model)));
            }
            // `ping` and future event types: the API documentation asks clients to ignore unknown
            // ones.
            _ => {}
        }
        Ok(event)
    }
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
