use super::*;

fn request(contents: Vec<Content>) -> Request {
    Request { system_instruction: "Be brief.".into(), contents, ..Request::default() }
}

fn call(name: &str) -> Part {
    Part::call(None, name, json!({}))
}

#[test]
fn the_body_holds_contents_instruction_and_tools_and_nothing_else() {
    let mut request = request(vec![Content::user("hi")]);
    assert_eq!(
        body("gemini-3.8-flash", &request),
        json!({
            "contents": [{ "role": "user", "parts": [{ "text": "hi" }] }],
            "systemInstruction": { "parts": [{ "text": "Be brief." }] },
            "generationConfig": { "thinkingConfig": { "includeThoughts": true } },
        })
    );
    // Older models may not know thoughts.
    assert!(body("gemini-2.0-flash", &request).get("generationConfig").is_none());
    request.tools.push(ToolDeclaration {
        name: "f".into(),
        description: "d".into(),
        parameters: json!({ "type": "object" }),
    });
    assert_eq!(
        body("gemini-3.8-flash", &request)["tools"],
        json!([{ "functionDeclarations": [
            { "name": "f", "description": "d", "parametersJsonSchema": { "type": "object" } }
        ] }])
    );
}

#[test]
fn parts_go_out_verbatim_and_function_goes_out_as_user() {
    let parts = json!([
        { "text": "hm", "thought": true },
        { "thoughtSignature": "c2ln", "functionCall": { "args": { "b": 0.1, "a": 1 }, "name": "f", "id": "1" } },
        { "functionCall": { "name": "g", "args": {} } },
        { "somethingNew": { "x": [] } },
        { "text": "", "thoughtSignature": "ZW5k" },
    ]);
    let history = vec![
        Content::user("x"),
        serde_json::from_value(json!({ "role": "model", "parts": parts })).unwrap(),
        Content::function(vec![Part::response(Some("1"), "f", json!({}), Vec::new())]),
    ];
    let body = body("gemini-3.8-flash", &request(history));
    assert_eq!(body["contents"][1]["parts"].to_string(), parts.to_string());
    assert_eq!(body["contents"][2]["role"], "user");
}

#[test]
fn an_unsigned_first_call_gets_the_skip_signature_from_gemini_3_on() {
    let history = vec![Content::user("x"), Content::model(vec![call("f"), call("g")])];
    for (model, signed) in [
        ("gemini-3.8-flash", true),
        ("gemini-3-pro-preview", true),
        ("gemini-4-argon", true),
        ("gemini-flash-latest", true),
        ("gemini-2.5-flash", false),
        ("gemma-3-27b", false),
    ] {
        let body = body(model, &request(history.clone()));
        let parts = &body["contents"][1]["parts"];
        let expected = if signed { json!(SKIP_VALIDATION) } else { Value::Null };
        assert_eq!(
            parts[0].get("thoughtSignature").cloned().unwrap_or_default(),
            expected,
            "{model}"
        );
        assert_eq!(parts[1].get("thoughtSignature"), None, "{model}");
    }
}

#[test]
fn pictures_stay_in_the_response_or_stand_beside_it() {
    let picture = || vec![Part::inline_data("image/png", "AAAA")];
    let history = vec![Content::function(vec![
        Part::response(None, "f", json!({}), picture()),
        Part::response(None, "g", json!({}), Vec::new()),
    ])];
    let modern = body("gemini-3.8-flash", &request(history.clone()));
    assert_eq!(
        modern["contents"][0]["parts"][0]["functionResponse"]["parts"][0],
        json!({ "inlineData": { "mimeType": "image/png", "data": "AAAA" } })
    );
    let older = body("gemini-2.5-flash", &request(history));
    assert_eq!(
        older["contents"][0]["parts"],
        json!([
            { "functionResponse": { "name": "f", "response": {} } },
            { "functionResponse": { "name": "g", "response": {} } },
            { "inlineData": { "mimeType": "image/png", "data": "AAAA" } },
        ])
    );
}

#[test]
fn a_signature_without_data_goes_back_with_an_empty_text() {
    let history = vec![Content::model(vec![Part::from_value(json!({ "thoughtSignature": "s" }))])];
    assert_eq!(
        body("gemini-3.8-flash", &request(history))["contents"][0]["parts"][0],
        json!({ "thoughtSignature": "s", "text": "" })
    );
}

#[test]
fn what_other_services_left_on_a_part_stays_at_home() {
    let part = json!({ "text": "", "thought": true, "anthropic": { "block": {} }, "openai": {} });
    let history = vec![Content::model(vec![Part::from_value(part)])];
    assert_eq!(
        body("gemini-3.8-flash", &request(history))["contents"][0]["parts"][0],
        json!({ "text": "", "thought": true })
    );
}
