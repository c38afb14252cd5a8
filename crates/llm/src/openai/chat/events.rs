//! Conversion of the chunks of a streamed chat completion to parts.
//!
//! Chunks are parsed as untyped JSON: providers omit, null or misspell fields that the API's types
//! require. The known quirks are in a table in the tests.

use serde_json::{Value, json};

use super::calls::{PartialCall, PartialCalls};
use super::tags::{Fragment, Tags};
use crate::content::Part;
use crate::http::{AnswerEvent, End, EventReader, Held};
use crate::model::{Chunk, ModelError, ToolDeclaration};
use crate::openai::fields::{FIELD, take};
use crate::openai::profile::Target;
use crate::openai::{errors, written_calls};
use crate::retry::Failure;
use crate::usage::Usage;

/// The reader of one answer's events. Calls arrive in fragments and are emitted when they are
/// complete.
pub(in crate::openai) struct Events {
    target: Target,
    /// The declared tools.
    tools: Vec<ToolDeclaration>,
    calls: PartialCalls,
    tags: Tags,
    /// The accumulated text of `reasoning_details`, for providers that repeat it in each chunk.
    details: String,
    finished: bool,
}

impl Events {
    /// A reader for an answer of `target` to a request with `tools`.
    pub(in crate::openai) fn new(target: &Target, tools: &[ToolDeclaration]) -> Self {
        Self {
            target: target.clone(),
            tools: tools.to_vec(),
            calls: PartialCalls::default(),
            // A request without tools may use a text protocol, which finds its calls itself.
            tags: Tags::new(!tools.is_empty()),
            details: String::new(),
            finished: false,
        }
    }

    /// A thought from the field `field`.
    fn thought(&self, text: &str, more: Value) -> Chunk {
        let mark = self.target.mark(more);
        Chunk::Part(Part::from_value(json!({ "text": text, "thought": true, FIELD: mark })))
    }

    fn reasoning(&mut self, delta: &mut Value, chunks: &mut Vec<Chunk>) {
        let content = take(delta, "reasoning_content");
        let field = if content.is_string() { "reasoning_content" } else { "reasoning" };
        let text = if content.is_string() { content } else { take(delta, "reasoning") };
        let text = text.as_str().unwrap_or_default();
        match take(delta, "reasoning_details") {
            Value::Array(mut details) if !details.is_empty() => {
                if self.target.profile.details_repeat {
                    self.drop_repeated(&mut details);
                }
                let said: String = details.iter().filter_map(|it| it["text"].as_str()).collect();
                let text = if text.is_empty() { &said } else { text };
                chunks.push(self.thought(text, json!({ "reasoning_details": details })));
            }
            _ if !text.is_empty() => chunks.push(self.thought(text, json!({ "field": field }))),
            _ => {}
        }
    }

    /// Removes the repeated prefix from the text of details.
    fn drop_repeated(&mut self, details: &mut [Value]) {
        for detail in details {
            let Some(text) = detail["text"].as_str() else { continue };
            match text.strip_prefix(self.details.as_str()) {
                Some(new) if !self.details.is_empty() => {
                    let new = new.to_owned();
                    self.details.push_str(&new);
                    detail["text"] = new.into();
                }
                _ => self.details.push_str(text),
            }
        }
    }

    /// Reads `content`: text, or with Mistral a list of texts and thoughts.
    fn content(&mut self, content: &Value, chunks: &mut Vec<Chunk>) {
        if let Some(text) = content.as_str() {
            self.say(text, chunks);
        }
        for chunk in content.as_array().into_iter().flatten() {
            if chunk["type"] != "thinking" {
                self.say(chunk["text"].as_str().unwrap_or_default(), chunks);
                continue;
            }
            let text = match &chunk["thinking"] {
                Value::String(text) => text.clone(),
                pieces => {
                    let pieces = pieces.as_array().into_iter().flatten();
                    pieces.filter_map(|piece| piece["text"].as_str()).collect()
                }
            };
            let mut mark = json!({ "field": "thinking" });
            if chunk["signature"].is_string() {
                mark["signature"] = chunk["signature"].clone();
            }
            if !text.is_empty() || mark.get("signature").is_some() {
                chunks.push(self.thought(&text, mark));
            }
        }
    }

    fn say(&mut self, text: &str, chunks: &mut Vec<Chunk>) {
        let mut said = Vec::new();
        self.tags.push(text, &mut said);
        self.spoken(said, chunks);
    }

    fn spoken(&self, said: Vec<Fragment>, chunks: &mut Vec<Chunk>) {
        chunks.extend(said.into_iter().map(|piece| match piece {
            Fragment::Text(text) => Chunk::Part(Part::text(text)),
            Fragment::Thought(text) => self.thought(&text, json!({ "field": "content" })),
        }));
    }

    fn part(&self, call: &PartialCall, cut: bool) -> Result<Chunk, ModelError> {
        let args = call.arguments(cut)?;
        let id = Some(call.id.as_str()).filter(|id| !id.is_empty());
        let mut raw = Part::call(id, &call.name, Value::Object(args)).raw().clone();
        let more = if call.extra.is_empty() { json!({}) } else { json!({ "call": call.extra }) };
        raw.insert(FIELD.into(), self.target.mark(more));
        Ok(Chunk::Part(Part::from_value(Value::Object(raw))))
    }

