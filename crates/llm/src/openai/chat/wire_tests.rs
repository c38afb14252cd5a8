use super::*;
use crate::http::pieces::{PICTURES, UNSEEN};
use crate::openai::FIELD;
use crate::registry::facts;

const DEEPSEEK: &str = "https://api.deepseek.com";
const KIMI: &str = "https://api.moonshot.ai/v1";
const MISTRAL: &str = "https://api.mistral.ai/v1";
const ROUTER: &str = "https://openrouter.ai/api/v1";
const LOCAL: &str = "http://127.0.0.1:45678";

fn target(url: &str, model: &str) -> Target {
    Target::new(url, model, facts(model))
}

fn sent(target: &Target, contents: Vec<Content>) -> Vec<Value> {
    let request =
        Request { system_instruction: "Be brief.".into(), contents, ..Request::default() };
    body(target, &request)["messages"].as_array().unwrap()[1..].to_vec()
}

/// A thought of `target` with additional fields.
fn thought(target: &Target, text: &str, more: Value) -> Part {
    Part::from_value(json!({ "text": text, "thought": true, FIELD: target.mark(more) }))
}

/// A call of `target`.
fn call(target: &Target, id: &str, name: &str) -> Part {
    let mut raw = Part::call(Some(id), name, json!({})).raw().clone();
    raw.insert(FIELD.into(), target.mark(json!({})));
    Part::from_value(Value::Object(raw))
}

fn response(id: &str, name: &str) -> Part {
    Part::response(Some(id), name, json!({ "success": true }), Vec::new())
}

#[test]
fn results_answer_their_calls_and_pictures_follow_in_a_user_message() {
    let seeing = target(LOCAL, "gpt-4o");
    let history = vec![
        Content::user("build"),
        Content::model(vec![
            Part::thought("hm"),
            Part::text("I "),
            Part::text("begin."),
            call(&seeing, "a", "look"),
            Part::call(None, "make", json!({ "x": 0.1 })),
        ]),
        Content::function(vec![
            Part::response(
                Some("a"),
                "look",
                json!({ "success": true }),
                vec![Part::inline_data("image/png", "AAAA")],
            ),
            Part::response(None, "make", json!({ "success": false }), Vec::new()),
        ]),
        Content::user("go on"),
    ];
    assert_eq!(
        sent(&seeing, history.clone()),
        [
            json!({ "role": "user", "content": "build" }),
            json!({ "role": "assistant", "content": "I begin.", "tool_calls": [
                { "id": "a", "type": "function", "function": { "name": "look", "arguments": "{}" } },
                { "id": "call_2", "type": "function",
                  "function": { "name": "make", "arguments": "{\"x\":0.1}" } } ] }),
            json!({ "role": "tool", "tool_call_id": "a", "content": "{\"success\":true}" }),
            json!({ "role": "tool", "tool_call_id": "call_2", "content": "{\"success\":false}" }),
            json!({ "role": "user", "content": [
                { "type": "text", "text": PICTURES },
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,AAAA" } },
                { "type": "text", "text": "go on" } ] }),
        ]
    );
    // A model without vision gets a note instead.
    let blind = sent(&target(LOCAL, "gpt-3.5-turbo"), history);
    assert_eq!(blind[4], json!({ "role": "user", "content": format!("{UNSEEN}\n\ngo on") }));
}

#[test]
fn what_a_user_says_at_once_is_one_message_and_an_empty_answer_keeps_its_place() {
    let history = vec![
        Content::user("a"),
        Content { role: Role::User, parts: vec![Part::context("now", &json!({}))] },
        Content::model(vec![Part::thought("only this")]),
        Content::user(""),
        Content::model(vec![Part::text("d")]),
        Content::user("e"),
    ];
    assert_eq!(
        sent(&target(LOCAL, "llama3.3"), history),
        [
            json!({ "role": "user", "content": "a\n\nnow" }),
            json!({ "role": "assistant", "content": NO_ANSWER }),
            json!({ "role": "user", "content": CONTINUE }),
            json!({ "role": "assistant", "content": "d" }),
            json!({ "role": "user", "content": "e" }),
        ]
    );
}

