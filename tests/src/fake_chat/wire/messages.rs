//! Events of Anthropic's messages.

use serde_json::{Value, json};

use super::parts::{End, OUTPUT_TOKENS, pieces};
use crate::fake_chat::reply::Step;

#[derive(Default)]
pub(in crate::fake_chat) struct Writer {
    blocks: u64,
}

pub(super) fn begin(prompt_tokens: u64) -> String {
    event(&json!({ "type": "message_start", "message": { "id": "msg_1", "role": "assistant",
        "content": [], "usage": { "input_tokens": prompt_tokens, "output_tokens": 1 } } }))
        + &event(&json!({ "type": "ping" }))
}

pub(super) fn end(end: End) -> String {
    let reason = match (end.cut, end.has_calls) {
        (true, _) => "max_tokens",
        (_, true) => "tool_use",
        _ => "end_turn",
    };
    event(&json!({ "type": "message_delta", "delta": { "stop_reason": reason },
                   "usage": { "output_tokens": OUTPUT_TOKENS } }))
        + &event(&json!({ "type": "message_stop" }))
}

impl Writer {
    pub(super) fn events(&mut self, step: &Step) -> String {
        let (block, deltas) = match step {
            Step::Text(text) => (
                json!({ "type": "text", "text": "" }),
                vec![json!({ "type": "text_delta", "text": text })],
            ),
            Step::Thought(text, signature) => {
                let mut deltas = vec![json!({ "type": "thinking_delta", "thinking": text })];
                // A thought that the length limit cuts off closes without a signature.
                if !signature.is_empty() {
                    deltas.push(json!({ "type": "signature_delta", "signature": signature }));
                }
                (json!({ "type": "thinking", "thinking": "", "signature": "" }), deltas)
            }
            Step::Call(id, name, args) => {
                let delta = |piece| json!({ "type": "input_json_delta", "partial_json": piece });
                let block = json!({ "type": "tool_use", "id": id, "name": name, "input": {} });
                (block, pieces(&args.to_string()).into_iter().map(delta).collect())
            }
            Step::Error(kind, message) => {
                let error = json!({ "type": kind, "message": message });
                return event(&json!({ "type": "error", "error": error }));
            }
            Step::Raw(raw) => return raw.clone(),
            Step::Gate(_) | Step::Within(_) | Step::Break => return String::new(),
        };
        let index = self.blocks;
        self.blocks += 1;
        let mut events = event(
            &json!({ "type": "content_block_start", "index": index, "content_block": block }),
        );
        for delta in deltas {
            let delta = json!({ "type": "content_block_delta", "index": index, "delta": delta });
            events.push_str(&event(&delta));
        }
        events + &event(&json!({ "type": "content_block_stop", "index": index }))
    }
}

fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or_default())
}