    /// Ends the answer: emits buffered text and the calls.
    fn end(&mut self, cut: bool, chunks: &mut Vec<Chunk>) -> Result<(), ModelError> {
        let mut said = Vec::new();
        let written = self.tags.finish(&mut said);
        self.spoken(said, chunks);
        let calls = self.calls.take();
        if let Some(written) = written {
            if calls.is_empty() {
                chunks.extend(
                    written_calls::read(&written, &self.tools)?.into_iter().map(Chunk::Part),
                );
            } else {
                // The provider parsed the call and passed its text on as well: the text is stored
                // as a thought.
                chunks.push(self.thought(&written, json!({ "field": "content" })));
            }
        }
        for call in &calls {
            chunks.push(self.part(call, cut)?);
        }
        Ok(())
    }

    fn finish(&mut self, reason: &str, event: &mut AnswerEvent) {
        self.finished = true;
        let cut = matches!(reason, "length" | "model_length" | "max_tokens");
        if let Err(malformed) = self.end(cut, &mut event.chunks) {
            event.end = Some(malformed.into());
            return;
        }
        event.chunks.extend(cut.then_some(Chunk::LengthLimit));
        let provider = &self.target.names.provider;
        event.end = Some(match reason {
            // `sensitive` is Zhipu's.
            "content_filter" | "sensitive" | "safety" => ModelError::Blocked(format!(
                "{provider} broke its answer off ({reason}). Say it in other words and try again."
            ))
            .into(),
            // OpenRouter, Zhipu, DeepSeek.
            "error" | "network_error" | "insufficient_system_resource" => End::Failed(
                Failure::passing(format!("{provider} broke its answer off ({reason}).")),
            ),
            _ => End::Whole,
        });
    }
}

impl EventReader for Events {
    fn read(&mut self, data: &str) -> Result<AnswerEvent, Failure> {
        let mut event = AnswerEvent::default();
        let data = data.trim();
        if data == "[DONE]" {
            // The stream ended without a finish reason; the answer counts as complete.
            if !self.finished {
                self.finish("stop", &mut event);
            }
            if matches!(event.end, None | Some(End::Whole)) {
                event.end = Some(End::Closed);
            }
            return Ok(event);
        }
        // Keep-alive events.
        if matches!(data.trim_matches(['"', '[', ']']).to_ascii_lowercase().as_str(), "" | "ping") {
            return Ok(event);
        }
        let mut completion: Value = serde_json::from_str(data).map_err(|error| {
            let provider = &self.target.names.provider;
            Failure::passing(format!("{provider}'s answer is unreadable ({error})."))
        })?;
        if let Some(error) = errors::in_stream(&completion) {
            let Target { names, model, .. } = &self.target;
            event.end = Some(End::Failed(error.into_failure(names.clone(), model)));
            return Ok(event);
        }
        let mut choice = completion.pointer_mut("/choices/0").map(Value::take).unwrap_or_default();
        // Moonshot puts usage into the choice, Groq under `x_groq`.
        let places = [&completion["usage"], &choice["usage"], &completion["x_groq"]["usage"]];
        event.chunks.extend(places.into_iter().find_map(usage).map(Chunk::Usage));
        // Some gateways send a whole `message` instead of a `delta`.
        let field = if choice["delta"].is_object() { "delta" } else { "message" };
        let mut delta = take(&mut choice, field);
        self.reasoning(&mut delta, &mut event.chunks);
        let content = take(&mut delta, "content");
        self.content(&content, &mut event.chunks);
        self.say(delta["refusal"].as_str().unwrap_or_default(), &mut event.chunks);
        if let Value::Array(calls) = take(&mut delta, "tool_calls") {
            calls.into_iter().for_each(|call| self.calls.add(call));
        }
        if let Some(reason) = choice["finish_reason"].as_str().filter(|_| !self.finished)
            && !reason.is_empty()
        {
            self.finish(reason, &mut event);
        }
        Ok(event)
    }

    fn held(&self) -> Held {
        let (calls, bytes) = self.calls.held();
        Held { calls, bytes: bytes + self.tags.held() }
    }
}

/// Token counts in the forms of all providers.
fn usage(counts: &Value) -> Option<Usage> {
    let count = |count: &Value| {
        // Some providers send floats.
        let float = || count.as_f64().filter(|count| *count >= 0.0).map(|count| count as u64);
        count.as_u64().or_else(float)
    };
    let first = |places: &[&Value]| places.iter().find_map(|place| count(place));
    let input = first(&[&counts["prompt_tokens"], &counts["input_tokens"]])?;
    let output = first(&[&counts["completion_tokens"], &counts["output_tokens"]]).unwrap_or(0);
    // xAI's `completion_tokens` exclude reasoning; the total includes it.
    let total = count(&counts["total_tokens"]).unwrap_or(0);
    let details = &counts["prompt_tokens_details"];
    Some(Usage {
        input_tokens: input,
        output_tokens: output.max(total.saturating_sub(input)),
        cached_tokens: first(&[
            &details["cached_tokens"],
            &counts["cached_tokens"],
            &counts["prompt_cache_hit_tokens"],
        ])
        .unwrap_or(0),
        cache_write_tokens: first(&[
            &details["cache_write_tokens"],
            &details["cache_creation_input_tokens"],
        ])
        .unwrap_or(0),
    })
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