/// An answer with a call, and the next user message.
fn conversation(parts: Vec<Part>) -> Vec<Content> {
    vec![
        Content::user("x"),
        Content::model(parts),
        Content::function(vec![response("a", "f")]),
        Content::user("next"),
    ]
}

#[test]
fn deepseek_and_kimi_get_reasoning_back_on_every_answer_also_before_the_last_user_message() {
    for (url, model, none) in
        [(DEEPSEEK, "deepseek-v4", ""), (KIMI, "kimi-k2.6", " "), (LOCAL, "deepseek-v4", "")]
    {
        let asked = target(url, model);
        let field = || json!({ "field": "reasoning_content" });
        let parts = vec![
            thought(&asked, "Hm", field()),
            thought(&asked, ".", field()),
            call(&asked, "a", "f"),
        ];
        assert_eq!(sent(&asked, conversation(parts))[1]["reasoning_content"], "Hm.", "{model}");
        // Another model's thoughts are not sent, but the required field is.
        let foreign = vec![thought(&target(LOCAL, "x"), "Hm", field()), call(&asked, "a", "f")];
        assert_eq!(sent(&asked, conversation(foreign))[1]["reasoning_content"], none, "{model}");
    }
}

#[test]
fn other_providers_get_reasoning_in_the_field_it_came_in() {
    let groq = target("https://api.groq.com/openai/v1", "qwen3");
    let parts = vec![thought(&groq, "Hm", json!({ "field": "reasoning" })), call(&groq, "a", "f")];
    let answer = &sent(&groq, conversation(parts))[1];
    assert_eq!((&answer["reasoning"], answer.get("reasoning_content")), (&json!("Hm"), None));
    let local = target(LOCAL, "qwen3");
    let parts = vec![thought(&local, "Hm", json!({ "field": "content" })), Part::text("Yes.")];
    assert_eq!(sent(&local, conversation(parts))[1]["content"], "<think>Hm</think>\n\nYes.");
    let xai = target("https://api.x.ai/v1", "grok-4.6");
    let parts =
        vec![thought(&xai, "Hm", json!({ "field": "reasoning_content" })), call(&xai, "a", "f")];
    assert_eq!(sent(&xai, conversation(parts))[1].get("reasoning_content"), None);
}

#[test]
fn details_go_back_put_together_from_their_pieces() {
    let router = target(ROUTER, "anthropic/claude-sonnet-5.5");
    let piece = |detail: Value| thought(&router, "", json!({ "reasoning_details": [detail] }));
    let parts = vec![
        piece(json!({ "type": "reasoning.text", "text": "Let", "format": "f", "index": 0 })),
        piece(json!({ "type": "reasoning.text", "text": " me.", "format": "f", "index": 0 })),
        piece(json!({ "type": "reasoning.text", "signature": "s", "format": "f", "index": 0 })),
        piece(json!({ "type": "reasoning.encrypted", "data": "d", "id": "t", "index": 1 })),
        call(&router, "a", "f"),
    ];
    let answer = &sent(&router, conversation(parts))[1];
    assert_eq!(
        answer["reasoning_details"],
        json!([
            { "type": "reasoning.text", "text": "Let me.", "format": "f", "index": 0, "signature": "s" },
            { "type": "reasoning.encrypted", "data": "d", "id": "t", "index": 1 } ])
    );
}

