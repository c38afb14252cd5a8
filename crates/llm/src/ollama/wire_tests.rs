use super::*;
use crate::http::pieces::{PICTURES, UNSEEN};
use crate::registry::{EffortLevels, facts};
use crate::{RequestSettings, ToolDeclaration, normalise};

fn seeing() -> ModelFacts {
    ModelFacts { images: true, reasons: true, ..facts("never-heard-of") }
}

fn conversation() -> Vec<Content> {
    let thought = json!({ "text": "A ball.", "thought": true, FIELD: { "model": "qwen3:8b" } });
    let foreign = json!({ "text": "Mine.", "thought": true, FIELD: { "model": "gpt-oss" } });
    let picture = vec![Part::inline_data("image/png", "AAAA")];
    vec![
        Content::user("a red ball"),
        Content::model(vec![
            Part::from_value(thought),
            Part::from_value(foreign),
            Part::text("I begin."),
            Part::call(Some("c1"), "create_shape", json!({ "id": "ball" })),
            Part::call(None, "render_preview", json!({})),
        ]),
        Content::function(vec![
            Part::response(Some("c1"), "create_shape", json!({ "success": true }), Vec::new()),
            Part::response(None, "render_preview", json!({ "success": true }), picture),
        ]),
    ]
}

fn body_of(facts: &ModelFacts, settings: RequestSettings) -> Value {
    let tools = [ToolDeclaration {
        name: "create_shape".into(),
        description: "Adds a shape.".into(),
        parameters: json!({ "type": "object", "properties": {} }).into(),
    }];
    let request = Request {
        system_instruction: "You build scenes.".into(),
        contents: normalise(&conversation()),
        tools: tools.into(),
        settings,
    };
    body("qwen3:8b", facts, &request, 16_384, "15m")
}

#[test]
fn calls_carry_objects_and_results_the_name_of_their_tool() {
    let body = body_of(&seeing(), RequestSettings::default());
    assert_eq!(body["options"], json!({ "num_ctx": 16_384 }));
    assert_eq!((&body["think"], &body["truncate"]), (&json!(true), &json!(false)));
    assert_eq!(body["tools"][0]["function"]["name"], "create_shape");
    assert_eq!(
        body["messages"],
        json!([
            { "role": "system", "content": "You build scenes." },
            { "role": "user", "content": "a red ball" },
            { "role": "assistant", "content": "I begin.", "thinking": "A ball.", "tool_calls": [
                { "id": "c1", "function": { "name": "create_shape", "arguments": { "id": "ball" } } },
                { "function": { "name": "render_preview", "arguments": {} } }] },
            { "role": "tool", "tool_name": "create_shape", "tool_call_id": "c1",
                "content": "{\"success\":true}" },
            { "role": "tool", "tool_name": "render_preview", "content": "{\"success\":true}" },
            { "role": "user", "content": PICTURES, "images": ["AAAA"] },
        ])
    );
}

#[test]
fn a_model_that_sees_nothing_gets_words() {
    let blind = ModelFacts { images: false, reasons: false, ..seeing() };
    let settings = RequestSettings { temperature: Some(0.5), ..RequestSettings::default() };
    let body = body_of(&blind, settings);
    assert_eq!(body["messages"][5], json!({ "role": "user", "content": UNSEEN }));
    assert!(body.get("think").is_none());
    assert_eq!(body["options"]["temperature"], 0.5);
}

#[test]
fn effort_is_a_switch_or_a_level() {
    let think = |facts: &ModelFacts, effort| super::think(facts, effort);
    assert_eq!(think(&seeing(), Some(Effort::Off)), Some(json!(false)));
    assert_eq!(think(&seeing(), Some(Effort::Low)), Some(json!(true)));
    let levels = EffortLevels::of([Effort::Low, Effort::Medium, Effort::High]);
    let levelled = ModelFacts { efforts: levels, ..seeing() };
    assert_eq!(think(&levelled, Some(Effort::Off)), Some(json!("low")));
    assert_eq!(think(&levelled, Some(Effort::Max)), Some(json!("high")));
    assert_eq!(think(&levelled, None), Some(json!(true)));
}

#[test]
fn thoughts_of_finished_turns_stay_at_home() {
    let mut contents = conversation();
    contents.push(Content::model(vec![Part::text("Done.")]));
    contents.push(Content::user("bigger"));
    let request = Request { contents: normalise(&contents), ..Request::default() };
    let body = body("qwen3:8b", &seeing(), &request, 16_384, "15m");
    assert!(body["messages"][1].get("thinking").is_none());
    assert!(body.get("tools").is_none());
}
