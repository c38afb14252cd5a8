//! Recorded streams of OpenAI and of services that resemble it.

#![expect(clippy::needless_pass_by_value, reason = "shorter where events are made in place")]

use serde_json::json;

use super::*;

/// All chunks of an answer, and how it ended.
fn read_all(events: &[Value]) -> (Vec<Chunk>, Option<End>) {
    let mut reader = Events::new("gpt-5.5");
    let (mut chunks, mut end) = (Vec::new(), None);
    for event in events {
        let text = event.as_str().map_or_else(|| event.to_string(), str::to_owned);
        let event = reader.read(&text).unwrap();
        chunks.extend(event.chunks);
        end = event.end.or(end);
    }
    (chunks, end)
}

fn delta(delta: Value) -> Value {
    json!({ "id": "c", "object": "chat.completion.chunk", "choices": [
        { "index": 0, "delta": delta, "finish_reason": null }], "usage": null })
}

fn finish(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

#[test]
fn parallel_calls_are_put_together_from_their_pieces() {
    let (chunks, end) = read_all(&[
        delta(json!({ "role": "assistant", "content": null })),
        delta(json!({ "content": "Hel" })),
        delta(json!({ "content": "lo" })),
        delta(json!({ "tool_calls": [{ "index": 0, "id": "call_a", "type": "function",
            "function": { "name": "create_shape", "arguments": "" } }] })),
        delta(
            json!({ "tool_calls": [{ "index": 0, "function": { "arguments": "{\"id\":\"h" } }] }),
        ),
        delta(json!({ "tool_calls": [{ "index": 1, "id": "call_b", "type": "function",
            "function": { "name": "get_scene_state", "arguments": "" } }] })),
        delta(json!({ "tool_calls": [{ "index": 0, "function": { "arguments": "ä\"}" } }] })),
        finish("tool_calls"),
        json!({ "choices": [], "usage": { "prompt_tokens": 20, "completion_tokens": 9 } }),
        json!("[DONE]"),
    ]);
    assert_eq!(
        chunks,
        [
            Chunk::Part(Part::text("Hel")),
            Chunk::Part(Part::text("lo")),
            Chunk::Part(Part::call(Some("call_a"), "create_shape", json!({ "id": "hä" }))),
            Chunk::Part(Part::call(Some("call_b"), "get_scene_state", json!({}))),
            Chunk::Usage(Usage { input_tokens: 20, output_tokens: 9, ..Usage::default() }),
        ]
    );
    assert!(matches!(end, Some(End::Closed)));
}

#[test]
fn services_that_give_every_call_the_index_0_or_none_are_understood() {
    let call = |index: Value, id: &str| {
        delta(json!({ "tool_calls": [{ "index": index, "id": id, "function": {
            "name": "f", "arguments": { "of": id } } }] }))
    };
    for index in [json!(0), Value::Null] {
        let (chunks, _) = read_all(&[call(index.clone(), "a"), call(index, "b"), finish("stop")]);
        let part = |id| Chunk::Part(Part::call(Some(id), "f", json!({ "of": id })));
        assert_eq!(chunks, [part("a"), part("b")]);
    }
}

#[test]
fn a_call_that_is_no_json_is_told_to_the_model() {
    for (reason, why) in [("tool_calls", "EOF"), ("length", "length limit")] {
        let (_, end) = read_all(&[
            delta(json!({ "tool_calls": [{ "index": 0, "id": "a", "function": {
                "name": "f", "arguments": "{\"a\": [1, 2" } }] })),
            finish(reason),
        ]);
        let Some(End::Failed(Failure::Final(ModelError::MalformedCall(text)))) = end else {
            panic!("{end:?}")
        };
        assert!(text.contains("\"f\"") && text.contains(why), "{text}");
    }
}

#[test]
fn a_length_limit_a_filter_and_an_error_within_the_stream_are_told_apart() {
    let (chunks, end) = read_all(&[delta(json!({ "content": "Once" })), finish("length")]);
    assert_eq!(chunks.last(), Some(&Chunk::LengthLimit));
    assert!(matches!(end, Some(End::Whole)));
    let (_, end) = read_all(&[finish("content_filter")]);
    assert!(matches!(end, Some(End::Failed(Failure::Final(ModelError::Blocked(_))))));
    let (_, end) = read_all(&[json!({ "error": { "code": 502, "message": "upstream" } })]);
    assert!(matches!(end, Some(End::Failed(Failure::Passing { reason, .. }))
        if reason.contains("upstream")));
}

#[test]
fn reasoning_is_a_thought_and_keeps_what_has_to_go_back() {
    let (chunks, _) = read_all(&[
        delta(json!({ "reasoning_content": "Hm." })),
        delta(
            json!({ "reasoning": "Ah.", "reasoning_details": [{ "type": "reasoning.text", "signature": "s" }] }),
        ),
        finish("stop"),
    ]);
    let Chunk::Part(first) = &chunks[0] else { panic!() };
    let Chunk::Part(second) = &chunks[1] else { panic!() };
    assert!(first.is_thought() && first.as_text() == Some("Hm."));
    assert_eq!(second.raw()[FIELD]["reasoning_details"][0]["signature"], "s");
}
