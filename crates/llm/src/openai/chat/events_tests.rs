//! Streams of OpenAI and of compatible providers.
//!
//! | quirk | seen with |
//! |---|---|
//! | `choices`, `delta`, `usage` null or missing | Azure, vLLM, gateways |
//! | counts in floats, under `x_groq` or in the choice, thoughts left out | gateways, Groq, Kimi, xAI |
//! | empty data, `ping` | gateways |
//! | the name again with each piece, or in pieces | Qwen, GLM, gateways |
//! | arguments again whole at the end, after `{}`, as object, `null`, JSON in a string | Kimi, LM Studio, Ollama |
//! | no index, or 0 for all calls | Gemini's form of it, Mistral |
//! | `<think>` and `<tool_call>` in the text | servers without a parser for their model |
//! | `reasoning_details` that repeat the text before | MiniMax |
//! | a message in place of its pieces | gateways |
//! | other finish reasons | Zhipu, DeepSeek, Mistral |

#![expect(clippy::needless_pass_by_value, reason = "shorter where events are made in place")]

use serde_json::json;

use super::*;
use crate::registry::facts;

fn tool() -> ToolDeclaration {
    ToolDeclaration {
        name: "f".into(),
        description: "d".into(),
        parameters: json!({ "type": "object" }).into(),
    }
}

fn target() -> Target {
    Target::new("http://127.0.0.1:45678", "any", facts("any"))
}

fn read_all(events: &[Value]) -> (Vec<Chunk>, Option<End>) {
    read_as(&target(), events)
}

/// All chunks of an answer, and its end.
fn read_as(target: &Target, events: &[Value]) -> (Vec<Chunk>, Option<End>) {
    let mut reader = Events::new(target, &[tool()]);
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

/// A call as it is stored.
fn call(id: Option<&str>, name: &str, args: Value) -> Chunk {
    let mut raw = Part::call(id, name, args).raw().clone();
    raw.insert(FIELD.into(), target().mark(json!({})));
    Chunk::Part(Part::from_value(Value::Object(raw)))
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
            call(Some("call_a"), "create_shape", json!({ "id": "hä" })),
            call(Some("call_b"), "get_scene_state", json!({})),
            Chunk::Usage(Usage { input_tokens: 20, output_tokens: 9, ..Usage::default() }),
        ]
    );
    assert!(matches!(end, Some(End::Closed)));
}

