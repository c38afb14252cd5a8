//! An answer of a model in no provider's form, and as each of them streams it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use llm::Gate;
use serde_json::{Value, json};

use crate::fake_chat::Reply;
use crate::fake_gemini::Answer;
use crate::providers::Provider;

/// An answer of a model.
#[derive(Debug, Clone, Default)]
pub struct Turn {
    steps: Vec<Step>,
}

#[derive(Debug, Clone)]
enum Step {
    Thought(String),
    Text(String),
    Call(String, Value),
    Wait(Gate),
    Within(Gate),
}

impl Turn {
    /// An answer without parts.
    pub fn new() -> Self {
        Self::default()
    }

    /// An answer that is one text.
    pub fn saying(text: &str) -> Self {
        Self::new().text(text)
    }

    /// A thought, where the model thinks.
    pub fn thought(self, text: &str) -> Self {
        self.step(Step::Thought(text.into()))
    }

    /// Text.
    pub fn text(self, text: &str) -> Self {
        self.step(Step::Text(text.into()))
    }

    /// A call.
    pub fn call(self, name: &str, args: Value) -> Self {
        self.step(Step::Call(name.into(), args))
    }

    /// A call as [`crate::calls`] makes them.
    pub fn calls(self, call: &Value) -> Self {
        let name = call["name"].as_str().unwrap_or_default().to_owned();
        self.step(Step::Call(name, call["args"].clone()))
    }

    /// Waits at the gate.
    pub fn wait(self, gate: &Gate) -> Self {
        self.step(Step::Wait(gate.clone()))
    }

    /// Waits at the gate in the middle of what is added next.
    pub fn within(self, gate: &Gate) -> Self {
        self.step(Step::Within(gate.clone()))
    }

    /// How many steps it has.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// As `provider` streams it; `first` counts all steps before it, for ids and signatures.
    pub(super) fn reply(&self, provider: Provider, first: usize) -> Reply {
        let mut reply = Reply::new();
        for (number, step) in (first..).zip(&self.steps) {
            reply = match step {
                Step::Thought(text) if provider.thinks() => reply.thought(text, &signature(number)),
                Step::Thought(_) => reply,
                Step::Text(text) => reply.text(text),
                Step::Call(name, args) => reply.call(&provider.call_id(number), name, args.clone()),
                Step::Wait(gate) => reply.gate(gate),
                Step::Within(gate) => reply.within(gate),
            };
        }
        reply
    }

    /// As Gemini streams it: the first call is signed, else an empty end.
    pub(super) fn answer(&self, first: usize) -> Answer {
        let mut answer = Answer::new();
        let mut is_signed = false;
        let mut within: Option<&Gate> = None;
        for (number, step) in (first..).zip(&self.steps) {
            let part = match step {
                Step::Thought(text) => json!({ "text": text, "thought": true }),
                Step::Text(text) => json!({ "text": text }),
                Step::Call(name, args) => {
                    let id = format!("call-{number}");
                    let mut part =
                        json!({ "functionCall": { "id": id, "name": name, "args": args } });
                    if !std::mem::replace(&mut is_signed, true) {
                        part["thoughtSignature"] = signature(number).into();
                    }
                    part
                }
                Step::Wait(gate) => {
                    answer = answer.gate(gate);
                    continue;
                }
                Step::Within(gate) => {
                    within = Some(gate);
                    continue;
                }
            };
            answer = match within.take() {
                Some(gate) => halved(answer, &part, gate),
                None => answer.part(part),
            };
        }
        if is_signed { answer } else { answer.signed_end(&signature(first)) }
    }
}

/// An event that waits in its middle: a part comes whole or not at all.
fn halved(answer: Answer, part: &Value, gate: &Gate) -> Answer {
    let content = json!({ "role": "model", "parts": [part] });
    let mut event =
        format!("data: {}\n\n", json!({ "candidates": [{ "content": content, "index": 0 }] }));
    let rest = event.split_off(event.len() / 2);
    answer.raw(event).gate(gate).raw(rest)
}

fn signature(number: usize) -> String {
    BASE64_STANDARD.encode(format!("signature {number}"))
}
