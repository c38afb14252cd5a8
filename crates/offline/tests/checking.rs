//! After it has changed something it has the scene looked over, where the tool for that is offered.

use llm::{Content, Part};
use serde_json::json;

use crate::stage::{Stage, ask, desk};

#[test]
fn what_is_made_is_checked_before_the_answer() {
    let mut stage = Stage::with_check();
    let answer = stage.say("a red sphere on a grey floor");
    assert_eq!(stage.calls.last().map(String::as_str), Some("check_scene"), "{:?}", stage.calls);
    assert_eq!(stage.calls.iter().filter(|call| *call == "check_scene").count(), 1);
    assert!(!answer.contains("in the air"), "{answer}");
}

#[test]
fn what_looks_wrong_is_told_and_left_alone() {
    let mut stage = Stage::with_check();
    stage.say("a grey floor");
    let answer = stage.say("add a blue box at (0, 5, 0)");
    assert!(answer.contains("blue_box hangs in the air."), "{answer}");
    let revision = stage.manager.current().number;
    let answer = stage.say("what is in the scene?");
    assert!(!answer.contains("in the air"), "only after a change: {answer}");
    assert_eq!(stage.manager.current().number, revision);
}

#[test]
fn faults_that_were_there_before_are_not_told_again() {
    let mut stage = Stage::with_check();
    stage.say("a grey floor and a blue box at (0, 5, 0)");
    let answer = stage.say("add a red sphere on the floor");
    assert!(!answer.contains("in the air"), "{answer}");
}

#[test]
fn colours_and_names_need_no_check() {
    let mut stage = Stage::with_check();
    stage.say("a red sphere");
    for message in ["make it blue", "call it bob", "how big is it?"] {
        stage.say(message);
        assert!(!stage.calls.iter().any(|call| call == "check_scene"), "{message}");
    }
}

#[test]
fn parts_of_an_object_are_not_told_as_faults() {
    let mut stage = Stage::with_check();
    for message in
        ["a snowman", "a car next to it", "a table with four chairs", "a lamp on the table"]
    {
        let answer = stage.say(message);
        for complaint in ["cut into", "in the air", "hidden", "outside the picture"] {
            assert!(!answer.contains(complaint), "{message}: {answer}");
        }
    }
}

#[test]
fn what_is_put_under_a_tree_stands_beside_its_trunk() {
    for message in ["a palm tree with a deck chair underneath", "a bench under a tree"] {
        let mut stage = Stage::with_check();
        let answer = stage.say(message);
        for complaint in ["cut into", "in the air", "raised", "smaller"] {
            assert!(!answer.contains(complaint), "{message}: {answer}");
        }
    }
}

/// What is answered to `message`, which changed the big ball, after the check found this about `ids`.
fn answer_after(message: &str, check: &str, ids: &[&str], by: f64) -> String {
    let finding = json!({ "check": check, "ids": ids, "message": "",
        "fix": { "name": "move", "args": { "ids": ids, "by": [0.0, by, 0.0] } } });
    let scene = desk();
    let ball = scene["shapes"][1].clone();
    let change = json!({ "id": ball["id"], "updates": { "properties": { "center": [0, 3, 0] } } });
    let steps = [
        ("get_scene_state", json!({}), scene.clone()),
        ("update_shape", change, ball),
        ("check_scene", json!({}), json!({ "ok": false, "findings": [finding] })),
    ];
    let mut contents = vec![Content::user(message)];
    for (name, args, result) in steps {
        contents.push(Content::model(vec![Part::call(Some(name), name, args)]));
        let response = json!({ "success": true, "result": result });
        contents.push(Content::function(vec![Part::response(
            Some(name),
            name,
            response,
            Vec::new(),
        )]));
    }
    Content::model(ask(&contents)).visible_text()
}

#[test]
fn each_kind_of_finding_is_told_where_it_matters() {
    let scene = desk();
    let id = |at: usize| scene["shapes"][at]["id"].as_str().unwrap_or_default();
    let (ball, other) = (id(1), id(2));
    let plain = format!("change {ball}");
    for (message, check, ids, by, words) in [
        (plain.as_str(), "floating", vec![ball], -2.0, Some("in the air")),
        ("lift it up", "floating", vec![ball], -2.0, None),
        ("cover it with gold", "floating", vec![ball], -2.0, Some("in the air")),
        (plain.as_str(), "floating", vec![ball], -0.001, None),
        (plain.as_str(), "floating", vec![other], -2.0, None),
        (plain.as_str(), "overlap", vec![ball, other], 2.0, Some("cut into each other")),
        ("put it in the other", "overlap", vec![ball, other], 2.0, None),
        (plain.as_str(), "hidden", vec![ball], 2.0, Some("hidden from the camera")),
        (plain.as_str(), "out_of_view", vec![ball], 2.0, Some("outside the picture")),
        (plain.as_str(), "camera_inside", vec![ball], 2.0, Some("camera is inside")),
        (plain.as_str(), "scale", vec![ball], 2.0, None),
        (plain.as_str(), "dark", vec![], 2.0, Some("all but black")),
        (plain.as_str(), "burnt_out", vec![], 2.0, Some("too bright")),
    ] {
        let answer = answer_after(message, check, &ids, by);
        let every = [
            "in the air",
            "cut into",
            "hidden from",
            "outside the picture",
            "camera is inside",
            "all but black",
            "too bright",
        ];
        match words {
            Some(words) => assert!(answer.contains(words), "{message}, {check}: {answer}"),
            None => {
                let told = every.iter().find(|words| answer.contains(**words));
                assert_eq!(told, None, "{message}, {check}: {answer}");
            }
        }
    }
}
