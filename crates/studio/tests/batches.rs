//! Batches of the tool `edit_scene`: one step, what is kept after a fault, and corrections.

use std::sync::Arc;

use serde_json::json;
use spatial::Call;
use studio::{Author, EditError};

use crate::tools::{ball, desk};

#[tokio::test]
async fn a_batch_is_one_step_or_nothing() {
    let desk = desk();
    let good = json!({ "calls": [
        { "name": "create_shape", "args": { "id": "cup", "type": "cylinder", "properties": {
            "base_center": [5, 0, 0], "top_center": [5, 0.2, 0], "radius": 0.1, "capped": true } } },
        { "name": "place", "args": { "ids": ["cup"], "relation": "on", "to": ["table"], "offset": [0.6, 0, 0] } },
        { "name": "array", "args": { "id": "cup", "pattern": "stack", "count": 3 } },
        { "name": "set_environment_lighting", "args": { "type": "none" } } ] });
    let before = desk.state();
    let output = desk.call("edit_scene", good).await;
    // Information in the arguments is not repeated.
    assert_eq!(
        output.outcome.unwrap(),
        json!({ "done": 4, "calls": [
            { "index": 3, "name": "array", "count": 3, "ids": ["cup", "cup_2", "cup_3"] } ] })
    );
    assert_eq!(desk.state().0, before.0 + 1);
    assert_eq!(output.facts.unwrap()["bounds"][1], json!([0.7, 1.6, 0.1]));
    desk.scene.undo(Author::Model).unwrap();
    assert_eq!(desk.state().1, before.1);
    let before = desk.state();
    let bad = json!({ "on_fault": "all_or_nothing", "calls": [
        { "name": "move", "args": { "ids": ["ball"], "by": [1, 0, 0] } },
        { "name": "move", "args": { "ids": ["bal"], "by": [1, 0, 0] } },
        { "name": "place", "args": { "ids": ["ball"], "relation": "on", "to": ["ball"] } } ] });
    let error = desk.call("edit_scene", bad).await.outcome.unwrap_err();
    assert_eq!(
        error,
        "call 2 (move): there is no 'bal'; did you mean 'ball'? The scene has: floor, table, ball; \
        call 3 (place): place: 'ball' would be placed in relation to itself; name other things in 'to'"
    );
    let unread = json!({ "on_fault": "all_or_nothing", "calls": [{ "name": "moev", "args": {} }, { "args": {} }, { "name": "edit_scene", "args": {} }] });
    let error = desk.call("edit_scene", unread).await.outcome.unwrap_err();
    assert!(error.starts_with("call 1: there is no edit 'moev'; did you mean 'move'?"), "{error}");
    assert!(
        error.contains("call 2: requires 'name'")
            && error.contains("call 3: edit_scene cannot hold itself"),
        "{error}"
    );
    let after = desk.state();
    assert!(after.0 == before.0 && Arc::ptr_eq(&after.1, &before.1));
}

