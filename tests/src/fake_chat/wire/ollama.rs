//! Lines of Ollama's chat.

use serde_json::{Value, json};

use super::parts::{End, OUTPUT_TOKENS};
use crate::fake_chat::reply::Step;

pub(in crate::fake_chat) struct Writer {
    model: Value,
    calls: u64,
}

impl Writer {
    pub(super) fn new(body: &Value) -> Self {
        Self { model: body["model"].clone(), calls: 0 }
    }

    fn line(&self, message: &Value) -> String {
        let line = json!({ "model": self.model, "created_at": "2026-11-23T02:00:00.000000Z",
                           "message": message, "done": false });
        format!("{line}\n")
    }

    pub(super) fn events(&mut self, step: &Step) -> String {
        match step {
            Step::Text(text) => self.line(&json!({ "role": "assistant", "content": text })),
            Step::Thought(text, _) => {
                self.line(&json!({ "role": "assistant", "content": "", "thinking": text }))
            }
            Step::Call(id, name, args) => {
                let function = json!({ "index": self.calls, "name": name, "arguments": args });
                self.calls += 1;
                let call = json!({ "id": id, "function": function });
                self.line(&json!({ "role": "assistant", "content": "", "tool_calls": [call] }))
            }
            Step::Error(_, message) => format!("{}\n", json!({ "error": message })),
            Step::Raw(raw) => raw.clone(),
            Step::Gate(_) | Step::Within(_) | Step::Break => String::new(),
        }
    }

    pub(super) fn end(&mut self, end: End, prompt_tokens: u64) -> String {
        let line = json!({ "model": self.model, "created_at": "2026-11-23T02:00:01.000000Z",
            "message": { "role": "assistant", "content": "" }, "done": true,
            "done_reason": if end.cut { "length" } else { "stop" }, "total_duration": 1_000_000,
            "load_duration": 1_000, "prompt_eval_count": prompt_tokens,
            "prompt_eval_duration": 1_000, "eval_count": OUTPUT_TOKENS, "eval_duration": 1_000 });
        format!("{line}\n")
    }
}
