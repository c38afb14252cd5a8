//! Chunks of chat completions.

use serde_json::{Value, json};

use super::parts::{End, OUTPUT_TOKENS, pieces};
use crate::fake_chat::providers::Dialect;
use crate::fake_chat::reply::Step;

pub(in crate::fake_chat) struct Writer {
    calls: u64,
    /// What the provider calls a thought.
    thought: &'static str,
}

pub(super) fn begin() -> String {
    chunk(&json!({ "role": "assistant", "content": "" }))
}

pub(super) fn end(end: End, prompt_tokens: u64) -> String {
    let reason = match (end.cut, end.has_calls) {
        (true, _) => "length",
        (_, true) => "tool_calls",
        _ => "stop",
    };
    let finish = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] });
    let counted = json!({ "prompt_tokens": prompt_tokens, "completion_tokens": OUTPUT_TOKENS });
    let usage = json!({ "choices": [], "usage": counted });
    format!("data: {finish}\n\ndata: {usage}\n\ndata: [DONE]\n\n")
}

impl Writer {
    pub(super) fn new(dialect: Dialect) -> Self {
        let thought = match dialect {
            Dialect::Groq | Dialect::OpenRouter => "reasoning",
            _ => "reasoning_content",
        };
        Self { calls: 0, thought }
    }

    pub(super) fn events(&mut self, step: &Step) -> String {
        match step {
            Step::Text(text) => chunk(&json!({ "content": text })),
            Step::Thought(text, _) => chunk(&json!({ self.thought: text })),
            Step::Call(id, name, args) => {
                let index = self.calls;
                self.calls += 1;
                let function = json!({ "name": name, "arguments": "" });
                let first = chunk(&json!({ "tool_calls": [
                    { "index": index, "id": id, "type": "function", "function": function }] }));
                let more = pieces(&args.to_string()).into_iter().map(|piece| {
                    let function = json!({ "arguments": piece });
                    chunk(&json!({ "tool_calls": [{ "index": index, "function": function }] }))
                });
                first + &more.collect::<String>()
            }
            Step::Error(code, message) => {
                let error = json!({ "error": { "message": message, "code": code } });
                format!("data: {error}\n\n")
            }
            Step::Raw(raw) => raw.clone(),
            Step::Gate(_) | Step::Within(_) | Step::Break => String::new(),
        }
    }
}

fn chunk(delta: &Value) -> String {
    let chunk = json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk",
        "choices": [{ "index": 0, "delta": delta, "finish_reason": null }], "usage": null });
    format!("data: {chunk}\n\n")
}
