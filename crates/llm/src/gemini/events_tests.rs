//! Recorded answers.

use serde_json::{Value, json};

use super::*;

fn read(data: &str) -> Result<AnswerEvent, Failure> {
    super::read(data, "gemini-3.8-flash")
}

/// An answer in the form of gemini-3.5: a thought, non-ASCII text, parallel calls of which only the
/// first is signed, and a signed empty part at the end.
fn recorded() -> Vec<Value> {
    vec![
        json!({ "candidates": [{ "content": { "parts": [
            { "text": "Größe\u{2026} \u{1f3e0}", "thought": true } ], "role": "model" }, "index": 0 }],
            "usageMetadata": { "promptTokenCount": 11, "thoughtsTokenCount": 5, "totalTokenCount": 16 },
            "modelVersion": "gemini-3.5-flash", "responseId": "r" }),
        json!({ "candidates": [{ "content": { "parts": [
            { "functionCall": { "name": "create_shape", "args": { "id": "häuschen" }, "id": "c1" },
              "thoughtSignature": "c2ln" },
            { "functionCall": { "name": "get_scene_state", "args": {}, "id": "c2" } } ],
            "role": "model" }, "index": 0 }] }),
        json!({ "candidates": [{ "content": { "parts": [
            { "text": "", "thoughtSignature": "ZW5k" } ], "role": "model" },
            "finishReason": "STOP", "index": 0 }],
            "usageMetadata": { "promptTokenCount": 11, "candidatesTokenCount": 7, "thoughtsTokenCount": 5 } }),
    ]
}

#[test]
fn parts_come_verbatim_and_usage_counts_thoughts() {
    let mut chunks = Vec::new();
    for (index, event) in recorded().iter().enumerate() {
        let event = read(&event.to_string()).unwrap();
        assert_eq!(event.end.is_some(), index == 2);
        chunks.extend(event.chunks);
    }
    let parts: Vec<Value> = recorded()
        .iter()
        .flat_map(|event| event["candidates"][0]["content"]["parts"].as_array().unwrap().clone())
        .collect();
    let expected = |index: usize| Chunk::Part(Part::from_value(parts[index].clone()));
    let usage =
        |output_tokens| Chunk::Usage(Usage { input_tokens: 11, output_tokens, ..Usage::default() });
    assert_eq!(chunks, [usage(5), expected(0), expected(1), expected(2), usage(12), expected(3)]);
}

fn end_of(event: &Value) -> ModelError {
    match read(&event.to_string()).unwrap().end.unwrap() {
        End::Failed(Failure::Final(error)) => error,
        end => panic!("{end:?}"),
    }
}

#[test]
fn finish_reasons_become_errors_the_user_or_the_model_can_read() {
    let finish = |reason: &str| end_of(&json!({ "candidates": [{ "finishReason": reason }] }));
    for reason in ["SAFETY", "PROHIBITED_CONTENT", "RECITATION", "BLOCKLIST", "SPII", "OTHER"] {
        assert!(matches!(finish(reason), ModelError::Blocked(text) if text.contains(reason)));
    }
    for reason in ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"] {
        assert!(matches!(finish(reason), ModelError::MalformedCall(text) if text.contains(reason)));
    }
    let blocked = end_of(&json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } }));
    assert!(matches!(blocked, ModelError::Blocked(text) if text.contains("PROHIBITED_CONTENT")));
    let whole = read(r#"{"candidates":[{"finishReason":"MAX_TOKENS"}]}"#).unwrap();
    assert!(matches!(whole.end, Some(End::Whole)));
}

#[test]
fn what_is_no_response_may_be_asked_again() {
    for data in ["<html>", "{\"candidates\":", "[]", "null"] {
        assert!(matches!(read(data), Err(Failure::Passing { .. })), "{data}");
    }
}
