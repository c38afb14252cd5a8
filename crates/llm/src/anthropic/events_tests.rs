//! Recorded streams.

#![expect(clippy::needless_pass_by_value, reason = "shorter where events are made in place")]

use super::*;

fn read_all(events: &[Value]) -> (Vec<Chunk>, Option<End>) {
    let mut reader = Events::new("claude-sonnet-5-5", Some("0123".into()));
    let (mut chunks, mut end) = (Vec::new(), None);
    for event in events {
        let event = reader.read(&event.to_string()).unwrap();
        chunks.extend(event.chunks);
        end = event.end.or(end);
    }
    (chunks, end)
}

fn delta(index: u64, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn start(index: u64, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn stop(index: u64) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn finish(reason: &str) -> Value {
    json!({ "type": "message_delta", "delta": { "stop_reason": reason, "stop_sequence": null },
            "usage": { "output_tokens": 30 } })
}

#[test]
fn thoughts_text_and_calls_are_put_together_and_signatures_kept() {
    let (chunks, end) = read_all(&[
        json!({ "type": "message_start", "message": { "usage": {
            "input_tokens": 5, "cache_read_input_tokens": 7, "cache_creation_input_tokens": 3,
            "output_tokens": 1 } } }),
        start(0, json!({ "type": "thinking", "thinking": "", "signature": "" })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "Two " })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "shapes." })),
        delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
        stop(0),
        json!({ "type": "ping" }),
        start(1, json!({ "type": "redacted_thinking", "data": "xyz" })),
        stop(1),
        start(2, json!({ "type": "text", "text": "" })),
        delta(2, json!({ "type": "text_delta", "text": "Ok." })),
        stop(2),
        start(3, json!({ "type": "tool_use", "id": "toolu_1", "name": "f", "input": {} })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "" })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "{\"a\": [1" })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": ", 2]}" })),
        stop(3),
        start(4, json!({ "type": "tool_use", "id": "toolu_2", "name": "g", "input": {} })),
        stop(4),
        finish("tool_use"),
        json!({ "type": "message_stop" }),
    ]);
    let kept = |block| {
        let own = json!({ "model": "claude-sonnet-5-5", "block": block, "prefix": "0123" });
        Chunk::Part(Part::from_value(json!({ "text": "", "thought": true, FIELD: own })))
    };
    let usage = |output_tokens| {
        Chunk::Usage(Usage {
            input_tokens: 15,
            output_tokens,
            cached_tokens: 7,
            cache_write_tokens: 3,
        })
    };
    assert_eq!(
        chunks,
        [
            usage(1),
            Chunk::Part(Part::thought("Two ")),
            Chunk::Part(Part::thought("shapes.")),
            kept(json!({ "type": "thinking", "thinking": "Two shapes.", "signature": "c2ln" })),
            kept(json!({ "type": "redacted_thinking", "data": "xyz" })),
            Chunk::Part(Part::text("Ok.")),
            Chunk::Part(Part::call(Some("toolu_1"), "f", json!({ "a": [1, 2] }))),
            Chunk::Part(Part::call(Some("toolu_2"), "g", json!({}))),
            usage(30),
        ]
    );
    assert!(matches!(end, Some(End::Closed)));
}

#[test]
fn a_call_that_is_cut_off_is_told_to_the_model() {
    let begin = || {
        vec![
            start(0, json!({ "type": "tool_use", "id": "t", "name": "f", "input": {} })),
            delta(0, json!({ "type": "input_json_delta", "partial_json": "{\"a\": " })),
        ]
    };
    for ending in [vec![stop(0)], vec![finish("max_tokens")]] {
        let (_, end) = read_all(&[begin(), ending].concat());
        assert!(
            matches!(&end, Some(End::Failed(Failure::Final(ModelError::MalformedCall(text))))
                if text.contains("\"f\"")),
            "{end:?}"
        );
    }
}

#[test]
fn ends_and_errors_are_told_apart() {
    let (chunks, end) = read_all(&[finish("max_tokens")]);
    assert_eq!(chunks.last(), Some(&Chunk::LengthLimit));
    assert!(matches!(end, Some(End::Whole)));
    let (_, end) = read_all(&[finish("refusal")]);
    assert!(matches!(end, Some(End::Failed(Failure::Final(ModelError::Blocked(_))))));
    let overloaded = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let (_, end) = read_all(&[overloaded]);
    assert!(matches!(end, Some(End::Failed(Failure::Passing { .. }))));
    assert!(matches!(Events::new("m", None).read("<html>"), Err(Failure::Passing { .. })));
}
