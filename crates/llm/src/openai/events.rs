//! From the chunks of a streamed chat completion to parts.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{FIELD, NAMES, errors};
use crate::content::Part;
use crate::model::{Chunk, ModelError, Usage};
use crate::retry::Failure;
use crate::service::{AnswerEvent, End, EventReader};

/// Reads the events of one answer; calls arrive in pieces and are given out when they are whole.
pub(super) struct Events {
    model: String,
    calls: Vec<PartialCall>,
    finished: bool,
}

#[derive(Debug, Default)]
struct PartialCall {
    index: u64,
    id: String,
    name: String,
    arguments: String,
    /// What else the service says of the call, e.g. a signature under `extra_content`.
    extra: Map<String, Value>,
}

#[derive(Deserialize)]
struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<TokenCounts>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
struct Delta {
    content: Option<Spoken>,
    refusal: Option<String>,
    /// DeepSeek, llama.cpp, vLLM.
    reasoning_content: Option<String>,
    /// OpenRouter, Ollama.
    reasoning: Option<String>,
    reasoning_details: Option<Vec<Value>>,
    tool_calls: Option<Vec<CallDelta>>,
}

/// A text, or with Mistral's reasoning models a list of texts and thoughts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Spoken {
    Text(String),
    Parts(Vec<SpokenPart>),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum SpokenPart {
    Text {
        text: String,
    },
    Thinking {
        #[serde(default)]
        thinking: Vec<SpokenPart>,
    },
    #[serde(other)]
    Other,
}

impl SpokenPart {
    fn text(&self) -> String {
        match self {
            Self::Text { text } => text.clone(),
            Self::Thinking { thinking } => thinking.iter().map(Self::text).collect(),
            Self::Other => String::new(),
        }
    }
}

impl Spoken {
    fn parts(self) -> Vec<Part> {
        let parts = match self {
            Self::Text(text) => vec![SpokenPart::Text { text }],
            Self::Parts(parts) => parts,
        };
        let part = |part: SpokenPart| {
            let text = part.text();
            if text.is_empty() {
                return None;
            }
            let is_thought = matches!(part, SpokenPart::Thinking { .. });
            Some(if is_thought { Part::thought(text) } else { Part::text(text) })
        };
        parts.into_iter().filter_map(part).collect()
    }
}

#[derive(Deserialize)]
struct CallDelta {
    index: Option<u64>,
    id: Option<String>,
    function: Option<FunctionDelta>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(Deserialize)]
struct FunctionDelta {
    name: Option<String>,
    arguments: Option<Value>,
}

#[derive(Deserialize)]
struct TokenCounts {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

impl Events {
    pub(super) fn new(model: &str) -> Self {
        Self { model: model.to_owned(), calls: Vec::new(), finished: false }
    }

    fn reasoning(&self, delta: &mut Delta) -> Option<Part> {
        let field =
            if delta.reasoning_content.is_some() { "reasoning_content" } else { "reasoning" };
        let text = delta.reasoning_content.take().or(delta.reasoning.take());
        let details = delta.reasoning_details.take().filter(|details| !details.is_empty());
        if text.as_deref().unwrap_or_default().is_empty() && details.is_none() {
            return None;
        }
        let mut own = json!({ "model": self.model, "field": field });
        if let Some(details) = details {
            own["reasoning_details"] = details.into();
        }
        let text = text.unwrap_or_default();
        Some(Part::from_value(json!({ "text": text, "thought": true, FIELD: own })))
    }

    fn add(&mut self, delta: CallDelta) {
        let id = delta.id.unwrap_or_default();
        let index = delta.index;
        let same = |call: &PartialCall| {
            index.is_none_or(|index| call.index == index) && (id.is_empty() || call.id == id)
        };
        // Some services give every call the index 0: another id is another call.
        let at = self.calls.iter().rposition(same).unwrap_or_else(|| {
            let index = index.unwrap_or(self.calls.len() as u64);
            self.calls.push(PartialCall { index, id, ..PartialCall::default() });
            self.calls.len() - 1
        });
        let call = &mut self.calls[at];
        if let Some(function) = delta.function {
            call.name.push_str(&function.name.unwrap_or_default());
            match function.arguments {
                Some(Value::String(piece)) => call.arguments.push_str(&piece),
                Some(Value::Null) | None => {}
                // Some services send the object itself.
                Some(whole) => call.arguments = whole.to_string(),
            }
        }
        call.extra.extend(delta.extra.into_iter().filter(|(name, _)| name != "type"));
    }

