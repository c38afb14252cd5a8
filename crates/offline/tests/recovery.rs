//! A7 and more: errors that are corrected, calls that were cut off, messages that come in between,
//! histories of other models.

use crate::stage::{Stage, ask, desk};
use llm::{Content, Part, Role};
use serde_json::{Value, json};

/// A model answer with calls as `(name, args)`, and results for them.
fn turn(calls: &[(&str, Value)], results: &[Value]) -> [Content; 2] {
    let call = |(index, (name, args)): (usize, &(&str, Value))| {
        Part::call(Some(&format!("c{index}")), name, args.clone())
    };
    let response = |(index, result): (usize, &Value)| {
        let name = calls[index].0;
        Part::response(Some(&format!("c{index}")), name, result.clone(), Vec::new())
    };
    [
        Content::model(calls.iter().enumerate().map(call).collect()),
        Content::function(results.iter().enumerate().map(response).collect()),
    ]
}

fn looked(scene: &Value) -> [Content; 2] {
    turn(&[("get_scene_state", json!({}))], &[json!({ "success": true, "result": scene })])
}

fn failed(error: &str) -> Value {
    json!({ "success": false, "error": error })
}

/// The text and the calls of the next answer.
fn next(contents: &[Content]) -> (String, Vec<(String, Value)>) {
    let answer = Content::model(ask(contents));
    let calls = answer
        .calls()
        .map(|call| (call.name.to_owned(), call.args.cloned().unwrap_or(Value::Null)));
    (answer.visible_text(), calls.collect())
}

fn empty_scene() -> Value {
    json!({ "version": 1, "shapes": [] })
}

#[test]
fn it_looks_then_acts_then_tells() {
    let mut contents = vec![Content::user("a red sphere")];
    let (text, calls) = next(&contents);
    assert_eq!(text, "I'll look at the scene first.");
    assert_eq!(calls, [("get_scene_state".to_owned(), json!({}))]);
    contents.extend(looked(&empty_scene()));
    let (text, calls) = next(&contents);
    assert_eq!(text, "I'll make red_sphere and set the camera.");
    assert_eq!(calls.len(), 2);
}

#[test]
fn words_come_one_by_one_and_call_ids_are_unique() {
    let mut stage = Stage::new();
    stage.say("a red sphere and a box");
    stage.say("make it blue");
    let mut ids: Vec<String> = Vec::new();
    for content in stage.contents.iter().filter(|content| content.role == Role::Model) {
        assert!(content.parts.iter().filter_map(Part::as_text).all(|t| t.split(' ').count() <= 2));
        ids.extend(content.calls().map(|call| call.id.expect("an id").to_owned()));
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn a_taken_id_is_replaced() {
    let mut contents = vec![Content::user("create a sphere")];
    contents.extend(looked(&empty_scene()));
    let (_, calls) = next(&contents);
    let (name, args) = calls[0].clone();
    let taken =
        "shape 'sphere' cannot be made: a shape with this id already exists; choose another id";
    contents.extend(turn(&[(&name, args.clone())], &[failed(taken)]));
    let (_, calls) = next(&contents);
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].1["id"], "sphere_2");
    let mut made = args;
    made["id"] = "sphere_2".into();
    let result = json!({ "success": true, "result": made });
    contents.extend(turn(&[("create_shape", made)], &[result]));
    let (text, calls) = next(&contents);
    assert!(calls.is_empty());
    assert!(text.contains("I made sphere_2"), "{text}");
    assert!(text.contains("The name sphere was taken, so I used sphere_2."), "{text}");
}

#[test]
fn after_two_corrections_it_explains() {
    let mut contents = vec![Content::user("create a sphere")];
    contents.extend(looked(&empty_scene()));
    let error = "shape 'sphere' requires 'center' property ([x, y, z])";
    let mut waves = 0;
    let text = loop {
        let (text, calls) = next(&contents);
        if calls.is_empty() {
            break text;
        }
        waves += 1;
        assert!(waves <= 3, "one try and two corrections");
        // Always another property, so that there always is something to correct.
        let error = error.replace("center", ["up", "v", "u"][waves - 1]);
        let answered: Vec<_> =
            calls.iter().map(|(name, args)| (name.as_str(), args.clone())).collect();
        contents.extend(turn(&answered, &vec![failed(&error); answered.len()]));
    };
    assert_eq!(waves, 3);
    assert!(text.contains("did not work") && text.contains("requires 'u'"), "{text}");
    assert!(!text.contains("I made"), "{text}");
}

