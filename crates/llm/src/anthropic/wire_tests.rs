use super::*;
use crate::effort::Effort;
use crate::model::RequestSettings;
use crate::registry::facts;

const MODEL: &str = "claude-sonnet-5-5";

fn body(model: &str, request: &Request) -> Value {
    super::body(model, &facts(model), request)
}

/// The body without `cache_control`.
fn sent(model: &str, contents: Vec<Content>) -> Value {
    let request =
        Request { system_instruction: "Be brief.".into(), contents, ..Request::default() };
    let mut body = body(model, &request);
    unmark(&mut body);
    body
}

/// Removes the `cache_control` breakpoints and returns their number.
fn unmark(value: &mut Value) -> usize {
    match value {
        Value::Object(fields) => {
            let marked = fields.shift_remove("cache_control").is_some();
            usize::from(marked) + fields.values_mut().map(unmark).sum::<usize>()
        }
        Value::Array(items) => items.iter_mut().map(unmark).sum(),
        _ => 0,
    }
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
        tools: [ToolDeclaration {
            name: "f".into(),
            description: "d".into(),
            parameters: json!({ "type": "object" }).into(),
        }]
        .into(),
        ..Request::default()
    };
    let mark = json!({ "type": "ephemeral" });
    assert_eq!(
        body(MODEL, &request),
        json!({
            "model": MODEL, "max_tokens": 32_000, "stream": true,
            "system": [{ "type": "text", "text": "Be brief.", "cache_control": mark }],
            "messages": [{ "role": "user", "content": [
                { "type": "text", "text": "hi", "cache_control": mark }] }],
            "tools": [{ "name": "f", "description": "d", "input_schema": { "type": "object" },
                        "cache_control": mark }],
            "thinking": { "type": "adaptive", "display": "summarized" },
        })
    );
    request.tools = Default::default();
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
                text("I "),
                { "type": "tool_use", "id": "toolu_1", "name": "look", "input": {} },
                { "type": "tool_use", "id": "call_2", "name": "make", "input": { "x": 1 } },
                text("begin.") ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "toolu_1",
                  "content": [text("{\"success\":true}"), picture("image/png", "AAAA")] },
                { "type": "tool_result", "tool_use_id": "call_2", "is_error": true,
                  "content": [text("{\"success\":false,\"error\":\"no\"}")] },
                picture("image/jpeg", "BBBB"),
                text("go on") ] },
        ])
    );
    // Signatures are only valid for the model that made them.
    let other = sent("claude-opus-5-5", history)["messages"].clone();
    assert_eq!(other[1]["content"][0], text("I "));
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
    let budget = json!({ "type": "enabled", "budget_tokens": 4_000 });
    assert_eq!(sent(model, with(Some(kept(model, "s"))))["thinking"], budget);
    let foreign = sent(model, with(None));
    assert_eq!(foreign.get("thinking"), None);
    let mut next = with(None);
    next.extend([Content::model(vec![Part::text("done")]), Content::user("more")]);
    assert_eq!(sent(model, next)["thinking"], budget);
}

#[test]
fn thoughts_on_a_budget_stay_whether_or_not_this_turn_thinks() {
    let model = "claude-haiku-4-5";
    let call = |id| Part::call(Some(id), "f", json!({}));
    let result = |id| Content::function(vec![Part::response(Some(id), "f", json!({}), Vec::new())]);
    let mut history = vec![
        Content::user("x"),
        Content::model(vec![kept(model, "s"), call("a")]),
        result("a"),
        Content::user("y"),
        // Another model began this turn.
        Content::model(vec![call("b")]),
        result("b"),
    ];
    let before = sent(model, history.clone());
    assert_eq!(before.get("thinking"), None);
    history.extend([Content::model(vec![Part::text("done")]), Content::user("more")]);
    let after = sent(model, history);
    assert!(after["thinking"].is_object());
    let count = before["messages"].as_array().unwrap().len();
    assert_eq!(
        after["messages"].as_array().unwrap()[..count],
        before["messages"].as_array().unwrap()[..]
    );
}

