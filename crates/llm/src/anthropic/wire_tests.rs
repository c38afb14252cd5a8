use super::*;

const MODEL: &str = "claude-sonnet-5-5";

fn sent(model: &str, contents: Vec<Content>) -> Value {
    body(model, &Request { system_instruction: "Be brief.".into(), contents, ..Request::default() })
}

fn kept(model: &str, signature: &str) -> Part {
    let block = json!({ "type": "thinking", "thinking": "hm", "signature": signature });
    let own = json!({ "model": model, "block": block });
    Part::from_value(json!({ "text": "", "thought": true, FIELD: own }))
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

#[test]
fn the_body_has_what_the_api_requires() {
    let mut request = Request {
        system_instruction: "Be brief.".into(),
        contents: vec![Content::user("hi")],
        tools: vec![ToolDeclaration {
            name: "f".into(),
            description: "d".into(),
            parameters: json!({ "type": "object" }),
        }],
        ..Request::default()
    };
    assert_eq!(
        body(MODEL, &request),
        json!({
            "model": MODEL, "max_tokens": 32_000, "stream": true, "system": "Be brief.",
            "messages": [{ "role": "user", "content": [{ "type": "text", "text": "hi" }] }],
            "tools": [{ "name": "f", "description": "d", "input_schema": { "type": "object" } }],
            "thinking": { "type": "adaptive", "display": "summarized" },
        })
    );
    request.tools.clear();
    let older = body("claude-3-5-haiku-latest", &request);
    assert_eq!((&older["max_tokens"], older.get("thinking")), (&json!(8192), None));
}

#[test]
fn results_come_first_with_their_pictures_and_signed_thoughts_go_back() {
    let history = vec![
        Content::user("build"),
        Content::model(vec![
            Part::thought("hm"),
            kept(MODEL, "c2ln"),
            Part::text("I "),
            Part::call(Some("toolu_1"), "look", json!({})),
            Part::call(None, "make", json!({ "x": 1 })),
            Part::text("begin."),
        ]),
        Content::function(vec![
            Part::response(
                Some("toolu_1"),
                "look",
                json!({ "success": true }),
                vec![Part::inline_data("image/png", "AAAA")],
            ),
            Part::response(None, "make", json!({ "success": false, "error": "no" }), Vec::new()),
            Part::inline_data("image/jpeg", "BBBB"),
        ]),
        Content::user("go on"),
    ];
    let picture = |kind: &str, data: &str| json!({ "type": "image", "source": { "type": "base64", "media_type": kind, "data": data } });
    let messages = sent(MODEL, history.clone())["messages"].clone();
    assert_eq!(
        messages,
        json!([
            { "role": "user", "content": [text("build")] },
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "hm", "signature": "c2ln" },
                text("I begin."),
                { "type": "tool_use", "id": "toolu_1", "name": "look", "input": {} },
                { "type": "tool_use", "id": "call_2", "name": "make", "input": { "x": 1 } } ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "toolu_1",
                  "content": [text("{\"success\":true}"), picture("image/png", "AAAA")] },
                { "type": "tool_result", "tool_use_id": "call_2", "is_error": true,
                  "content": [text("{\"success\":false,\"error\":\"no\"}")] },
                picture("image/jpeg", "BBBB"),
                text("go on") ] },
        ])
    );
    // Signatures belong to the model that gave them.
    let other = sent("claude-opus-5-5", history)["messages"].clone();
    assert_eq!(other[1]["content"][0], text("I begin."));
}

#[test]
fn neighbours_are_joined_and_empty_blocks_left_out() {
    let history = vec![
        Content::user("a"),
        Content::model(vec![Part::thought("only this")]),
        Content::user("  "),
        Content::user("b"),
        Content::model(vec![Part::text("c")]),
        Content::model(vec![Part::text("\n")]),
        Content::model(vec![Part::text("d")]),
        Content::user("e"),
    ];
    assert_eq!(
        sent(MODEL, history)["messages"],
        json!([
            { "role": "user", "content": [text("a"), text("b")] },
            { "role": "assistant", "content": [text("c"), text("d")] },
            { "role": "user", "content": [text("e")] },
        ])
    );
}

#[test]
fn a_message_that_holds_nothing_for_this_api_keeps_its_turn() {
    let history =
        vec![Content::user(" "), Content::model(vec![Part::text("a")]), Content::user("\n")];
    assert_eq!(
        sent(MODEL, history)["messages"],
        json!([
            { "role": "user", "content": [text(CONTINUE)] },
            { "role": "assistant", "content": [text("a")] },
            { "role": "user", "content": [text(CONTINUE)] },
        ])
    );
}

#[test]
fn thinking_on_a_budget_does_not_begin_in_the_middle_of_a_turn() {
    let model = "claude-haiku-4-5";
    let with = |thought: Option<Part>| {
        let call = Part::call(Some("t"), "f", json!({}));
        vec![
            Content::user("x"),
            Content::model(thought.into_iter().chain([call]).collect()),
            Content::function(vec![Part::response(Some("t"), "f", json!({}), Vec::new())]),
        ]
    };
    let budget = json!({ "type": "enabled", "budget_tokens": THINKING_BUDGET });
    assert_eq!(sent(model, with(Some(kept(model, "s"))))["thinking"], budget);
    let foreign = sent(model, with(None));
    assert_eq!(foreign.get("thinking"), None);
    let mut next = with(None);
    next.extend([Content::model(vec![Part::text("done")]), Content::user("more")]);
    assert_eq!(sent(model, next)["thinking"], budget);
}
