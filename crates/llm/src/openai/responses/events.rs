//! Conversion of the events of a streamed response to parts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::content::Part;
use crate::http::{AnswerEvent, ApiError, End, EventReader, Held};
use crate::model::{Chunk, ModelError};
use crate::openai::chat::{malformed, read_arguments};
use crate::openai::errors;
use crate::openai::fields::{FIELD, take};
use crate::openai::profile::Target;
use crate::retry::Failure;
use crate::usage::Usage;

/// The reader of one answer's events. Texts and thoughts are streamed, items are stored when they
/// are complete.
pub(in crate::openai) struct Events {
    target: Target,
    /// The incomplete items, by output index.
    items: BTreeMap<u64, Item>,
    calls: usize,
}

#[derive(Debug, Default)]
struct Item {
    /// The streamed text.
    streamed: String,
    /// The arguments so far.
    arguments: String,
    /// The index of the newest summary part.
    summary: Option<u64>,
}

impl Events {
    pub(in crate::openai) fn new(target: &Target) -> Self {
        Self { target: target.clone(), items: BTreeMap::new(), calls: 0 }
    }

    /// A part without text that stores `more`, to be sent back.
    fn stored_part(&self, more: Value) -> Chunk {
        let mark = self.target.mark(more);
        Chunk::Part(Part::from_value(json!({ "text": "", "thought": true, FIELD: mark })))
    }

    fn item(&mut self, event: &Value) -> &mut Item {
        self.items.entry(event["output_index"].as_u64().unwrap_or(0)).or_default()
    }

    fn think(&mut self, message: &Value, chunks: &mut Vec<Chunk>) {
        let part = message["summary_index"].as_u64();
        let item = self.item(message);
        let begins = part.is_some() && item.summary.is_some_and(|last| Some(last) != part);
        item.summary = part.or(item.summary);
        let text = message["delta"].as_str().unwrap_or_default();
        let text = if begins { format!("\n\n{text}") } else { text.to_owned() };
        if !text.is_empty() {
            chunks.push(Chunk::Part(Part::thought(text)));
        }
    }

    fn say(&mut self, message: &Value, chunks: &mut Vec<Chunk>) {
        let text = message["delta"].as_str().unwrap_or_default();
        self.item(message).streamed.push_str(text);
        push_text(text, chunks);
    }

    /// Stores a complete item.
    fn end_item(&mut self, message: &mut Value, event: &mut AnswerEvent) {
        let index = message["output_index"].as_u64().unwrap_or(0);
        let so_far = self.items.remove(&index).unwrap_or_default();
        let mut item = take(message, "item");
        match item["type"].as_str().unwrap_or_default() {
            // An item without its content would refer to storage at the provider, which is not
            // used.
            "reasoning" if item["encrypted_content"].is_string() => {
                if let Some(fields) = item.as_object_mut() {
                    fields.retain(|_, value| !value.is_null());
                }
                event.chunks.push(self.stored_part(json!({ "item": item })));
            }
            "message" => {
                let pieces = item["content"].as_array().into_iter().flatten();
                let text = |piece: &Value| {
                    let text = piece["text"].as_str().or(piece["refusal"].as_str());
                    text.unwrap_or_default().to_owned()
                };
                let whole_text: String = pieces.map(text).collect();
                // Text that was not streamed.
                let rest = whole_text.strip_prefix(so_far.streamed.as_str());
                push_text(rest.unwrap_or_default(), &mut event.chunks);
                let mut whole = json!({});
                for field in ["id", "status", "phase"] {
                    if item[field].is_string() {
                        whole[field] = take(&mut item, field);
                    }
                }
                event.chunks.push(self.stored_part(json!({ "message": whole })));
            }
            "function_call" => self.end_call(&item, &so_far, event),
            // Server-side tools, which are never requested.
            _ => {}
        }
    }

