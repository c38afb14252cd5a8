//! The effect of each cause on a request.

use serde_json::json;

use super::*;
use crate::content::{Content, Part};
use crate::model::ToolDeclaration;

fn rejection(cause: Cause, said: &str) -> Rejection {
    Rejection { cause, said: said.to_owned() }
}

/// A body that shows the whole request.
fn write(request: &Request) -> Value {
    json!({
        "system": request.system_instruction,
        "contents": request.contents,
        "tools": request.tools.iter().map(|tool| (*tool.parameters).clone()).collect::<Vec<_>>(),
        "temperature": request.settings.temperature,
        "max_tokens": 32_000,
        "thinking": { "type": "enabled", "budget_tokens": 4_000 },
    })
}

fn repaired(request: &Request, cause: Cause, said: &str) -> Value {
    let learned = Learned::default();
    let mut repairs = Repairs::with(&learned, PictureLimits::default(), request.clone());
    let before = repairs.body(write);
    let told =
        repairs.repair(&rejection(cause, said), &before, write).expect("something is left out");
    assert!(told.ends_with('.') && !told.contains('\n'), "{told}");
    let body = repairs.body(write);
    assert_ne!(body, before);
    // The next request leaves out the same at once.
    if !said.contains("context") {
        assert_eq!(
            Repairs::with(&learned, PictureLimits::default(), request.clone()).body(write),
            body
        );
    }
    assert_eq!(repairs.repair(&rejection(cause, said), &before, write), None, "a second time");
    body
}

fn history() -> Request {
    let call = Part::call(Some("create_shape:0"), "functions.create shape", json!({}));
    let response = Part::response(
        Some("create_shape:0"),
        "functions.create shape",
        json!({}),
        vec![Part::inline_data("image/png", "AAAA")],
    );
    let signed = json!({ "text": "So.", "thoughtSignature": "s" });
    Request {
        system_instruction: "Be brief.".into(),
        contents: vec![
            Content::user("build"),
            Content::model(vec![Part::thought("hm"), Part::from_value(signed), call]),
            Content::function(vec![response]),
            Content::user("and?"),
        ],
        tools: [ToolDeclaration {
            name: "f".into(),
            description: "d".into(),
            parameters: json!({
                "type": "object", "additionalProperties": false, "$defs": {},
                "properties": {
                    "a": { "type": ["number", "null"], "minimum": 0 },
                    "b": { "anyOf": [{ "type": "null" }, { "type": "string", "format": "x" }] },
                    "c": { "type": "array" },
                },
                "required": ["a"],
            })
            .into(),
        }]
        .into(),
        ..Request::default()
    }
}

#[test]
fn each_cause_leaves_its_offender_out() {
    let request = history();
    let body = repaired(&request, Cause::Thoughts, "");
    assert_eq!(body["contents"][1]["parts"][0], json!({ "text": "So." }));
    assert_eq!(repaired(&request, Cause::NoThoughts, "")["contents"], body["contents"]);
    let body = repaired(&request, Cause::Picture, "");
    assert!(!body.to_string().contains("AAAA") && body.to_string().contains("left out"));
    assert!(!repaired(&request, Cause::NoPictures, "").to_string().contains("AAAA"));
    let body = repaired(&request, Cause::ToolName, "");
    let name = "functions_create_shape";
    assert_eq!(body["contents"][1]["parts"][2]["functionCall"]["name"], name);
    assert_eq!(body["contents"][2]["parts"][0]["functionResponse"]["name"], name);
    let body = repaired(&request, Cause::CallId, "");
    assert_eq!(body["contents"][1]["parts"][2]["functionCall"]["id"], "call00001");
    assert_eq!(body["contents"][2]["parts"][0]["functionResponse"]["id"], "call00001");
    let body = repaired(&request, Cause::RoleOrder, "");
    assert_eq!(
        body["contents"][3],
        json!({ "role": "model", "parts": [{ "text": "Understood." }] })
    );
    let body = repaired(&request, Cause::SystemRole, "");
    assert_eq!(body["contents"][0]["parts"][0]["text"], "Be brief.");
    assert_eq!(body["system"], "");
    assert_eq!(repaired(&request, Cause::Thinking, "").get("thinking"), None);
    let mut warm = request;
    warm.settings.temperature = Some(0.5);
    assert_eq!(repaired(&warm, Cause::Setting("temperature"), "").get("temperature"), None);
}

