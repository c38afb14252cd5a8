//! Recorded answers, split at every byte, with both line endings.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};

use super::{End, read, sse};
use crate::model::{Chunk, ModelError, Usage};
use crate::{Part, retry::Failure};

/// The form of an answer of gemini-3.5 with a thought, text beyond ASCII, parallel calls of which
/// only the first is signed, and a signed empty part at the end.
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

fn bytes_of(events: &[Value], line_end: &str) -> Vec<u8> {
    events
        .iter()
        .map(|event| format!("data: {event}{line_end}{line_end}"))
        .collect::<String>()
        .into()
}

async fn events_of(pieces: Vec<Bytes>) -> Vec<Value> {
    sse(stream::iter(pieces).map(Ok::<_, Infallible>))
        .map_ok(|event| serde_json::from_str(&event.data).unwrap())
        .try_collect()
        .await
        .unwrap()
}

#[tokio::test]
async fn events_survive_a_split_at_every_byte() {
    for line_end in ["\n", "\r\n"] {
        let bytes = Bytes::from(bytes_of(&recorded(), line_end));
        for at in 0..=bytes.len() {
            let pieces = vec![bytes.slice(..at), bytes.slice(at..)];
            assert_eq!(events_of(pieces).await, recorded(), "split at byte {at}");
        }
        let single = (0..bytes.len()).map(|at| bytes.slice(at..=at)).collect();
        assert_eq!(events_of(single).await, recorded());
    }
}

#[tokio::test]
async fn a_byte_order_mark_comments_and_other_fields_are_skipped() {
    let mut bytes = b"\xef\xbb\xbf: hello\nevent: message\nid: 1\n".to_vec();
    bytes.extend(bytes_of(&recorded(), "\n"));
    let bytes = Bytes::from(bytes);
    for at in 0..8 {
        let pieces = vec![bytes.slice(..at), bytes.slice(at..)];
        assert_eq!(events_of(pieces).await, recorded());
    }
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
    let usage = |output_tokens| Chunk::Usage(Usage { input_tokens: 11, output_tokens });
    assert_eq!(chunks, [usage(5), expected(0), expected(1), expected(2), usage(12), expected(3)]);
}

fn end_of(event: &Value) -> ModelError {
    match read(&event.to_string()).unwrap().end.unwrap().unwrap_err() {
        End::Stopped(error) => error,
        End::Service(error) => panic!("{error:?}"),
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
    assert!(matches!(whole.end, Some(Ok(()))));
}

#[test]
fn what_is_no_response_may_be_asked_again() {
    for data in ["<html>", "{\"candidates\":", "[]", "null"] {
        assert!(matches!(read(data), Err(Failure::Passing { .. })), "{data}");
    }
}