#[test]
fn blocks_go_back_in_the_order_they_came() {
    let parts = vec![
        kept(MODEL, "one"),
        Part::text("First"),
        Part::text(" this."),
        Part::call(Some("a"), "f", json!({})),
        kept(MODEL, "two"),
        Part::text("Then"),
        Part::from_value(json!({ "text": "that.", FIELD: { "model": MODEL, "begins": true } })),
        Part::call(Some("b"), "f", json!({})),
    ];
    let results = ["a", "b"].map(|id| Part::response(Some(id), "f", json!({}), Vec::new()));
    let history =
        vec![Content::user("x"), Content::model(parts), Content::function(results.to_vec())];
    let thought =
        |signature| json!({ "type": "thinking", "thinking": "hm", "signature": signature });
    let call = |id| json!({ "type": "tool_use", "id": id, "name": "f", "input": {} });
    assert_eq!(
        sent(MODEL, history)["messages"][1]["content"],
        json!([
            thought("one"),
            text("First this."),
            call("a"),
            thought("two"),
            text("Then"),
            text("that."),
            call("b"),
        ])
    );
}

#[test]
fn a_thought_that_was_cut_off_never_goes_back() {
    let history = vec![
        Content::user("x"),
        Content::model(vec![kept(MODEL, ""), Part::text("So")]),
        Content::user("y"),
        Content::model(vec![kept(MODEL, "")]),
        Content::user("z"),
    ];
    let messages = sent(MODEL, history)["messages"].clone();
    assert_eq!(messages[1]["content"], json!([text("So")]));
    assert_eq!(messages[3]["content"], json!([text(NO_TEXT)]));
}

/// `history` with an answer in the form of the provider.
fn answered(mut history: Vec<Content>, signature: &str, text: &str) -> Vec<Content> {
    let request = Request { contents: history.clone(), ..Request::default() };
    let prefix = Prefix::of_body(&body(MODEL, &request));
    let block = json!({ "type": "thinking", "thinking": "hm", "signature": signature });
    let own = json!({ "model": MODEL, "block": block, "prefix": prefix });
    let thought = Part::from_value(json!({ "text": "", "thought": true, FIELD: own }));
    history.push(Content::model(vec![thought, Part::text(text)]));
    history
}

fn signatures(contents: Vec<Content>) -> Vec<String> {
    let body = body(MODEL, &Request { contents, ..Request::default() });
    let blocks = body["messages"].as_array().unwrap().iter().flat_map(|message| {
        message["content"].as_array().unwrap().iter().filter_map(|it| it["signature"].as_str())
    });
    blocks.map(str::to_owned).collect()
}

#[test]
fn thoughts_go_back_where_they_were_and_nowhere_else() {
    let mut history = answered(vec![Content::user("a")], "one", "A");
    history.push(Content::user("b"));
    history = answered(history, "two", "B");
    history.push(Content::user("c"));
    assert_eq!(signatures(history.clone()), ["one", "two"]);
    // An earlier message changed: the thoughts after it are left out.
    let mut changed = history.clone();
    changed[2] = Content::user("b, but another");
    assert_eq!(signatures(changed), ["one"]);
    // A summary replaces the older part: new thoughts are kept, older ones are left out.
    let mut compacted = vec![Content::user("a summary")];
    compacted.extend_from_slice(&history[2..]);
    assert_eq!(signatures(compacted.clone()), [""; 0]);
    let mut later = answered(compacted, "three", "C");
    later.push(Content::user("d"));
    assert_eq!(signatures(later), ["three"]);
}

