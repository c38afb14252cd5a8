use super::*;

fn request(contents: Vec<Content>) -> Request {
    Request { system_instruction: "Be brief.".into(), contents, ..Request::default() }
}

fn sent(model: &str, contents: Vec<Content>) -> Vec<Value> {
    body(model, &request(contents))["messages"].as_array().unwrap()[1..].to_vec()
}

#[test]
fn tools_go_out_as_functions_and_newer_models_do_not_reason_beside_them() {
    let mut request = request(vec![Content::user("hi")]);
    assert!(body("gpt-5.5", &request).get("reasoning_effort").is_none());
    request.tools.push(crate::ToolDeclaration {
        name: "f".into(),
        description: "d".into(),
        parameters: json!({ "type": "object" }),
    });
    let sent = body("gpt-5.5", &request);
    assert_eq!(
        sent["tools"],
        json!([{ "type": "function", "function": {
            "name": "f", "description": "d", "parameters": { "type": "object" } } }])
    );
    assert_eq!(sent["reasoning_effort"], "none");
    for model in ["gpt-5.2", "gpt-4.1", "llama3.3", "openai/gpt-oss-120b"] {
        assert!(body(model, &request).get("reasoning_effort").is_none(), "{model}");
    }
}

#[test]
fn results_answer_their_calls_and_pictures_follow_in_a_user_message() {
    let history = vec![
        Content::user("build"),
        Content::model(vec![
            Part::thought("hm"),
            Part::text("I "),
            Part::text("begin."),
            Part::call(Some("a"), "look", json!({})),
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
        sent("gpt-5.5", history.clone()),
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
    // A model that sees nothing is told so, and to go by the words of the result.
    let blind = sent("gpt-3.5-turbo", history);
    assert_eq!(blind[4], json!({ "role": "user", "content": format!("{UNSEEN}\n\ngo on") }));
}

#[test]
fn neighbours_of_one_role_become_one_message() {
    let history = vec![
        Content::user("a"),
        Content::user("b"),
        Content::model(vec![Part::text("c")]),
        Content::model(vec![Part::thought("only this")]),
        Content::model(vec![Part::text("d")]),
        Content::user("e"),
    ];
    assert_eq!(
        sent("llama3.3", history),
        [
            json!({ "role": "user", "content": "a\n\nb" }),
            json!({ "role": "assistant", "content": "c\n\nd" }),
            json!({ "role": "user", "content": "e" }),
        ]
    );
}

#[test]
fn reasoning_goes_back_to_the_model_it_came_from_while_its_calls_go_on() {
    let thought = |text: &str| {
        let own = json!({ "model": "deepseek-v4", "field": "reasoning_content" });
        Part::from_value(json!({ "text": text, "thought": true, FIELD: own }))
    };
    let signed = Part::from_value(json!({
        "functionCall": { "id": "a", "name": "f", "args": {} },
        FIELD: { "model": "deepseek-v4", "call": { "extra_content": { "signature": "s" } } },
    }));
    let mut history = vec![
        Content::user("x"),
        Content::model(vec![thought("Hm"), thought("."), signed]),
        Content::function(vec![Part::response(Some("a"), "f", json!({}), Vec::new())]),
    ];
    let answer = &sent("deepseek-v4", history.clone())[1];
    assert_eq!(answer["reasoning_content"], "Hm.");
    assert_eq!(answer["tool_calls"][0]["extra_content"]["signature"], "s");
    let other = &sent("gpt-5.5", history.clone())[1];
    assert!(other.get("reasoning_content").is_none());
    assert!(other["tool_calls"][0].get("extra_content").is_none());
    history.push(Content::user("next"));
    assert!(sent("deepseek-v4", history)[1].get("reasoning_content").is_none());
}
