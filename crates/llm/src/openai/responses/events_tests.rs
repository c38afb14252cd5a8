//! Streams in the form of OpenAI's `ResponseStreamEvent`.

#![expect(clippy::needless_pass_by_value, reason = "shorter where events are made in place")]

use super::*;
use crate::registry::facts;

fn target() -> Target {
    Target::new("https://api.openai.com/v1", "gpt-5.5", facts("gpt-5.5"))
}

fn read_all(events: &[Value]) -> (Vec<Chunk>, Option<End>) {
    let mut reader = Events::new(&target());
    let (mut chunks, mut end) = (Vec::new(), None);
    for event in events {
        let event = reader.read(&event.to_string()).unwrap();
        chunks.extend(event.chunks);
        end = event.end.or(end);
    }
    (chunks, end)
}

fn event(kind: &str, more: Value) -> Value {
    let mut event = json!({ "type": kind, "sequence_number": 1 });
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

fn done(index: u64, item: Value) -> Value {
    event("response.output_item.done", json!({ "output_index": index, "item": item }))
}

fn completed() -> Value {
    event(
        "response.completed",
        json!({ "response": { "status": "completed", "usage": {
        "input_tokens": 20, "input_tokens_details": { "cached_tokens": 16, "cache_write_tokens": 3 },
        "output_tokens": 9, "output_tokens_details": { "reasoning_tokens": 5 },
        "total_tokens": 29 } } }),
    )
}

#[test]
fn an_answer_with_reasoning_text_and_a_call_comes_out_with_what_has_to_go_back() {
    let summary = |index: u64, delta: &str| {
        event(
            "response.reasoning_summary_text.delta",
            json!({ "output_index": 0, "summary_index": index, "delta": delta }),
        )
    };
    let reasoning = json!({ "type": "reasoning", "id": "rs_1", "encrypted_content": "gAAA",
        "status": null, "summary": [{ "type": "summary_text", "text": "Hm" }] });
    let (chunks, end) = read_all(&[
        event("response.created", json!({ "response": { "id": "r", "error": null } })),
        event(
            "response.output_item.added",
            json!({ "output_index": 0,
            "item": { "type": "reasoning", "id": "rs_1", "encrypted_content": "g", "summary": [] } }),
        ),
        summary(0, "Hm"),
        summary(0, "."),
        summary(1, "So"),
        done(0, reasoning),
        event("response.output_text.delta", json!({ "output_index": 1, "delta": "Hel" })),
        event("response.output_text.delta", json!({ "output_index": 1, "delta": "lo" })),
        event("response.output_text.done", json!({ "output_index": 1, "text": "Hello" })),
        done(
            1,
            json!({ "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "phase": "commentary", "content": [{ "type": "output_text", "text": "Hello" }] }),
        ),
        event(
            "response.function_call_arguments.delta",
            json!({ "output_index": 2, "delta": "{\"x\"" }),
        ),
        event(
            "response.function_call_arguments.done",
            json!({ "output_index": 2, "arguments": "{\"x\":1}" }),
        ),
        done(
            2,
            json!({ "type": "function_call", "id": "fc_1", "call_id": "call_a",
            "name": "make", "arguments": "{\"x\":1}", "status": "completed" }),
        ),
        completed(),
    ]);
    let mark = |more: Value| target().mark(more);
    let kept = |more: Value| {
        Chunk::Part(Part::from_value(json!({ "text": "", "thought": true, FIELD: mark(more) })))
    };
    let mut call = Part::call(Some("call_a"), "make", json!({ "x": 1 })).raw().clone();
    call.insert(FIELD.into(), mark(json!({ "item_id": "fc_1" })));
    assert_eq!(
        chunks,
        [
            Chunk::Part(Part::thought("Hm")),
            Chunk::Part(Part::thought(".")),
            Chunk::Part(Part::thought("\n\nSo")),
            kept(json!({ "item": { "type": "reasoning", "id": "rs_1", "encrypted_content": "gAAA",
                "summary": [{ "type": "summary_text", "text": "Hm" }] } })),
            Chunk::Part(Part::text("Hel")),
            Chunk::Part(Part::text("lo")),
            kept(
                json!({ "message": { "id": "msg_1", "status": "completed", "phase": "commentary" } })
            ),
            Chunk::Part(Part::from_value(Value::Object(call))),
            Chunk::Usage(Usage {
                input_tokens: 20,
                output_tokens: 9,
                cached_tokens: 16,
                cache_write_tokens: 3
            }),
        ]
    );
    assert!(matches!(end, Some(End::Closed)));
}

#[test]
fn a_refusal_is_text_and_a_message_that_did_not_stream_is_said_at_its_end() {
    let (chunks, _) = read_all(&[
        event("response.refusal.delta", json!({ "output_index": 0, "delta": "No." })),
        done(0, json!({ "type": "message", "content": [{ "type": "refusal", "refusal": "No." }] })),
        done(
            1,
            json!({ "type": "message", "content": [{ "type": "output_text", "text": "Yes." }] }),
        ),
    ]);
    let texts: Vec<&str> = chunks
        .iter()
        .filter_map(|chunk| match chunk {
            Chunk::Part(part) if !part.is_thought() => part.as_text(),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["No.", "Yes."]);
}

#[test]
fn an_answer_that_is_cut_off_or_fails_says_why() {
    let incomplete = |reason: &str| {
        event(
            "response.incomplete",
            json!({ "response": { "incomplete_details": { "reason": reason } } }),
        )
    };
    let (chunks, end) = read_all(&[incomplete("max_output_tokens")]);
    assert_eq!(chunks, [Chunk::LengthLimit]);
    assert!(matches!(end, Some(End::Closed)));
    let (_, end) = read_all(&[incomplete("content_filter")]);
    assert!(matches!(end, Some(End::Failed(Failure::Final(ModelError::Blocked(_))))));
    // A truncated call.
    for cut in [
        vec![
            event(
                "response.function_call_arguments.delta",
                json!({ "output_index": 0, "delta": "{\"x\"" }),
            ),
            incomplete("max_output_tokens"),
        ],
        vec![done(
            0,
            json!({ "type": "function_call", "call_id": "a", "name": "f",
            "arguments": "{\"x\"", "status": "incomplete" }),
        )],
    ] {
        let (_, end) = read_all(&cut);
        assert!(matches!(end, Some(End::Failed(Failure::Final(ModelError::MalformedCall(text))))
            if text.contains("length limit")));
    }
    let failed = |error: Value| {
        read_all(&[event("response.failed", json!({ "response": { "error": error } }))]).1
    };
    let end = failed(json!({ "code": "server_error", "message": "m" }));
    assert!(matches!(end, Some(End::Failed(Failure::Passing { .. }))));
    let end = failed(json!({ "code": "insufficient_quota", "message": "m" }));
    assert!(matches!(end, Some(End::Failed(Failure::Final(ModelError::Unavailable(_))))));
    for error in [
        json!({ "type": "error", "code": "rate_limit_exceeded", "message": "slow down" }),
        json!({ "type": "error", "error": { "code": "rate_limit_exceeded", "message": "slow down" } }),
    ] {
        let (_, end) = read_all(&[error]);
        assert!(matches!(end, Some(End::Failed(Failure::Passing { reason, .. }))
            if reason.contains("slow down")));
    }
}

#[test]
fn reasoning_without_its_content_is_not_kept() {
    let (chunks, _) = read_all(&[done(
        0,
        json!({ "type": "reasoning", "id": "rs", "summary": [],
        "encrypted_content": null }),
    )]);
    assert_eq!(chunks, []);
}
