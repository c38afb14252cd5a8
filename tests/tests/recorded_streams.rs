//! Answers that real services gave, through our clients: what comes out is what was said, however
//! the stream is cut.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::time::Duration;

use end_to_end::recorded::{Recording, Replay, recordings};
use futures_util::StreamExt;
use llm::{
    Anthropic, Chunk, Content, Gemini, LanguageModel, ModelError, OpenAi, Request, ServiceConfig,
};
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::{Value, json};

/// Forms that no client reads yet.
const UNREAD: [&str; 2] = ["ollama", "responses"];

/// The recordings that a client can read.
fn readable() -> Vec<Recording> {
    let mut recordings = recordings();
    recordings.retain(|recording| !UNREAD.contains(&recording.form.as_str()));
    recordings
}

fn model(form: &str, url: String) -> Box<dyn LanguageModel> {
    let mut config = ServiceConfig::new(url, SecretString::from("key"), "any");
    config.retry.base_delay = Duration::from_millis(1);
    match form {
        "anthropic" => Box::new(Anthropic::new(config).unwrap()),
        "gemini" => Box::new(Gemini::new(config).unwrap()),
        "openai" => Box::new(OpenAi::new(config).unwrap()),
        other => panic!("no client for {other}"),
    }
}

/// What the client makes of the recording, in the form of `expected`; the reason it ended is left to
/// the caller.
async fn heard(recording: &Recording, piece: usize) -> (Value, Option<ModelError>) {
    let replay = Replay::start(recording, piece).await.unwrap();
    let model = model(&recording.form, replay.base_url());
    let request = Request { contents: vec![Content::user("hello")], ..Request::default() };
    let (mut text, mut thought, mut calls) = (String::new(), String::new(), Vec::new());
    let mut failure = None;
    let mut chunks = model.stream(request);
    while let Some(chunk) = chunks.next().await {
        match chunk {
            Ok(Chunk::Part(part)) => {
                if let Some(call) = part.as_call() {
                    let args = call.args.cloned().unwrap_or_else(|| json!({}));
                    calls.push(json!([call.id, call.name, args]));
                } else if let Some(said) = part.as_text() {
                    if part.is_thought() { &mut thought } else { &mut text }.push_str(said);
                }
            }
            Ok(_) => {}
            Err(error) => failure = Some(error),
        }
    }
    (json!({ "text": text, "thought": thought, "calls": calls }), failure)
}

/// What differs from what was said.
async fn check(recording: &Recording, piece: usize) -> Vec<String> {
    let (heard, failure) = heard(recording, piece).await;
    let name = format!("{}/{} in pieces of {piece}", recording.form, recording.name);
    let mut wrong: Vec<String> = ["text", "thought", "calls"]
        .into_iter()
        .filter(|what| heard[what] != recording.expected[what])
        .map(|what| format!("{name}: {what}: {} is not {}", heard[what], recording.expected[what]))
        .collect();
    let ended = match recording.expected["finish"].as_str().unwrap_or_default() {
        "error" => failure.is_some(),
        "refusal" => matches!(failure, Some(ModelError::Blocked(_))),
        _ => failure.is_none(),
    };
    if !ended {
        wrong.push(format!("{name}: it ended with {failure:?}"));
    }
    wrong
}

#[tokio::test]
async fn recorded_answers_come_out_as_they_were_said() {
    let recordings = readable();
    assert!(recordings.len() >= 24, "{}", recordings.len());
    let mut wrong = Vec::new();
    for recording in &recordings {
        for piece in [1, 7, 64, usize::MAX] {
            wrong.extend(check(recording, piece).await);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// A line that is broken, doubled or missing ends in an answer or an error, never in a panic.
    #[test]
    fn damaged_streams_end(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        damage in 0..4u8,
        byte in any::<u8>(),
    ) {
        let recordings = readable();
        let mut recording = recordings[which.index(recordings.len())].clone();
        let mut bytes = recording.stream.clone().into_bytes();
        let at = at.index(bytes.len());
        match damage {
            0 => bytes.truncate(at),
            1 => bytes[at] = byte,
            2 => bytes.insert(at, byte),
            _ => {
                let end = (at + 40).min(bytes.len());
                bytes.drain(at..end);
            }
        }
        recording.stream = String::from_utf8_lossy(&bytes).into_owned();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let ended = tokio::time::timeout(Duration::from_secs(20), heard(&recording, 16));
            ended.await.expect("an end");
        });
    }
}