#[test]
fn mistral_gets_thoughts_as_chunks_its_own_ids_and_no_user_after_a_tool() {
    let mistral = target(MISTRAL, "mistral-medium-3-5");
    let parts = vec![
        thought(&mistral, "Hm", json!({ "field": "thinking", "signature": "s" })),
        Part::text("I look."),
        call(&mistral, "D681PevKs", "f"),
        Part::call(Some("toolu_01"), "f", json!({})),
    ];
    let history = vec![
        Content::user("x"),
        Content::model(parts),
        Content::function(vec![
            response("D681PevKs", "f"),
            Part::response(
                Some("toolu_01"),
                "f",
                json!({}),
                vec![Part::inline_data("image/png", "AAAA")],
            ),
        ]),
        Content::user("next"),
    ];
    assert_eq!(
        sent(&mistral, history)[1..],
        [
            json!({ "role": "assistant", "content": [
                { "type": "thinking", "thinking": [{ "type": "text", "text": "Hm" }], "signature": "s" },
                { "type": "text", "text": "I look." } ],
              "tool_calls": [
                { "id": "D681PevKs", "type": "function",
                  "function": { "name": "f", "arguments": "{}" } },
                { "id": "c00000002", "type": "function",
                  "function": { "name": "f", "arguments": "{}" } } ] }),
            json!({ "role": "tool", "tool_call_id": "D681PevKs", "content": "{\"success\":true}" }),
            json!({ "role": "tool", "tool_call_id": "c00000002",
                "content": format!("{{}}\n\n{PICTURES}") }),
            json!({ "role": "assistant", "content": PICTURES_FOLLOW }),
            json!({ "role": "user", "content": [
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,AAAA" } },
                { "type": "text", "text": "next" } ] }),
        ]
    );
    // Only texts: they stay one string.
    let plain = conversation(vec![call(&mistral, "D681PevKs", "f")]);
    assert_eq!(sent(&mistral, plain)[2]["content"], "{\"success\":true}\n\nnext");
}

#[test]
fn ids_and_signatures_go_back_only_to_who_gave_them() {
    let kimi = target(KIMI, "kimi-k2.6");
    let history = conversation(vec![call(&kimi, "create_shape:0", "create_shape")]);
    assert_eq!(sent(&kimi, history.clone())[1]["tool_calls"][0]["id"], "create_shape:0");
    assert_eq!(sent(&kimi, history.clone())[2]["tool_call_id"], "create_shape:0");
    assert_eq!(sent(&target(LOCAL, "gpt-4o"), history)[1]["tool_calls"][0]["id"], "call_1");
    let local = target(LOCAL, "any");
    let mut raw = call(&local, "abc", "f").raw().clone();
    raw.insert(FIELD.into(), local.mark(json!({ "call": { "extra_content": { "s": 1 } } })));
    let signed = conversation(vec![Part::from_value(Value::Object(raw))]);
    let wire = sent(&local, signed.clone())[1]["tool_calls"][0].clone();
    assert_eq!((&wire["id"], &wire["extra_content"]["s"]), (&json!("abc"), &json!(1)));
    // The same model at another address counts as another model.
    let elsewhere = sent(&target("http://127.0.0.1:9", "any"), signed)[1]["tool_calls"][0].clone();
    assert_eq!((&elsewhere["id"], elsewhere.get("extra_content")), (&json!("call_1"), None));
}

#[test]
fn caches_that_want_marks_get_them_on_the_instruction_and_the_newest_message() {
    let router = target(ROUTER, "qwen/qwen3.7-max");
    let request = Request {
        system_instruction: "Be brief.".into(),
        contents: conversation(vec![call(&router, "a", "f")]),
        ..Request::default()
    };
    let mark = json!({ "type": "ephemeral" });
    let messages = body(&router, &request)["messages"].clone();
    assert_eq!(
        messages[0]["content"],
        json!([{ "type": "text", "text": "Be brief.", "cache_control": mark }])
    );
    assert_eq!(messages[3]["content"], json!([{ "type": "text", "text": "{\"success\":true}" }]));
    assert_eq!(
        messages[4]["content"],
        json!([{ "type": "text", "text": "next", "cache_control": mark }])
    );
    let plain = body(&target(ROUTER, "openai/gpt-5.5"), &request);
    assert!(!plain.to_string().contains("cache_control"));
}

#[test]
fn arguments_that_are_no_object_go_back_as_an_empty_one() {
    let local = target(LOCAL, "any");
    let history = conversation(vec![Part::call(None, "f", json!("x"))]);
    assert_eq!(sent(&local, history)[1]["tool_calls"][0]["function"]["arguments"], "{}");
}