#[test]
fn the_conversation_is_marked_where_it_ends_and_where_it_ended_before() {
    let mut history = vec![Content::user("x")];
    for number in 0..4 {
        let id = number.to_string();
        let response = Part::response(Some(&id), "f", json!({}), Vec::new());
        history.push(Content::model(vec![Part::call(Some(&id), "f", json!({}))]));
        history.push(Content::function(vec![response]));
    }
    let tool = ToolDeclaration {
        name: "f".into(),
        description: String::new(),
        parameters: json!({ "type": "object" }).into(),
    };
    let request = Request {
        system_instruction: "Be brief.".into(),
        contents: history,
        tools: [tool.clone(), tool].into(),
        ..Request::default()
    };
    let mut body = body(MODEL, &request);
    let marked: Vec<usize> = (0..9).filter(|at| unmark(&mut body["messages"][*at]) > 0).collect();
    assert_eq!(marked, [6, 8]);
    assert_eq!(unmark(&mut body["tools"][0]), 0);
    assert_eq!(unmark(&mut body), 2);
}

#[test]
fn effort_is_told_as_each_model_takes_it() {
    let asked = |model: &str, effort, temperature| {
        let settings = RequestSettings { effort, temperature, cache_key: None };
        let contents = vec![Content::user("x")];
        let mut body = body(model, &Request { contents, settings, ..Request::default() });
        ["thinking", "output_config", "temperature"].map(|name| body[name].take())
    };
    let adaptive = json!({ "type": "adaptive", "display": "summarized" });
    assert_eq!(
        asked(MODEL, Some(Effort::Max), Some(0.5)),
        [adaptive, json!({ "effort": "max" }), Value::Null]
    );
    assert_eq!(
        asked(MODEL, Some(Effort::Off), Some(1.5)),
        [json!({ "type": "disabled" }), Value::Null, json!(1.0)]
    );
    let always = asked("claude-fable-5-1", Some(Effort::Off), None);
    assert_eq!((&always[0]["type"], &always[1]), (&json!("adaptive"), &json!({ "effort": "low" })));
    let older = "claude-haiku-4-5";
    let budget = |tokens: u64| json!({ "type": "enabled", "budget_tokens": tokens });
    assert_eq!(asked(older, Some(Effort::High), None), [budget(12_000), Value::Null, Value::Null]);
    assert_eq!(asked(older, Some(Effort::Max), None)[0], budget(16_000));
    assert_eq!(asked(older, Some(Effort::Off), Some(0.2))[2], json!(0.2));
    let oldest = asked("claude-3-5-haiku-latest", Some(Effort::High), None);
    assert_eq!(oldest, [Value::Null, Value::Null, Value::Null]);
}

#[test]
fn names_and_ids_of_other_vendors_are_made_to_fit() {
    let calls = ["functions.check_scene", "", "a b"];
    let parts = calls.iter().map(|name| Part::call(Some("functions.f:0"), name, json!("text")));
    let responses =
        calls.iter().map(|name| Part::response(Some("functions.f:0"), name, json!({}), Vec::new()));
    let history = vec![
        Content::user("x"),
        Content::model(parts.collect()),
        Content::function(responses.collect()),
    ];
    let messages = sent(MODEL, history)["messages"].clone();
    let names: Vec<&str> =
        (0..3).filter_map(|at| messages[1]["content"][at]["name"].as_str()).collect();
    assert_eq!(names, ["functions_check_scene", "unknown_tool", "a_b"]);
    for at in 0..3 {
        let call = &messages[1]["content"][at];
        assert_eq!(call["id"], messages[2]["content"][at]["tool_use_id"]);
        assert!(call["input"].is_object());
    }
}

#[test]
fn pictures_that_are_too_large_become_a_note() {
    let large = Part::inline_data("image/png", "A".repeat(MAX_PICTURE_BASE64 + 1));
    let history = vec![Content { role: Role::User, parts: vec![Part::text("see"), large] }];
    let blocks = sent(MODEL, history)["messages"][0]["content"].clone();
    assert!(blocks[1]["text"].as_str().is_some_and(|text| text.contains("too large")));
}
