//! Answers that real providers gave, through our clients: what comes out is what was said, however
//! the stream is cut.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::LazyLock;
use std::time::Duration;

use end_to_end::recorded::{Recording, Replay, recordings};
use futures_util::StreamExt;
use llm::{
    Anthropic, Chunk, ClientConfig, Content, Gemini, LanguageModel, ModelError, OPENAI_BASE_URL,
    Ollama, OllamaOptions, OpenAi, Request,
};
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::{Value, json};

/// Recordings up to this length are also read byte by byte: all providers' ways of cutting lines,
/// characters and events are among them, and long ones cut that way take seconds each.
const MAX_SINGLE_BYTES: usize = 2_000;

/// The most pieces that a recording is cut into otherwise.
const MAX_PIECES: usize = 400;

fn model(form: &str, url: String) -> Box<dyn LanguageModel> {
    let mut config = ClientConfig::new(url, SecretString::from("key"), "any");
    config.retry.base_delay = Duration::from_millis(1);
    match form {
        "anthropic" => Box::new(Anthropic::new(config).unwrap()),
        "gemini" => Box::new(Gemini::new(config).unwrap()),
        "ollama" => Box::new(Ollama::new(config, OllamaOptions::default()).unwrap()),
        "openai" => Box::new(OpenAi::new(config).unwrap()),
        "responses" => {
            config.model = "gpt-5.5".into();
            Box::new(OpenAi::proxy_of(OPENAI_BASE_URL, config).unwrap())
        }
        other => panic!("no client for {other}"),
    }
}

/// What the client makes of the recording, in the form of `expected`; the reason it ended is left to
/// the caller.
async fn heard(recording: &Recording, piece: usize) -> (Value, Option<ModelError>) {
    let (mut text, mut thought, mut calls) = (String::new(), String::new(), Vec::new());
    let mut failure = None;
    for answer in recording.answers() {
        let replay = Replay::start(&answer, piece).await.unwrap();
        let model = model(&recording.form, replay.base_url());
        let request = Request { contents: vec![Content::user("hello")], ..Request::default() };
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
    let recordings = recordings();
    for form in ["anthropic", "gemini", "ollama", "openai", "responses"] {
        let count = recordings.iter().filter(|recording| recording.form == form).count();
        assert!(count >= 2, "{form}: {count}");
    }
    let mut wrong = Vec::new();
    for recording in &recordings {
        let length = recording.stream.len();
        // Sizes that fall anywhere in a line; long recordings are cut into larger ones.
        let sizes = [1, 7, 61].map(|size: usize| match size {
            1 if length <= MAX_SINGLE_BYTES => 1,
            _ => size.max(length / MAX_PIECES) | 1,
        });
        for piece in sizes.into_iter().chain([usize::MAX]) {
            wrong.extend(check(recording, piece).await);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All recordings, read once for all cases.
static RECORDINGS: LazyLock<Vec<Recording>> = LazyLock::new(recordings);

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
        let mut recording = RECORDINGS[which.index(RECORDINGS.len())].clone();
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
            let piece = 16.max(recording.stream.len() / 64);
            let ended = tokio::time::timeout(Duration::from_secs(20), heard(&recording, piece));
            ended.await.expect("an end");
        });
    }
}
