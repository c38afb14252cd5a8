//! Conversion of the lines of a streamed chat to parts.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::errors;
use super::names::{FIELD, NAMES};
use crate::content::Part;
use crate::http::{AnswerEvent, End, EventReader};
use crate::model::{Chunk, ModelError};
use crate::retry::Failure;
use crate::usage::Usage;

/// The reader of one answer's lines.
pub(super) struct Events {
    pub(super) model: String,
}

#[derive(Deserialize)]
struct Line {
    message: Option<Message>,
    #[serde(default)]
    done: bool,
    done_reason: Option<String>,
    prompt_eval_count: Option<u64>,
    eval_count: Option<u64>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    thinking: Option<String>,
    tool_calls: Option<Vec<Call>>,
}

#[derive(Deserialize)]
struct Call {
    id: Option<String>,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    #[serde(default)]
    name: String,
    #[serde(default)]
    arguments: Value,
}

impl Events {
    fn thought(&self, text: &str) -> Part {
        Part::from_value(json!({ "text": text, "thought": true, FIELD: { "model": self.model } }))
    }
}

/// A call, which always comes whole. Its arguments are an object, or for some models its JSON text.
fn call(call: Call) -> Result<Part, ModelError> {
    let name = call.function.name;
    let arguments = match call.function.arguments {
        Value::Object(arguments) => Ok(arguments),
        Value::Null => Ok(Map::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Map::new()),
        Value::String(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
        other => Err(format!("they were {other}")),
    };
    let arguments = arguments.map_err(|why| {
        ModelError::MalformedCall(format!(
            "The arguments of the call to {name:?} were no JSON object ({why}). Call the tool again: a \
             JSON object of arguments that fits its schema, nothing else."
        ))
    })?;
    let id = call.id.as_deref().filter(|id| !id.is_empty());
    Ok(Part::call(id, &name, Value::Object(arguments)))
}

/// Maps an error within the answer.
fn failure(error: &Value, model: &str) -> Failure {
    let error = errors::from_error_object(error);
    if errors::is_malformed_call(&error.message) {
        return Failure::Final(ModelError::MalformedCall(format!(
            "Ollama could not read the call ({}). Call the tool again: a JSON object of arguments \
             that fits its schema, nothing else.",
            error.message
        )));
    }
    if errors::is_overflow(&error.message) {
        let said =
            format!("The conversation is longer than the model's context ({}).", error.message);
        return Failure::Final(ModelError::ContextOverflow(said));
    }
    error.into_failure(NAMES, model)
}

impl EventReader for Events {
    fn read(&mut self, data: &str) -> Result<AnswerEvent, Failure> {
        let line: Line = serde_json::from_str(data).map_err(|error| {
            Failure::passing(format!("Ollama's answer is unreadable ({error})."))
        })?;
        let mut event = AnswerEvent::default();
        if let Some(error) = line.error.filter(|error| !error.is_null()) {
            event.end = Some(End::Failed(failure(&error, &self.model)));
            return Ok(event);
        }
        if let Some(message) = line.message {
            let given = |text: Option<String>| text.filter(|text| !text.is_empty());
            let thought = given(message.thinking).map(|text| self.thought(&text));
            let text = given(message.content).map(Part::text);
            event.chunks.extend(thought.into_iter().chain(text).map(Chunk::Part));
            for wire in message.tool_calls.into_iter().flatten() {
                match call(wire) {
                    Ok(part) => event.chunks.push(Chunk::Part(part)),
                    Err(malformed) => {
                        event.end = Some(malformed.into());
                        return Ok(event);
                    }
                }
            }
        }
        if line.done {
            event.chunks.push(Chunk::Usage(Usage {
                input_tokens: line.prompt_eval_count.unwrap_or(0),
                output_tokens: line.eval_count.unwrap_or(0),
                ..Usage::default()
            }));
            let cut = line.done_reason.as_deref() == Some("length");
            event.chunks.extend(cut.then_some(Chunk::LengthLimit));
            event.end = Some(End::Closed);
        }
        Ok(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "cases are written without borrowing")]
    fn read(line: Value) -> AnswerEvent {
        Events { model: "qwen3:8b".into() }.read(&line.to_string()).unwrap()
    }

    #[test]
    fn thoughts_text_and_calls_come_apart() {
        let event = read(json!({ "model": "qwen3:8b", "message": { "role": "assistant",
            "content": "Here.", "thinking": "A ball?", "tool_calls": [
                { "id": "call_1", "function": { "index": 0, "name": "create_shape",
                    "arguments": { "id": "ball", "radius": 1 } } },
                { "function": { "name": "check_scene", "arguments": null } },
                { "function": { "name": "check_scene", "arguments": "{\"a\": 1}" } }] },
            "done": false }));
        assert!(event.end.is_none());
        let parts: Vec<&Part> = event
            .chunks
            .iter()
            .map(|chunk| match chunk {
                Chunk::Part(part) => part,
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(parts[0].is_thought() && parts[0].as_text() == Some("A ball?"));
        assert_eq!(parts[1].as_text(), Some("Here."));
        let call = parts[2].as_call().unwrap();
        assert_eq!((call.id, call.args.unwrap()["id"].as_str()), (Some("call_1"), Some("ball")));
        assert_eq!(parts[3].as_call().unwrap().args, Some(&json!({})));
        assert_eq!(parts[4].as_call().unwrap().args, Some(&json!({ "a": 1 })));
    }

    #[test]
    fn the_last_line_counts_tokens_and_says_why_it_ended() {
        let last = |reason: &str| {
            read(json!({ "message": { "role": "assistant", "content": "" }, "done": true,
                "done_reason": reason, "prompt_eval_count": 26, "eval_count": 298 }))
        };
        let event = last("stop");
        let usage = Usage { input_tokens: 26, output_tokens: 298, ..Usage::default() };
        assert_eq!(event.chunks, [Chunk::Usage(usage)]);
        assert!(matches!(event.end, Some(End::Closed)));
        assert_eq!(last("length").chunks[1], Chunk::LengthLimit);
    }

    #[test]
    fn errors_within_the_answer_are_told_apart() {
        let end = |text: &str| match read(json!({ "error": text })).end {
            Some(End::Failed(Failure::Final(error))) => error,
            other => panic!("{other:?}"),
        };
        let malformed = end("error parsing tool call: raw='{\"a\":', err=unexpected end");
        assert!(matches!(malformed, ModelError::MalformedCall(_)), "{malformed}");
        let long = end("the input length exceeds the context length");
        assert!(matches!(long, ModelError::ContextOverflow(_)), "{long}");
        let wrong = read(json!({ "message": { "content": "", "tool_calls": [
            { "function": { "name": "f", "arguments": [1] } }] }, "done": false }));
        assert!(matches!(
            wrong.end,
            Some(End::Failed(Failure::Final(ModelError::MalformedCall(_))))
        ));
    }
}
