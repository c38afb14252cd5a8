//! Each rule refuses what it is for, and a good request passes all of them.

use serde_json::{Value, json};

use super::{Asked, errors};
use crate::fake_chat::issued::{Call, Issued, Thought};
use crate::fake_chat::providers::{Dialect, Form};
use crate::fake_chat::rules::bound_prefix;

mod anthropic;
mod chat;
mod ollama;
mod openai_responses;

/// A request that is accepted, to be spoiled.
struct Case {
    dialect: Dialect,
    form: Form,
    body: Value,
    betas: &'static str,
    issued: Issued,
    window: Option<u64>,
}

impl Case {
    fn new(dialect: Dialect, form: Form, body: Value) -> Self {
        Self { dialect, form, body, betas: "", issued: Issued::default(), window: None }
    }

    fn said(&self, body: &Value) -> Vec<String> {
        let Self { dialect, form, betas, issued, window, .. } = self;
        let (dialect, form, window) = (*dialect, *form, *window);
        let asked = Asked { dialect, form, body, betas, issued, binds_thoughts: true, window };
        errors(asked).iter().map(|error| error.refusal(dialect).message).collect()
    }

    #[track_caller]
    fn accepted(&self, change: impl FnOnce(&mut Value)) {
        let mut body = self.body.clone();
        change(&mut body);
        assert_eq!(self.said(&body), Vec::<String>::new());
    }

    #[track_caller]
    fn refused(&self, why: &str, spoil: impl FnOnce(&mut Value)) {
        self.accepted(|_| {});
        let mut body = self.body.clone();
        spoil(&mut body);
        let said = self.said(&body);
        assert!(said.iter().any(|text| text.contains(why)), "{why:?} is not among {said:?}");
    }
}

fn schema() -> Value {
    json!({ "type": "object", "properties": { "id": { "type": "string" },
            "at": { "type": "array", "items": { "type": "number" } } }, "required": ["id"] })
}

fn picture(width: u32) -> String {
    use base64::Engine;
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    png.extend(width.to_be_bytes());
    png.extend(1_u32.to_be_bytes());
    base64::prelude::BASE64_STANDARD.encode(png)
}

/// A body of more than so many tokens.
fn flood(tokens: usize) -> String {
    "word ".repeat(tokens)
}

fn call(id: &str, reasoning: Option<&str>, thought: bool) -> Call {
    let args = json!({ "id": "a" });
    Call {
        id: id.into(),
        name: "create_shape".into(),
        args,
        reasoning: reasoning.map(str::to_owned),
        thought,
    }
}

fn thought(model: &str, signature: &str, body: &Value, end: usize, issued: &Issued) -> Thought {
    let prefix = bound_prefix(body, end, model, issued);
    Thought { model: model.into(), text: "Hm.".into(), signature: signature.into(), prefix }
}
