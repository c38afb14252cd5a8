use super::*;
use crate::model::RequestSettings;
use crate::openai::FIELD;
use crate::registry::facts;

fn target(model: &str) -> Target {
    Target::new("https://api.openai.com/v1", model, facts("gpt-5.5"))
}

fn kept(target: &Target, more: Value) -> Part {
    Part::from_value(json!({ "text": "", "thought": true, FIELD: target.mark(more) }))
}

fn call(target: &Target, id: &str, name: &str, item: &str) -> Part {
    let mut raw = Part::call(Some(id), name, json!({ "x": 1 })).raw().clone();
    raw.insert(FIELD.into(), target.mark(json!({ "item_id": item })));
    Part::from_value(Value::Object(raw))
}

fn reasoning(id: &str) -> Value {
    json!({ "type": "reasoning", "id": id, "summary": [], "encrypted_content": "gAAA" })
}

fn input_of(target: &Target, contents: Vec<Content>) -> Vec<Value> {
    let request = Request { contents, ..Request::default() };
    body(target, &request)["input"].as_array().unwrap().clone()
}

#[test]
fn the_body_stores_nothing_and_asks_for_reasoning_to_send_back() {
    let request = Request {
        system_instruction: "Be brief.".into(),
        contents: vec![Content::user("hi")],
        tools: [crate::ToolDeclaration {
            name: "f".into(),
            description: "d".into(),
            parameters: json!({ "type": "object" }).into(),
        }]
        .into(),
        settings: RequestSettings {
            effort: Some(Effort::High),
            temperature: Some(0.2),
            cache_key: Some("k".into()),
        },
    };
    assert_eq!(
        body(&target("gpt-5.5"), &request),
        json!({
            "model": "gpt-5.5",
            "instructions": "Be brief.",
            "input": [{ "type": "message", "role": "user",
                "content": [{ "type": "input_text", "text": "hi" }] }],
            "tools": [{ "type": "function", "name": "f", "description": "d",
                "parameters": { "type": "object" }, "strict": false }],
            "stream": true,
            "store": false,
            "include": ["reasoning.encrypted_content"],
            "reasoning": { "summary": "auto", "effort": "high" },
            "prompt_cache_key": "k",
        })
    );
    let mut still = request;
    still.settings.effort = Some(Effort::Off);
    assert_eq!(body(&target("gpt-5.5"), &still)["temperature"], 0.2);
    assert_eq!(body(&target("gpt-6-astra"), &still).get("temperature"), None);
}

/// An answer with two calls, and their results.
fn history(model: &Target) -> Vec<Content> {
    vec![
        Content::user("build"),
        Content::model(vec![
            Part::thought("**Planning**"),
            kept(model, json!({ "item": reasoning("rs_1") })),
            Part::text("I "),
            Part::text("begin."),
            kept(
                model,
                json!({ "message": { "id": "msg_1", "status": "completed", "phase": "commentary" } }),
            ),
            call(model, "call_a", "look", "fc_1"),
            call(model, "call_b", "make", "fc_2"),
        ]),
        Content::function(vec![
            Part::response(
                Some("call_a"),
                "look",
                json!({ "success": true }),
                vec![Part::inline_data("image/png", "AAAA")],
            ),
            Part::response(Some("call_b"), "make", json!({ "success": false }), Vec::new()),
        ]),
        Content::user("go on"),
    ]
}

#[test]
fn items_go_back_as_they_came_and_results_answer_by_call_id() {
    let model = target("gpt-5.5");
    let text = |text: &str| json!({ "type": "input_text", "text": text });
    assert_eq!(
        input_of(&model, history(&model))[1..],
        [
            reasoning("rs_1"),
            json!({ "type": "message", "role": "assistant",
                "content": [{ "type": "output_text", "text": "I begin.", "annotations": [] }],
                "id": "msg_1", "status": "completed", "phase": "commentary" }),
            json!({ "type": "function_call", "call_id": "call_a", "name": "look",
                "arguments": "{\"x\":1}", "id": "fc_1" }),
            json!({ "type": "function_call", "call_id": "call_b", "name": "make",
                "arguments": "{\"x\":1}", "id": "fc_2" }),
            json!({ "type": "function_call_output", "call_id": "call_a", "output": [
                text("{\"success\":true}"),
                { "type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto" } ] }),
            json!({ "type": "function_call_output", "call_id": "call_b",
                "output": "{\"success\":false}" }),
            json!({ "type": "message", "role": "user", "content": [text("go on")] }),
        ]
    );
}

#[test]
fn another_model_gets_no_reasoning_and_none_of_the_ids_bound_to_it() {
    let items = input_of(&target("gpt-5.4"), history(&target("gpt-5.5")));
    let text = Value::from(items).to_string();
    assert!(
        !text.contains("encrypted") && !text.contains("fc_1") && !text.contains("msg_1"),
        "{text}"
    );
    // The call's id came from OpenAI.
    assert!(text.contains("call_a"), "{text}");
    let other = Target::new("https://api.deepseek.com", "x", facts("any"));
    let text = Value::from(input_of(&target("gpt-5.5"), history(&other))).to_string();
    assert!(!text.contains("call_a") && text.contains("call_1"), "{text}");
}

#[test]
fn reasoning_that_led_to_nothing_whole_is_left_out() {
    let model = target("gpt-5.5");
    let cut = vec![
        Content::user("x"),
        Content::model(vec![
            kept(&model, json!({ "item": reasoning("rs_1") })),
            Part::text("half an ans"),
            Part::text("[The user interrupted this answer.]"),
        ]),
        Content::user("y"),
    ];
    let items = input_of(&model, cut);
    assert_eq!(items.len(), 3, "{items:?}");
    assert_eq!(items[1]["type"], "message");
}