#[test]
fn schemas_keep_the_words_that_every_provider_knows() {
    assert_eq!(
        repaired(&history(), Cause::ToolSchema, "")["tools"][0],
        json!({
            "type": "object",
            "properties": {
                "a": { "type": "number" },
                "b": { "type": "string" },
                "c": { "type": "array", "items": {} },
            },
            "required": ["a"],
        })
    );
}

#[test]
fn the_answer_is_shortened_for_good_or_for_this_request() {
    let body = repaired(
        &history(),
        Cause::OutputLimit,
        "max_tokens: 32000 > 4096, which is the maximum allowed number of output tokens",
    );
    assert_eq!(
        (&body["max_tokens"], &body["thinking"]["budget_tokens"]),
        (&json!(4096), &json!(2048))
    );
    let learned = Learned::default();
    let mut repairs = Repairs::with(&learned, PictureLimits::default(), history());
    let sent = repairs.body(write);
    let said = "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000";
    repairs.repair(&rejection(Cause::OutputLimit, said), &sent, write).unwrap();
    assert_eq!(repairs.body(write)["max_tokens"], 9_936);
    assert_eq!(
        Repairs::with(&learned, PictureLimits::default(), history()).body(write)["max_tokens"],
        32_000
    );
}

#[test]
fn too_many_pictures_leave_the_newest() {
    let mut request = history();
    for number in 0..7 {
        let mut content = Content::user("see");
        content.parts.push(Part::inline_data("image/png", format!("DATA{number}")));
        request.contents.push(content);
    }
    let kept =
        |body: &Value| (0..7).filter(|at| body.to_string().contains(&format!("DATA{at}"))).count();
    let body = repaired(&request, Cause::TooLarge, "Request exceeds the maximum size");
    assert_eq!(kept(&body), 4);
    let body =
        repaired(&request, Cause::TooLarge, "Too much media: 0 document pages + 8 images > 5");
    assert!((1..=5).contains(&kept(&body)) && body.to_string().contains("DATA6"));
}

#[test]
fn what_changes_nothing_is_no_repair() {
    let learned = Learned::default();
    let mut repairs = Repairs::with(&learned, PictureLimits::default(), Request::default());
    for cause in [Cause::Picture, Cause::Thoughts, Cause::Setting("store"), Cause::Overflow] {
        assert_eq!(repairs.repair(&rejection(cause, ""), &json!({}), |_| json!({})), None);
    }
}

#[test]
fn longer_histories_begin_with_the_same_parts_after_a_repair() {
    let learned = Learned::default();
    for cause in [Cause::NoPictures, Cause::CallId, Cause::ToolName, Cause::RoleOrder] {
        learned.never(cause);
    }
    let whole = history();
    let body = |count: usize| {
        let mut request = whole.clone();
        request.contents.truncate(count);
        Repairs::with(&learned, PictureLimits::default(), request).body(write)["contents"]
            .as_array()
            .unwrap()
            .clone()
    };
    let all = body(4);
    for count in 1..4 {
        let part = body(count);
        assert_eq!(part[..], all[..part.len()]);
    }
}

#[test]
fn no_more_pictures_are_sent_than_are_known_to_be_taken() {
    let mut request = history();
    for _ in 0..7 {
        let mut content = Content::user("see");
        content.parts.push(Part::inline_data("image/png", "AAAA"));
        request.contents.push(content);
    }
    let limits = PictureLimits { max_count: Some(5), ..PictureLimits::UNKNOWN };
    let body = Repairs::with(&Learned::default(), limits, request).body(write).to_string();
    assert_eq!((body.matches("AAAA").count(), body.matches("left out").count()), (5, 3));
}
