//! Calls that fail, answers that were cut off, messages that come in between, histories of other models.

use llm::{Content, Part, Role};
use scene::Scene;
use serde_json::{Value, json};

use crate::stage::{Stage, next, scene};

const TOOLS: [&str; 1] = ["edit_scene"];

/// An answer with one call, and its result.
fn turn(name: &str, args: Value, result: Value) -> [Content; 2] {
    let response = Part::response(Some("c"), name, result, Vec::new());
    [Content::model(vec![Part::call(Some("c"), name, args)]), Content::function(vec![response])]
}

fn looked(scene: &Scene) -> [Content; 2] {
    turn("get_scene_state", json!({}), json!({ "success": true, "result": scene.to_json() }))
}

fn failed(error: &str) -> Value {
    json!({ "success": false, "error": error })
}

/// The text and the calls of the next answer.
fn answer(contents: &[Content]) -> (String, Vec<(String, Value)>) {
    let answer = next(contents, &TOOLS);
    let calls =
        answer.calls().map(|call| (call.name.to_owned(), call.args.cloned().unwrap_or_default()));
    (answer.visible_text(), calls.collect())
}

#[test]
fn it_looks_then_acts_then_tells() {
    let mut stage = Stage::with("shapes");
    stage.contents.push(Content::user("make the cone blue"));
    let (text, calls) = answer(&stage.contents);
    assert_eq!(
        (text.as_str(), calls[0].0.as_str()),
        ("I'll look at the scene first.", "get_scene_state")
    );
    assert!(stage.step().is_none() && stage.step().is_none());
    assert_eq!(stage.step().as_deref(), Some("The green cone is now blue."));
}