#[tokio::test]
async fn a_batch_keeps_what_worked_and_goes_on_when_the_failed_call_is_corrected() {
    let desk = desk();
    let before = desk.state();
    let calls = json!({ "calls": [
        ball("pea_1", 1.0),
        { "name": "move", "args": { "ids": ["pea_9"], "by": [0, 1, 0] } },
        { "name": "create_shape", "args": { "id": "pea_2", "type": "sphere",
            "properties": { "center": [2, 0.1, 3], "radius": -1 } } },
        ball("pea_3", 3.0) ] });
    let output = desk.call("edit_scene", calls).await;
    assert_eq!(output.version, Some(before.0 + 1));
    let response = output.response();
    assert_eq!(response["success"], false);
    assert_eq!(response["done"], json!({ "done": 1 }));
    let error = response["error"].as_str().unwrap();
    let expected = "call 2 (move): there is no 'pea_9'; did you mean 'pea_1'? The scene has: floor, table, ball, \
        pea_1. Call 1 is done and stays. Send only the corrected call: edit_scene {\"calls\": [{\"index\": 2, \
        \"name\": ..., \"args\": ...}]}, or {\"index\": 2, \"skip\": true}; calls 3 to 4 follow by themselves \
        then. Correct with it: call 3: shape 'pea_2' property 'radius' must be";
    assert!(error.starts_with(expected), "{error}");
    let ids = || -> Vec<String> {
        desk.state().1.shapes.iter().map(|shape| shape.id.as_str().to_owned()).collect()
    };
    assert_eq!(ids(), ["floor", "table", "ball", "pea_1"]);
    // An invalid correction changes nothing and can be sent again.
    let late = json!({ "calls": [{ "index": 1, "skip": true }, { "index": 7, "skip": true }, ball("x", 0.0)] });
    let error = desk.call("edit_scene", late).await.outcome.unwrap_err();
    for part in ["call 1 is done already", "there is no call 7: the batch has 4", "or none has"] {
        assert!(error.contains(part), "{error}");
    }
    let mut right = ball("pea_2", 2.0);
    right["index"] = json!(3);
    let correction = json!({ "calls": [{ "index": 2, "skip": true }, right] });
    let output = desk.call("edit_scene", correction.clone()).await;
    assert_eq!(output.outcome.unwrap(), json!({ "done": 2 }));
    assert_eq!(ids(), ["floor", "table", "ball", "pea_1", "pea_2", "pea_3"]);
    let error = desk.call("edit_scene", correction).await.outcome.unwrap_err();
    assert!(error.contains("no batch waits for a correction"), "{error}");
}

#[tokio::test]
async fn a_batch_that_stopped_waits_while_others_are_carried_out() {
    let desk = desk();
    let wrong = json!({ "name": "move", "args": { "ids": ["pea_9"], "by": [0, 1, 0] } });
    desk.call("edit_scene", json!({ "calls": [wrong, ball("pea_1", 1.0)] })).await;
    // As in one answer with two batches.
    let whole = desk.call("edit_scene", json!({ "calls": [ball("pea_2", 2.0)] })).await;
    assert!(whole.outcome.is_ok());
    let skip = json!({ "calls": [{ "index": 1, "skip": true }] });
    let output = desk.call("edit_scene", skip.clone()).await;
    assert_eq!(output.outcome.unwrap(), json!({ "done": 1 }));
    let ids: Vec<_> = desk.state().1.shapes.iter().map(|shape| shape.id.to_string()).collect();
    assert_eq!(ids[3..], ["pea_2", "pea_1"]);
    assert!(desk.call("edit_scene", skip).await.outcome.is_err(), "it waits no more");
}

#[tokio::test]
async fn a_batch_that_fails_at_once_changes_nothing_and_waits() {
    let desk = desk();
    let before = desk.state();
    let mut wrong = ball("pea", 1.0);
    wrong["args"]["properties"] = json!({ "radius": 1 });
    let error = desk.call("edit_scene", json!({ "calls": [wrong] })).await.outcome.unwrap_err();
    assert!(
        error.contains("requires 'center'") && error.contains("Nothing was changed"),
        "{error}"
    );
    assert!(Arc::ptr_eq(&desk.state().1, &before.1));
    let mut right = ball("pea", 1.0);
    right["index"] = json!(1);
    let output = desk.call("edit_scene", json!({ "calls": [right] })).await;
    assert_eq!(output.outcome.unwrap(), json!({ "done": 1 }));
}

#[tokio::test]
async fn edits_by_hand_are_all_or_nothing() {
    let desk = desk();
    let stop = json!({ "on_fault": "stop", "calls": [ball("pea", 1.0)] });
    let call = Call::parse("edit_scene", &stop).unwrap();
    let refused = desk.scene.apply_for_user(&[call], None);
    assert!(
        matches!(&refused, Err(EditError::Invalid(why)) if why.to_string().contains("all or nothing")),
        "{refused:?}"
    );
}