    fn end_call(&mut self, item: &Value, so_far: &Item, event: &mut AnswerEvent) {
        self.calls += 1;
        let name = item["name"].as_str().unwrap_or_default();
        let arguments = item["arguments"].as_str().filter(|text| !text.is_empty());
        match read_arguments(arguments.unwrap_or(&so_far.arguments)) {
            Ok(args) => {
                let id = item["call_id"].as_str().filter(|id| !id.is_empty());
                let more = match item["id"].as_str() {
                    Some(own) => json!({ "item_id": own }),
                    None => json!({}),
                };
                let mut raw = Part::call(id, name, Value::Object(args)).raw().clone();
                raw.insert(FIELD.into(), self.target.mark(more));
                event.chunks.push(Chunk::Part(Part::from_value(Value::Object(raw))));
            }
            Err(_) if item["status"] == "incomplete" => {
                event.end = Some(malformed(name, "it reached the length limit").into());
            }
            Err(why) => event.end = Some(malformed(name, &why).into()),
        }
    }

    /// Ends the answer.
    fn end(&mut self, message: &Value, event: &mut AnswerEvent) {
        let response = &message["response"];
        event.chunks.extend(usage(&response["usage"]).map(Chunk::Usage));
        let reason = response["incomplete_details"]["reason"].as_str().unwrap_or_default();
        if message["type"] == "response.incomplete" {
            if reason == "content_filter" {
                let text = format!(
                    "{} broke its answer off (content_filter). Say it in other words and try again.",
                    self.target.names.provider
                );
                event.end = Some(ModelError::Blocked(text).into());
                return;
            }
            if self.items.values().any(|item| !item.arguments.is_empty()) {
                event.end = Some(malformed("", "it reached the length limit").into());
                return;
            }
            event.chunks.push(Chunk::LengthLimit);
        }
        event.end = Some(End::Closed);
    }

    fn fail(&self, error: ApiError) -> End {
        let Target { names, model, .. } = &self.target;
        End::Failed(error.into_failure(names.clone(), model))
    }
}

fn push_text(text: &str, chunks: &mut Vec<Chunk>) {
    if !text.is_empty() {
        chunks.push(Chunk::Part(Part::text(text)));
    }
}

fn usage(counts: &Value) -> Option<Usage> {
    let count = |count: &Value| count.as_u64().unwrap_or(0);
    Some(Usage {
        input_tokens: counts["input_tokens"].as_u64()?,
        // Includes reasoning tokens.
        output_tokens: count(&counts["output_tokens"]),
        cached_tokens: count(&counts["input_tokens_details"]["cached_tokens"]),
        cache_write_tokens: count(&counts["input_tokens_details"]["cache_write_tokens"]),
    })
}

impl EventReader for Events {
    fn read(&mut self, data: &str) -> Result<AnswerEvent, Failure> {
        let mut event = AnswerEvent::default();
        let data = data.trim();
        if data == "[DONE]" {
            event.end = Some(End::Closed);
            return Ok(event);
        }
        if data.is_empty() {
            return Ok(event);
        }
        let mut message: Value = serde_json::from_str(data).map_err(|error| {
            let provider = &self.target.names.provider;
            Failure::passing(format!("{provider}'s answer is unreadable ({error})."))
        })?;
        match message["type"].as_str().unwrap_or_default() {
            "response.output_text.delta" | "response.refusal.delta" => {
                self.say(&message, &mut event.chunks);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.think(&message, &mut event.chunks);
            }
            "response.function_call_arguments.delta" => {
                let piece = take(&mut message, "delta");
                let arguments = &mut self.item(&message).arguments;
                arguments.push_str(piece.as_str().unwrap_or_default());
            }
            "response.function_call_arguments.done" => {
                if let Value::String(whole) = take(&mut message, "arguments") {
                    self.item(&message).arguments = whole;
                }
            }
            "response.output_item.done" => self.end_item(&mut message, &mut event),
            "response.completed" | "response.incomplete" => self.end(&message, &mut event),
            "response.failed" | "response.cancelled" => {
                let error = errors::from_error_object(&message["response"]["error"]);
                event.end = Some(self.fail(error));
            }
            "error" => {
                let nested = &message["error"];
                let error = if nested.is_object() { nested } else { &message };
                event.end = Some(self.fail(errors::from_error_object(error)));
            }
            // Redundant and future event types.
            _ => {
                if let Some(error) = errors::in_stream(&message) {
                    event.end = Some(self.fail(error));
                }
            }
        }
        Ok(event)
    }

    fn held(&self) -> Held {
        let bytes = self.items.values().map(|item| item.arguments.len()).sum();
        Held { calls: self.calls.max(self.items.len()), bytes }
    }
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