    /// The calls, whole; or what the model is to be told of one that is not.
    fn take_calls(&mut self, cut: bool) -> Result<Vec<Chunk>, ModelError> {
        let part = |call: PartialCall| {
            let text = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
            let args = serde_json::from_str::<Map<String, Value>>(text).map_err(|error| {
                let why =
                    if cut { "it reached the length limit".into() } else { error.to_string() };
                ModelError::MalformedCall(format!(
                    "The arguments of the call to {:?} were no JSON object ({why}). Call the tool \
                     again: a JSON object of arguments that fits its schema, nothing else.",
                    call.name
                ))
            })?;
            let id = Some(call.id.as_str()).filter(|id| !id.is_empty());
            let mut raw = Part::call(id, &call.name, Value::Object(args)).raw().clone();
            if !call.extra.is_empty() {
                raw.insert(FIELD.into(), json!({ "model": self.model, "call": call.extra }));
            }
            Ok(Chunk::Part(Part::from_value(Value::Object(raw))))
        };
        std::mem::take(&mut self.calls).into_iter().map(part).collect()
    }

    fn finish(&mut self, reason: &str, event: &mut AnswerEvent) {
        self.finished = true;
        let cut = reason == "length";
        event.end = Some(match self.take_calls(cut) {
            Ok(calls) => {
                event.chunks.extend(calls);
                event.chunks.extend(cut.then_some(Chunk::LengthLimit));
                match reason {
                    "content_filter" => ModelError::Blocked(
                        "The OpenAI API broke its answer off (content_filter). Say it in other \
                         words and try again."
                            .into(),
                    )
                    .into(),
                    "error" => End::Failed(Failure::passing("The OpenAI API has a problem.")),
                    _ => End::Whole,
                }
            }
            Err(malformed) => malformed.into(),
        });
    }
}

impl EventReader for Events {
    fn read(&mut self, data: &str) -> Result<AnswerEvent, Failure> {
        let mut event = AnswerEvent::default();
        if data.trim() == "[DONE]" {
            // A service that gave no reason still has said everything.
            if !self.finished {
                self.finish("stop", &mut event);
            }
            if matches!(event.end, None | Some(End::Whole)) {
                event.end = Some(End::Closed);
            }
            return Ok(event);
        }
        let completion: Completion = serde_json::from_str(data).map_err(|error| {
            Failure::passing(format!("The OpenAI API's answer is unreadable ({error})."))
        })?;
        if let Some(error) = completion.error.filter(|error| !error.is_null()) {
            let failure = errors::from_error_object(&error).into_failure(NAMES, &self.model);
            event.end = Some(End::Failed(failure));
            return Ok(event);
        }
        if let Some(counts) = completion.usage {
            event.chunks.push(Chunk::Usage(Usage {
                input_tokens: counts.prompt_tokens,
                output_tokens: counts.completion_tokens,
                ..Usage::default()
            }));
        }
        if let Some(mut choice) = completion.choices.into_iter().next() {
            event.chunks.extend(self.reasoning(&mut choice.delta).map(Chunk::Part));
            let refusal = choice.delta.refusal.map(Spoken::Text);
            for spoken in [choice.delta.content, refusal].into_iter().flatten() {
                event.chunks.extend(spoken.parts().into_iter().map(Chunk::Part));
            }
            for call in choice.delta.tool_calls.into_iter().flatten() {
                self.add(call);
            }
            if let Some(reason) = choice.finish_reason.filter(|_| !self.finished) {
                self.finish(&reason, &mut event);
            }
        }
        Ok(event)
    }
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
