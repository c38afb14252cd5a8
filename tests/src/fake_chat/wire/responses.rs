//! Events of OpenAI's responses.

use serde_json::{Value, json};

use super::parts::{End, OUTPUT_TOKENS, pieces};
use crate::fake_chat::reply::Step;

pub(in crate::fake_chat) struct Writer {
    model: Value,
    /// Whether thoughts come with what they look like encrypted.
    encrypted: bool,
    first_item: usize,
    output: Vec<Value>,
    sequence: u64,
}

impl Writer {
    pub(super) fn new(body: &Value, first_item: usize) -> Self {
        let include = body["include"].as_array().map(Vec::as_slice).unwrap_or_default();
        Self {
            model: body["model"].clone(),
            encrypted: include.iter().any(|it| it == "reasoning.encrypted_content"),
            first_item,
            output: Vec::new(),
            sequence: 0,
        }
    }

    fn event(&mut self, kind: &str, mut data: Value) -> String {
        data["type"] = kind.into();
        data["sequence_number"] = self.sequence.into();
        self.sequence += 1;
        format!("event: {kind}\ndata: {data}\n\n")
    }

    fn response(&self, status: &str) -> Value {
        json!({ "id": "resp_1", "object": "response", "created_at": 1_795_392_000, "status": status,
                "model": self.model, "output": self.output, "error": null,
                "incomplete_details": null, "usage": null, "parallel_tool_calls": true })
    }

    pub(super) fn begin(&mut self) -> String {
        let response = self.response("in_progress");
        self.event("response.created", json!({ "response": response }))
            + &self.event("response.in_progress", json!({ "response": response }))
    }

    pub(super) fn events(&mut self, step: &Step) -> String {
        let number = self.first_item + self.output.len();
        let at = self.output.len();
        match step {
            Step::Text(text) => self.message(&format!("msg_{number}"), at, text),
            Step::Thought(text, signature) => {
                self.reasoning(&format!("rs_{number}"), at, text, signature)
            }
            Step::Call(call_id, name, args) => {
                let id = format!("fc_{number}");
                let mut item = json!({ "id": id, "type": "function_call", "status": "in_progress",
                                       "call_id": call_id, "name": name, "arguments": "" });
                let mut events = self.event(
                    "response.output_item.added",
                    json!({ "output_index": at, "item": item }),
                );
                let place = json!({ "item_id": id, "output_index": at });
                let args = args.to_string();
                for piece in pieces(&args) {
                    let data = with(&place, "delta", &piece);
                    events += &self.event("response.function_call_arguments.delta", data);
                }
                let data = with(&place, "arguments", &args);
                events += &self.event("response.function_call_arguments.done", data);
                item["status"] = "completed".into();
                item["arguments"] = args.into();
                events + &self.done(item)
            }
            Step::Error(code, message) => {
                let mut response = self.response("failed");
                response["error"] = json!({ "code": code, "message": message });
                self.event("response.failed", json!({ "response": response }))
            }
            Step::Raw(raw) => raw.clone(),
            Step::Gate(_) | Step::Within(_) | Step::Break => String::new(),
        }
    }

    fn done(&mut self, item: Value) -> String {
        let at = self.output.len();
        self.output.push(item.clone());
        self.event("response.output_item.done", json!({ "output_index": at, "item": item }))
    }

    fn message(&mut self, id: &str, at: usize, text: &str) -> String {
        let mut item = json!({ "id": id, "type": "message", "status": "in_progress", "role": "assistant",
                               "content": [] });
        let mut events =
            self.event("response.output_item.added", json!({ "output_index": at, "item": item }));
        let place = json!({ "item_id": id, "output_index": at, "content_index": 0 });
        let part = json!({ "type": "output_text", "text": "", "annotations": [], "logprobs": [] });
        events += &self.event("response.content_part.added", with(&place, "part", &part));
        for piece in pieces(text) {
            events += &self.event("response.output_text.delta", with(&place, "delta", &piece));
        }
        events += &self.event("response.output_text.done", with(&place, "text", &text));
        let part =
            json!({ "type": "output_text", "text": text, "annotations": [], "logprobs": [] });
        events += &self.event("response.content_part.done", with(&place, "part", &part));
        item["status"] = "completed".into();
        item["content"] = json!([part]);
        events + &self.done(item)
    }

    fn reasoning(&mut self, id: &str, at: usize, text: &str, signature: &str) -> String {
        let mut item = json!({ "id": id, "type": "reasoning", "summary": [] });
        if self.encrypted {
            item["encrypted_content"] = signature.into();
        }
        let mut events =
            self.event("response.output_item.added", json!({ "output_index": at, "item": item }));
        if !text.is_empty() {
            let place = json!({ "item_id": id, "output_index": at, "summary_index": 0 });
            let part = json!({ "type": "summary_text", "text": "" });
            events +=
                &self.event("response.reasoning_summary_part.added", with(&place, "part", &part));
            for piece in pieces(text) {
                events += &self
                    .event("response.reasoning_summary_text.delta", with(&place, "delta", &piece));
            }
            events +=
                &self.event("response.reasoning_summary_text.done", with(&place, "text", &text));
            let part = json!({ "type": "summary_text", "text": text });
            events +=
                &self.event("response.reasoning_summary_part.done", with(&place, "part", &part));
            item["summary"] = json!([part]);
        }
        events + &self.done(item)
    }

    pub(super) fn end(&mut self, end: End, prompt_tokens: u64) -> String {
        let (status, kind) = match end.cut {
            true => ("incomplete", "response.incomplete"),
            false => ("completed", "response.completed"),
        };
        let mut response = self.response(status);
        if end.cut {
            response["incomplete_details"] = json!({ "reason": "max_output_tokens" });
        }
        response["usage"] = json!({ "input_tokens": prompt_tokens, "input_tokens_details": { "cached_tokens": 0 },
            "output_tokens": OUTPUT_TOKENS, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": prompt_tokens + OUTPUT_TOKENS });
        self.event(kind, json!({ "response": response }))
    }
}

fn with(place: &Value, name: &str, value: &impl serde::Serialize) -> Value {
    let mut place = place.clone();
    place[name] = json!(value);
    place
}
