//! What it says: the names of things as people say them, what changed, what was found wrong afterwards.

use llm::{Content, Part};
use scene::Scene;
use serde_json::json;

use crate::stage::{Stage, next, scene};

#[test]
fn an_answer_has_no_ids_and_no_coordinates() {
    let mut stage = Stage::over(Scene::default());
    for message in [
        "a red ball on a wooden table",
        "four chairs around the table",
        "make the ball twice as big",
        "move the table 1 m to the left",
        "paint the chairs white",
        "make it night",
        "what is in the scene?",
        "how big is the ball?",
        "remove two of the chairs",
        "undo",
    ] {
        let answer = stage.say(message);

        assert!(!answer.contains('_'), "{message}: {answer}");
    }
}

#[test]
fn what_changed_is_told() {
    let mut stage = Stage::with("shapes");
    for (message, told) in [
        ("make the sphere gold", "The red sphere is now made of gold."),
        ("make the sphere dark green velvet", "The red sphere is now dark green velvet."),
        ("make the sphere gold", "The red sphere is now made of gold."),
        ("move the cone 1 m to the left", "I moved the green cone 1 m to the left."),
        (
            "make the box yellow and the cone red",
            "The blue box is now yellow. The green cone is now red.",
        ),
        ("remove the cone", "I removed the green cone."),
        ("add three white balls", "I added three white balls."),
    ] {
        assert_eq!(stage.say(message), told, "{message}");
    }
}

#[test]
fn a_comparison_is_a_question() {
    let mut stage = Stage::with("shapes");
    for question in
        ["Which is taller, the cone or the box?", "which one is higher: the box or the cone?"]
    {
        let answer = stage.say(question);
        assert_eq!(answer, "The green cone: 1.2 m against 1 m.", "{question}");
        assert_eq!(stage.scene(), &scene("shapes"));
    }
}

#[test]
fn what_is_made_is_checked_before_the_answer() {
    let mut stage = Stage::over(Scene::default()).with_tools();
    let answer = stage.say("a red sphere on a grey floor");
    let checks = stage.calls.iter().filter(|(name, _)| name == "check_scene").count();
    assert_eq!(checks, 1, "{:?}", stage.calls);
    assert!(!answer.contains("in the air"), "{answer}");
    for message in ["make it blue", "call it bob", "how big is it?"] {
        stage.say(message);
        assert!(!stage.calls.iter().any(|(name, _)| name == "check_scene"), "{message}");
    }
}

#[test]
fn parts_of_an_object_are_not_told_as_faults() {
    let mut stage = Stage::over(Scene::default()).with_tools();
    for message in [
        "a snowman",
        "a car next to it",
        "a table with four chairs",
        "a lamp on the table",
        "a bench under a tree",
    ] {
        let answer = stage.say(message);
        for complaint in ["cut into", "in the air", "hidden", "outside the picture"] {
            assert!(!answer.contains(complaint), "{message}: {answer}");
        }
    }
}

/// What is answered to a message that changed the sphere, after this was found about `ids`.
fn answer_after(message: &str, check: &str, ids: &[&str], by: f64) -> String {
    let finding = json!({ "check": check, "ids": ids, "message": "",
        "fix": { "name": "move", "args": { "ids": ids, "by": [0.0, by, 0.0] } } });
    let mut stage = Stage::with("shapes").with_tools();
    stage.contents.push(Content::user(message));
    while !stage.calls.iter().any(|(name, _)| name == "check_scene") {
        assert!(stage.step().is_none(), "{message}: no check");
    }
    let report = json!({ "success": true, "result": { "ok": false, "findings": [finding] } });
    stage.contents.pop();
    stage.contents.push(Content::function(vec![Part::response(
        None,
        "check_scene",
        report,
        Vec::new(),
    )]));
    next(&stage.contents, &["edit_scene", "check_scene"]).visible_text()
}

#[test]
fn findings_are_told_where_they_matter() {
    let told = [
        "in the air",
        "cut into",
        "hidden from",
        "outside the picture",
        "camera is inside",
        "all but black",
        "too bright",
    ];
    let (ball, box_) = ("red_sphere", "blue_box");
    assert!(scene("shapes").shape(ball).is_some() && scene("shapes").shape(box_).is_some());
    let plain = "make the sphere 1.4 m wide";
    for (message, check, ids, by, words) in [
        (plain, "floating", vec![ball], -2.0, Some("The red sphere hangs in the air.")),
        ("lift the sphere by 1 m", "floating", vec![ball], -2.0, None),
        (plain, "floating", vec![ball], -0.001, None),
        (plain, "floating", vec![box_], -2.0, None),
        (
            plain,
            "overlap",
            vec![ball, box_],
            2.0,
            Some("The red sphere and the blue box cut into each other."),
        ),
        (plain, "hidden", vec![ball], 2.0, Some("hidden from the camera")),
        (plain, "out_of_view", vec![ball], 2.0, Some("outside the picture")),
        (plain, "camera_inside", vec![ball], 2.0, Some("The camera is inside")),
        (plain, "scale", vec![ball], 2.0, None),
        (plain, "dark", vec![], 2.0, Some("all but black")),
        (plain, "burnt_out", vec![], 2.0, Some("too bright")),
    ] {
        let answer = answer_after(message, check, &ids, by);
        match words {
            Some(words) => assert!(answer.contains(words), "{message}, {check}: {answer}"),
            None => {
                let told = told.iter().find(|words| answer.contains(**words));
                assert_eq!(told, None, "{message}, {check}: {answer}");
            }
        }
    }
}

#[test]
fn what_can_be_seen_and_what_has_room_is_answered() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a table with a lamp and a cup on it");
    let before = stage.scene().clone();
    for (question, answer) in [
        ("can you see the cup from here?", "Yes"),
        ("is there room for a laptop on the table?", "Yes"),
        ("is there room for a piano on the table?", "No"),
        ("the cup isn't blue, is it?", "No"),
    ] {
        let said = stage.say(question);

        assert!(said.contains(answer), "{question}: {said}");
        assert_eq!(*stage.scene(), before, "{question}");
    }
}

#[test]
fn the_way_a_thing_faces_is_told_and_turning_it_twice_changes_nothing() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a chair with a table behind it");

    assert!(stage.say("does the chair face the table?").contains("No"));
    stage.expect("turn the chair to face the table", &["1 changed ~chair"]);
    assert!(stage.say("does the chair face the table?").contains("Yes"));
    stage.expect("turn the chair to face the table", &["unchanged"]);
}

#[test]
fn things_are_told_apart_by_what_they_exceed() {
    let mut stage = Stage::with("shapes");
    stage.expect("is the cone taller than half a metre?", &["answers", "mentions yes"]);
    stage.expect("how many are taller than five metres?", &["answers", "mentions no"]);
    stage.expect("is anything taller than the cone?", &["answers"]);
}

#[test]
fn what_the_picture_does_not_show_is_told() {
    let mut stage = Stage::with("shapes");
    stage.expect("what's off screen?", &["answers", "mentions seen"]);
    stage.expect("how many triangles?", &["answers", "mentions exact"]);
}
