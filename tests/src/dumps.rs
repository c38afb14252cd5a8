//! Requests written down for the validators by the providers' SDKs (`tests/sdk/validate.py`).

use std::fmt::Write;
use std::path::Path;

use serde_json::json;

use crate::fake_chat::{Dialect, FakeChat, Form};
use crate::fake_gemini::FakeGemini;

/// The validator of a dialect's requests; none where the provider has no SDK of its own.
fn validator(dialect: Dialect, form: Form, betas: bool) -> Option<&'static str> {
    match (dialect, form) {
        (Dialect::OpenAi, Form::Chat) => Some("openai-chat"),
        (Dialect::OpenAi, Form::Responses) => Some("openai-responses"),
        (Dialect::Anthropic, _) if betas => Some("anthropic-beta"),
        (Dialect::Anthropic, _) => Some("anthropic"),
        (Dialect::Mistral, _) => Some("mistral"),
        (Dialect::Ollama, _) => Some("ollama"),
        _ => None,
    }
}

/// Writes all requests that `fake` accepted to `target/requests/NAME.jsonl`.
///
/// # Panics
/// When the file cannot be written.
pub fn write(name: &str, fake: &FakeChat) {
    let mut lines = String::new();
    for request in fake.recorded().into_iter().filter(|request| request.refusal.is_none()) {
        if let Some(vendor) = validator(fake.dialect(), request.form, request.has_betas) {
            let line = json!({ "vendor": vendor, "body": request.body });
            writeln!(lines, "{line}").expect("a text grows");
        }
    }
    save(name, &lines);
}

/// Writes all requests of `fake` to `target/requests/NAME.jsonl`.
///
/// # Panics
/// When the file cannot be written.
pub fn write_gemini(name: &str, fake: &FakeGemini) {
    let mut lines = String::new();
    for request in fake.requests() {
        writeln!(lines, "{}", json!({ "vendor": "gemini", "body": request.body }))
            .expect("a text grows");
    }
    save(name, &lines);
}

fn save(name: &str, lines: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/requests");
    std::fs::create_dir_all(&folder).expect("a folder for requests");
    std::fs::write(folder.join(format!("{name}.jsonl")), lines).expect("a file of requests");
}