#[test]
fn an_object_that_is_gone_is_looked_for_once_more() {
    let mut contents = vec![Content::user("make the cone blue")];
    contents.extend(looked(&desk()));
    let (_, calls) = next(&contents);
    let gone = "there is no shape 'cone'; did you mean 'ball_3'? The scene has: ball_3";
    contents.extend(turn(&[("update_shape", calls[0].1.clone())], &[failed(gone)]));
    let (_, calls) = next(&contents);
    assert_eq!(calls[0].0, "get_scene_state");
    let mut scene = desk();
    scene["shapes"].as_array_mut().expect("shapes").pop();
    contents.extend(looked(&scene));
    let (text, calls) = next(&contents);
    assert!(calls.is_empty());
    assert!(text.contains("there is no shape 'cone'"), "{text}");
}

#[test]
fn only_what_succeeded_is_told_as_done() {
    let mut contents = vec![Content::user("remove the cone and the box")];
    contents.extend(looked(&desk()));
    let calls =
        [("remove_shape", json!({ "id": "cone" })), ("remove_shape", json!({ "id": "blue_box" }))];
    let results = [json!({ "success": true, "result": {} }), failed("the shape is locked")];
    contents.extend(turn(&calls, &results));
    let (text, calls) = next(&contents);
    assert!(calls.is_empty());
    assert!(text.starts_with("I removed cone."), "{text}");
    assert!(text.contains("blue_box (the shape is locked)"), "{text}");
}

#[test]
fn a_tool_that_cannot_show_the_scene_ends_in_words() {
    let mut contents = vec![Content::user("a red sphere")];
    for _ in 0..2 {
        let (_, calls) = next(&contents);
        assert_eq!(calls[0].0, "get_scene_state");
        contents.extend(turn(&[("get_scene_state", json!({}))], &[failed("out of order")]));
    }
    let (text, calls) = next(&contents);
    assert!(calls.is_empty() && text.contains("out of order"), "{text}");
}

#[test]
fn a_second_message_in_the_middle_is_done_too() {
    let mut contents = vec![Content::user("make the cone blue")];
    contents.extend(looked(&desk()));
    contents.push(Content::user("and make the box red"));
    let (_, calls) = next(&contents);
    let ids: Vec<&Value> = calls.iter().map(|(_, args)| &args["id"]).collect();
    // What was spoken of last comes last.
    assert_eq!(ids, ["cone", "blue_box"]);

    // After the first was done: look again, do the second, tell both.
    let mut stage = Stage::with(&desk());
    stage.contents.push(Content::user("make the cone blue"));
    assert!(stage.step().is_none() && stage.step().is_none());
    let answer = stage.say("remove the box");
    assert!(
        answer.contains("cone is now blue") && answer.contains("I removed blue_box"),
        "{answer}"
    );
}

#[test]
fn what_was_interrupted_waits_for_continue() {
    let mut stage = Stage::with(&desk());
    stage.contents.push(Content::user("remove the cone"));
    assert!(stage.step().is_none());
    let cut = failed("interrupted by the user before it ran");
    stage.contents.extend(turn(&[("remove_shape", json!({ "id": "cone" }))], &[cut]));
    let mut other = Stage::with(&desk());
    other.contents = stage.contents.clone();
    let answer = other.say("what colour is the cone?");
    assert!(answer.contains("white"), "{answer}");
    assert!(other.calls.is_empty());
    stage.say("continue");
    assert_eq!(stage.calls, ["remove_shape cone"]);
}

#[test]
fn an_answer_that_was_cut_off_can_be_continued() {
    let mut stage = Stage::with(&desk());
    stage.contents.push(Content::user("remove the cone"));
    assert!(stage.step().is_none());
    let note = Part::text("[The user interrupted this answer.]");
    stage.contents.push(Content::model(vec![Part::text("I'll remove "), note]));
    stage.say("go on");
    assert_eq!(stage.calls, ["remove_shape cone"]);
}

#[test]
fn it_follows_what_another_model_did() {
    let mut stage = Stage::with(&desk());
    let signed = json!({
        "thoughtSignature": "c2ln",
        "functionCall": { "name": "update_shape", "args": { "id": "cone", "updates": {} } },
    });
    stage.contents = vec![
        Content::user("do something with the cone"),
        Content::model(vec![Part::thought("hm"), Part::from_value(signed)]),
        Content::function(vec![Part::response(
            None,
            "update_shape",
            json!({ "success": true, "result": desk()["shapes"][5] }),
            Vec::new(),
        )]),
        Content::model(vec![Part::text("Done."), Part::from_value(json!({ "odd": 1 }))]),
    ];
    stage.say("make it green");
    assert_eq!(stage.calls, ["update_shape cone"]);
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
        let (text, calls) = next(&contents);
        assert!(!text.is_empty() && calls.is_empty(), "{contents:?}");
    }
}
