//! Lines of Ollama's chat.

use serde_json::{Value, json};

use super::End;
use crate::fake_chat::reply::Step;
use crate::fake_chat::rules::tokens;

pub(in crate::fake_chat) struct Writer {
    model: Value,
    prompt_tokens: u64,
    calls: u64,
}

impl Writer {
    pub(super) fn new(body: &Value) -> Self {
        Self { model: body["model"].clone(), prompt_tokens: tokens(body), calls: 0 }
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
            Step::Gate(_) | Step::Break => String::new(),
        }
    }

    pub(super) fn end(&mut self, end: End) -> String {
        let line = json!({ "model": self.model, "created_at": "2026-11-23T02:00:01.000000Z",
            "message": { "role": "assistant", "content": "" }, "done": true,
            "done_reason": if end.cut { "length" } else { "stop" }, "total_duration": 1_000_000,
            "load_duration": 1_000, "prompt_eval_count": self.prompt_tokens,
            "prompt_eval_duration": 1_000, "eval_count": 7, "eval_duration": 1_000 });
        format!("{line}\n")
    }
}