#[test]
fn providers_that_give_every_call_the_index_0_or_none_are_understood() {
    let piece = |index: Value, id: &str| {
        delta(json!({ "tool_calls": [{ "index": index, "id": id, "function": {
            "name": "f", "arguments": { "of": id } } }] }))
    };
    for index in [json!(0), Value::Null] {
        let (chunks, _) = read_all(&[piece(index.clone(), "a"), piece(index, "b"), finish("stop")]);
        let part = |id| call(Some(id), "f", json!({ "of": id }));
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

fn calls_of(deltas: &[Value]) -> Vec<Chunk> {
    let events: Vec<Value> = deltas
        .iter()
        .map(|pieces| delta(json!({ "tool_calls": pieces })))
        .chain([finish("tool_calls")])
        .collect();
    read_all(&events).0
}

#[test]
fn a_call_is_understood_however_its_name_and_arguments_are_cut() {
    let piece = |index: Value, id: Value, name: Value, arguments: Value| json!({ "index": index, "id": id, "function": { "name": name, "arguments": arguments } });
    let null = || Value::Null;
    let one = [call(Some("a"), "make", json!({ "x": 1 }))];
    let cases: [(&str, Vec<Value>); 8] = [
        (
            "the name comes with each piece",
            vec![
                json!([piece(json!(0), json!("a"), json!("make"), json!("{\"x\""))]),
                json!([piece(json!(0), json!("a"), json!("make"), json!(":1}"))]),
            ],
        ),
        (
            "the name comes in pieces",
            vec![
                json!([piece(json!(0), json!("a"), json!("ma"), json!(""))]),
                json!([piece(json!(0), null(), json!("ke"), json!("{\"x\":1}"))]),
            ],
        ),
        (
            "the name grows",
            vec![
                json!([piece(json!(0), json!("a"), json!("ma"), json!(""))]),
                json!([piece(json!(0), null(), json!("make"), json!("{\"x\":1}"))]),
            ],
        ),
        (
            "the arguments come whole again",
            vec![
                json!([piece(json!(0), json!("a"), json!("make"), json!("{\"x\":"))]),
                json!([piece(json!(0), null(), null(), json!("1}"))]),
                json!([piece(json!(0), json!("a"), json!("make"), json!("{\"x\":1}"))]),
            ],
        ),
        (
            "an empty object comes first",
            vec![
                json!([piece(json!(0), json!("a"), json!("make"), json!("{}"))]),
                json!([piece(json!(0), null(), null(), json!("{\"x\":1}"))]),
            ],
        ),
        (
            "the arguments are JSON in a string",
            vec![json!([piece(json!(0), json!("a"), json!("make"), json!("\"{\\\"x\\\":1}\""))])],
        ),
        (
            "the arguments are an object",
            vec![json!([piece(json!(0), json!("a"), json!("make"), json!({ "x": 1 }))])],
        ),
        (
            "there is no index",
            vec![
                json!([piece(null(), json!("a"), json!("make"), json!("{\"x\":"))]),
                json!([piece(null(), null(), null(), json!("1}"))]),
            ],
        ),
    ];
    for (what, deltas) in cases {
        assert_eq!(calls_of(&deltas), one, "{what}");
    }
    for empty in [json!(""), json!("null"), null(), json!("{}"), json!("\"\"")] {
        let deltas = [json!([piece(json!(0), json!("a"), json!("make"), empty.clone())])];
        assert_eq!(calls_of(&deltas), [call(Some("a"), "make", json!({}))], "{empty}");
    }
}

#[test]
fn parallel_calls_without_index_and_id_are_told_apart() {
    let piece = |name: &str, arguments: &str| json!([{ "function": { "name": name, "arguments": arguments } }]);
    let part = |name: &str, x: i64| call(None, name, json!({ "x": x }));
    let calls =
        calls_of(&[piece("f", "{\"x\":1}"), piece("g", "{\"x\":2}"), piece("g", "{\"x\":3}")]);
    assert_eq!(calls, [part("f", 1), part("g", 2), part("g", 3)]);
    // Text and a call in one event.
    let both = json!([
        { "function": { "name": "f", "arguments": "{\"x\":1}" } },
        { "function": { "name": "f", "arguments": "{\"x\":2}" } } ]);
    assert_eq!(calls_of(&[both]), [part("f", 1), part("f", 2)]);
}

#[test]
fn fields_that_are_null_and_lines_that_say_nothing_are_passed_over() {
    let (chunks, end) = read_all(&[
        json!(""),
        json!("ping"),
        json!({ "choices": null, "usage": null }),
        json!({ "choices": [] }),
        json!({ "choices": [{ "delta": null, "finish_reason": null }] }),
        json!({ "choices": [{ "delta": { "content": null, "tool_calls": null,
            "reasoning_content": null, "reasoning_details": null, "refusal": null } }] }),
        delta(json!({ "content": "Hi", "tool_calls": [{}] , "role": null })),
        json!({ "choices": [{ "index": 0, "message": { "content": "!" }, "finish_reason": "" }] }),
        json!({ "usage": { "prompt_tokens": 20.0, "completion_tokens": 2.5 } }),
        json!("[DONE]"),
    ]);
    let texts: String = chunks
        .iter()
        .filter_map(|chunk| match chunk {
            Chunk::Part(part) => part.as_text(),
            _ => None,
        })
        .collect();
    assert_eq!(texts, "Hi!");
    let counted = Usage { input_tokens: 20, output_tokens: 2, ..Usage::default() };
    assert!(chunks.contains(&Chunk::Usage(counted)));
    assert!(matches!(end, Some(End::Closed)));
}

#[test]
fn tokens_are_counted_wherever_a_provider_says_them() {
    let check = |event: Value, input, output, cached, written| {
        let expected = Usage {
            input_tokens: input,
            output_tokens: output,
            cached_tokens: cached,
            cache_write_tokens: written,
        };
        assert_eq!(read_all(std::slice::from_ref(&event)).0, [Chunk::Usage(expected)], "{event}");
    };
    check(
        json!({ "choices": [], "usage": { "prompt_tokens": 9, "completion_tokens": 2,
        "prompt_tokens_details": { "cached_tokens": 4, "cache_write_tokens": 3 } } }),
        9,
        2,
        4,
        3,
    );
    check(
        json!({ "usage": { "prompt_tokens": 9, "completion_tokens": 2,
        "prompt_cache_hit_tokens": 5 } }),
        9,
        2,
        5,
        0,
    );
    check(
        json!({ "choices": [{ "usage": { "prompt_tokens": 9, "completion_tokens": 2,
        "cached_tokens": 8 } }] }),
        9,
        2,
        8,
        0,
    );
    check(
        json!({ "x_groq": { "usage": { "prompt_tokens": 9, "completion_tokens": 2 } } }),
        9,
        2,
        0,
        0,
    );
    check(
        json!({ "usage": { "prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 111,
        "completion_tokens_details": { "reasoning_tokens": 100 } } }),
        9,
        102,
        0,
        0,
    );
}

#[test]
fn thoughts_between_tags_are_thoughts_and_a_written_call_is_told_to_the_model() {
    let (chunks, _) = read_all(&[
        delta(json!({ "content": "<thi" })),
        delta(json!({ "content": "nk>Hm.</think>\n\nYes" })),
        finish("stop"),
    ]);
    let Chunk::Part(thought) = &chunks[0] else { panic!() };
    assert!(thought.is_thought() && thought.as_text() == Some("Hm."), "{thought:?}");
    assert_eq!(thought.raw()[FIELD]["field"], "content");
    assert_eq!(chunks[1..], [Chunk::Part(Part::text("Yes"))]);
    let (chunks, end) = read_all(&[
        delta(json!({ "content": "I look.\n<tool_call>\n{\"name\": \"look\"}" })),
        finish("stop"),
    ]);
    assert_eq!(chunks, [Chunk::Part(Part::text("I look.\n"))]);
    assert!(matches!(end, Some(End::Failed(Failure::Final(ModelError::MalformedCall(text))))
        if text.contains("{\"name\": \"look\"}")));
}

#[test]
fn every_finish_reason_has_a_meaning() {
    let end = |reason: &str| read_all(&[delta(json!({ "content": "x" })), finish(reason)]);
    for reason in ["stop", "tool_calls", "function_call", "eos", "unheard-of"] {
        assert!(matches!(end(reason).1, Some(End::Whole)), "{reason}");
    }
    for reason in ["length", "model_length"] {
        assert_eq!(end(reason).0.last(), Some(&Chunk::LengthLimit), "{reason}");
    }
    for reason in ["content_filter", "sensitive"] {
        let end = end(reason).1;
        assert!(matches!(end, Some(End::Failed(Failure::Final(ModelError::Blocked(_))))));
    }
    for reason in ["error", "network_error", "insufficient_system_resource"] {
        let end = end(reason).1;
        assert!(matches!(end, Some(End::Failed(Failure::Passing { .. }))), "{reason}");
    }
}

#[test]
fn thoughts_in_chunks_and_details_keep_what_has_to_go_back() {
    let (chunks, _) = read_all(&[delta(json!({ "content": [
        { "type": "thinking", "thinking": [{ "type": "text", "text": "Hm" }], "signature": "s" },
        { "type": "text", "text": "Yes" } ] }))]);
    let Chunk::Part(thought) = &chunks[0] else { panic!() };
    assert_eq!(thought.raw()[FIELD]["signature"], "s");
    assert_eq!(chunks[1], Chunk::Part(Part::text("Yes")));
    // MiniMax repeats earlier text in each chunk.
    let minimax = Target::new("https://api.minimax.io/v1", "MiniMax-M3", facts("any"));
    let piece = |text: &str| {
        delta(json!({ "reasoning_details": [
        { "type": "reasoning.text", "text": text, "index": 0 }] }))
    };
    let (chunks, _) =
        read_as(&minimax, &[piece("The"), piece("The user"), piece("The user wants")]);
    let texts: Vec<&str> = chunks
        .iter()
        .filter_map(|chunk| match chunk {
            Chunk::Part(part) => part.as_text(),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["The", " user", " wants"]);
}

#[test]
fn what_is_kept_back_is_counted() {
    let mut reader = Events::new(&target(), &[tool()]);
    for index in 0..600 {
        let piece = json!([{ "index": index, "id": format!("c{index}"),
            "function": { "name": "f", "arguments": "{\"x\":" } }]);
        reader.read(&delta(json!({ "tool_calls": piece })).to_string()).unwrap();
    }
    assert_eq!(reader.held().calls, 600);
    assert!(reader.held().bytes >= 600 * 5);
}