#[test]
fn words_come_one_by_one_and_call_ids_are_unique() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a red sphere and a box");
    stage.say("make it blue");
    let mut ids: Vec<String> = Vec::new();
    for content in stage.contents.iter().filter(|content| content.role == Role::Model) {
        assert!(
            content.parts.iter().filter_map(Part::as_text).all(|text| text.split(' ').count() <= 2)
        );
        ids.extend(content.calls().map(|call| call.id.unwrap().to_owned()));
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn what_changed_meanwhile_is_looked_at_again() {
    let mut contents = vec![Content::user("create a sphere")];
    contents.extend(looked(&Scene::default()));
    let (_, calls) = answer(&contents);
    contents.extend(turn(
        &calls[0].0,
        calls[0].1.clone(),
        failed("a shape with this id already exists"),
    ));
    let (_, calls) = answer(&contents);
    assert_eq!(calls[0].0, "get_scene_state");
    // Somebody else has made one.
    let taken = json!({ "version": 1, "shapes": [{ "id": "sphere", "type": "sphere", "properties": {
        "center": [5, 1, 0], "radius": 1, "material": "gold" } }] });
    contents.extend(looked(&Scene::from_json(&taken).unwrap()));
    let (_, calls) = answer(&contents);
    let text = serde_json::to_string(&calls).unwrap();
    assert!(text.contains("sphere_2"), "{text}");
}

#[test]
fn what_never_works_is_told_as_such() {
    let mut contents = vec![Content::user("make the cone blue")];
    let mut waves = 0;
    let text = loop {
        let (text, calls) = answer(&contents);
        match calls.first() {
            None => break text,
            Some((name, _)) if name == "get_scene_state" => {
                contents.extend(looked(&scene("shapes")))
            }
            Some((name, args)) => {
                waves += 1;
                contents.extend(turn(name, args.clone(), failed("the shape is locked")));
            }
        }
        assert!(waves <= 3, "one try and two corrections");
    };
    assert_eq!(waves, 3);
    assert_eq!(text, "It did not work. The tool said: the shape is locked.");
}

#[test]
fn only_what_succeeded_is_told_as_done() {
    let mut contents = vec![Content::user("remove the cone and the sphere")];
    contents.extend(looked(&scene("shapes")));
    let calls = next(&contents, &[]);
    let responses = calls.calls().map(|call| {
        let is_cone = call.args.is_some_and(|args| args["id"] == "green_cone");
        let result =
            if is_cone { json!({ "success": true, "result": {} }) } else { failed("it is locked") };
        Part::response(call.id, call.name, result, Vec::new())
    });
    let responses = Content::function(responses.collect());
    contents.extend([calls.clone(), responses]);
    let (text, calls) = answer(&contents);
    assert!(calls.is_empty());
    assert_eq!(
        text,
        "I removed the green cone. The rest did not work. The tool said: it is locked."
    );
}

#[test]
fn a_scene_that_cannot_be_looked_at_ends_in_words() {
    let mut contents = vec![Content::user("a red sphere")];
    for _ in 0..2 {
        let (_, calls) = answer(&contents);
        assert_eq!(calls[0].0, "get_scene_state");
        contents.extend(turn("get_scene_state", json!({}), failed("out of order")));
    }
    let (text, calls) = answer(&contents);
    assert!(calls.is_empty() && text.contains("out of order"), "{text}");
}

#[test]
fn a_second_message_before_anything_was_done_is_done_too() {
    let mut stage = Stage::with("shapes");
    stage.contents.push(Content::user("make the cone blue"));
    assert!(stage.step().is_none());
    stage.expect("and make the box red", &["cone is blue", "box is red"]);
}

#[test]
fn what_was_interrupted_waits_for_continue() {
    let mut stage = Stage::with("shapes");
    stage.contents.push(Content::user("remove the cone"));
    assert!(stage.step().is_none());
    let cut = failed("interrupted by the user before it ran");
    stage.contents.extend(turn("remove_shape", json!({ "id": "green_cone" }), cut));
    let note = Part::text("[The user interrupted this answer.]");
    stage.contents.push(Content::model(vec![note]));
    let mut other = Stage::with("shapes");
    other.contents = stage.contents.clone();
    other.expect("what colour is the cone?", &["unchanged", "says colour cone"]);
    stage.expect("continue", &["cone removed", "only cone changed"]);
}

#[test]
fn an_answer_that_was_cut_off_can_be_continued() {
    let mut stage = Stage::with("shapes");
    stage.contents.push(Content::user("remove the cone"));
    assert!(stage.step().is_none());
    let note = Part::text("[The user interrupted this answer.]");
    stage.contents.push(Content::model(vec![Part::text("On "), note]));
    stage.expect("go on", &["cone removed"]);
    let answer = stage.say("continue");
    assert!(answer.contains("nothing to go on with"), "{answer}");
}

#[test]
fn it_follows_what_another_model_did() {
    let mut stage = Stage::with("shapes");
    let signed = json!({
        "thoughtSignature": "c2ln",
        "functionCall": { "name": "update_shape", "args": { "id": "green_cone", "updates": {} } },
    });
    let done = json!({ "success": true, "result": {} });
    stage.contents = vec![
        Content::user("do something with the cone"),
        Content::model(vec![Part::thought("hm"), Part::from_value(signed)]),
        Content::function(vec![Part::response(None, "update_shape", done, Vec::new())]),
        Content::model(vec![Part::text("Done."), Part::from_value(json!({ "odd": 1 }))]),
    ];
    stage.expect("make it red", &["id:green_cone is red", "only cone changed"]);
}

#[test]
fn the_selection_is_what_it_means() {
    let mut stage = Stage::with("shapes");
    stage.expect(
        "[selected: green_cone]\nmake this yellow",
        &["cone is yellow", "only cone changed"],
    );
    stage.expect(
        "[selected: green_cone, red_sphere]\nmove them up by 1",
        &["cone moved up 1", "sphere moved up 1"],
    );
    stage.expect("[selected: gone]\nmake it white", &["1..2 white thing"]);
}

#[test]
fn pictures_are_not_seen_and_that_is_said() {
    let picture = || Part::inline_data("image/png", "AA==");
    let mut stage = Stage::with("shapes");
    stage.contents.push(Content { role: Role::User, parts: vec![picture()] });
    let answer = stage.step().unwrap();
    assert!(answer.contains("cannot see pictures"), "{answer}");
    stage.contents.push(Content {
        role: Role::User,
        parts: vec![Part::text("make the cone red"), picture()],
    });
    let answer = loop {
        if let Some(answer) = stage.step() {
            break answer;
        }
    };
    assert!(
        answer.starts_with("The green cone is now red.") && answer.contains("cannot see pictures"),
        "{answer}"
    );
}

#[test]
fn odd_histories_end_in_words() {
    let odd = [
        vec![],
        vec![Content::user("")],
        vec![Content::model(vec![Part::text("hello")])],
        vec![Content::function(vec![Part::response(None, "x", Value::Null, Vec::new())])],
        vec![Content::user("[note: loop guard]")],
        vec![Content::user("[selected: a]")],
        vec![Content { role: Role::User, parts: vec![Part::inline_data("image/png", "AA==")] }],
    ];
    for contents in odd {
        let (text, calls) = answer(&contents);
        assert!(!text.is_empty() && calls.is_empty(), "{contents:?}");
    }
}
