use super::*;
use crate::registry::facts;

fn body(model: &str, request: &Request) -> Value {
    super::body(model, &facts(model), request)
}

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
    // Older models may have no thinking settings.
    assert!(body("gemini-2.0-flash", &request).get("generationConfig").is_none());
    request.tools = [ToolDeclaration {
        name: "f".into(),
        description: "d".into(),
        parameters: json!({ "type": "object" }).into(),
    }]
    .into();
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
    let body = self::body("gemini-3.8-flash", &request(history));
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
        let body = self::body(model, &request(history.clone()));
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
fn what_other_providers_left_on_a_part_stays_at_home() {
    let part = json!({ "text": "", "thought": true, "anthropic": { "block": {} }, "openai": {} });
    let history = vec![Content::model(vec![Part::from_value(part)])];
    assert_eq!(
        body("gemini-3.8-flash", &request(history))["contents"][0]["parts"][0],
        json!({ "text": "", "thought": true })
    );
}

#[test]
fn effort_is_a_level_from_gemini_3_on_and_never_a_budget() {
    let asked = |model: &str, effort| {
        let mut request = request(vec![Content::user("x")]);
        request.settings.effort = Some(effort);
        body(model, &request)["generationConfig"].take()
    };
    let level = |level: &str| json!({ "thinkingConfig": { "includeThoughts": true, "thinkingLevel": level } });
    assert_eq!(asked("gemini-3-pro-preview", Effort::Medium), level("LOW"));
    assert_eq!(asked("gemini-3.8-flash", Effort::Max), level("HIGH"));
    assert_eq!(asked("gemini-3.8-flash", Effort::Off), level("LOW"));
    assert_eq!(asked("gemini-3.5-flash", Effort::Off), level("MINIMAL"));
    assert_eq!(asked("gemini-3.1-pro-preview", Effort::Off), level("LOW"));
    assert_eq!(asked("gemini-3.1-pro-preview", Effort::Medium), level("MEDIUM"));
    assert_eq!(asked("gemini-2.5-flash", Effort::High), Value::Null);
    let mut warm = request(vec![Content::user("x")]);
    warm.settings.temperature = Some(0.5);
    assert_eq!(body("gemini-2.5-flash", &warm)["generationConfig"], json!({ "temperature": 0.5 }));
}

#[test]
fn names_that_a_model_made_up_are_made_to_fit() {
    let history = vec![
        Content::user("x"),
        Content::model(vec![call("a b"), call(""), call("good.name:1")]),
        Content::function(vec![Part::response(None, "a b", json!({}), Vec::new())]),
    ];
    let contents = body("gemini-3.8-flash", &request(history))["contents"].clone();
    let name = |at: usize| contents[1]["parts"][at]["functionCall"]["name"].clone();
    assert_eq!([name(0), name(1), name(2)], ["a_b", "unknown_tool", "good.name:1"]);
    assert_eq!(contents[2]["parts"][0]["functionResponse"]["name"], "a_b");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        failure_persistence: None,
        ..proptest::prelude::ProptestConfig::default()
    })]

    #[test]
    fn later_requests_begin_with_the_bytes_of_earlier_ones(rounds in crate::growing::rounds()) {
        let requests = crate::growing::requests(&rounds, |_| {
            Part::from_value(json!({ "text": "hm", "thought": true, "thoughtSignature": "s" }))
        });
        for model in ["gemini-3.8-flash", "gemini-2.5-flash"] {
            let bodies: Vec<Value> =
                requests.iter().map(|contents| body(model, &request(contents.clone()))).collect();
            for pair in bodies.windows(2) {
                let [before, after] =
                    [&pair[0], &pair[1]].map(|body| body["contents"].as_array().unwrap());
                proptest::prop_assert_eq!(&after[..before.len()], &before[..]);
                proptest::prop_assert_eq!(&pair[0]["systemInstruction"], &pair[1]["systemInstruction"]);
            }
        }
    }
}
