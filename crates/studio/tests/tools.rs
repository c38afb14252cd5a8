//! The tools as the model and the user use them: facts, batches, refusals, and how much text they are.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use agent::{ToolOutput, Toolbox};
use scene::{Kind, Scene, SceneManager};
use serde_json::{Value, json};
use spatial::Call;
use studio::{Attention, Author, EditError, Renderer, SharedScene, toolbox};

pub(crate) struct Desk {
    scene: Arc<SharedScene>,
    pub(crate) tools: Toolbox,
}

pub(crate) fn desk() -> Desk {
    let file = json!({ "version": 1, "shapes": [
        { "id": "floor", "type": "quad", "properties": { "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] } },
        { "id": "table", "type": "box", "properties": { "center": [0, 0.5, 0], "dimensions": [2, 1, 1] } },
        { "id": "ball", "type": "sphere", "properties": { "center": [0, 1.25, 0], "radius": 0.25 } } ],
        "camera": { "center": [0, 2, 6], "look_at": [0, 1, 0] } });
    let manager = SceneManager::new(Scene::from_json(&file).unwrap());
    let scene = Arc::new(SharedScene::new(manager, Attention::default()));
    scene.show_to_model();
    let tools = toolbox(&scene, &Renderer::new(1).unwrap());
    Desk { scene, tools }
}

impl Desk {
    async fn call(&self, name: &str, args: Value) -> ToolOutput {
        self.tools.get(name).unwrap().call(args).await
    }

    async fn facts(&self, name: &str, args: Value) -> Value {
        let output = self.call(name, args).await;
        assert!(output.outcome.is_ok(), "{output:?}");
        output.facts.unwrap_or_default()
    }

    /// Revision and scene, for what must not change.
    fn state(&self) -> (u64, Arc<Scene>) {
        let revision = self.scene.current();
        (revision.number, revision.scene)
    }
}

/// About four characters are a token.
fn tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

#[test]
fn all_tools_together_are_under_five_thousand_tokens() {
    let sizes: Vec<(String, usize)> = desk()
        .tools
        .declarations()
        .into_iter()
        .map(|tool| {
            let text = json!({ "name": tool.name, "description": tool.description, "parameters": tool.parameters });
            (tool.name, tokens(&text.to_string()))
        })
        .collect();
    let total: usize = sizes.iter().map(|(_, size)| size).sum();
    assert!(total < 5_000, "{total} tokens: {sizes:?}");
}

#[tokio::test]
async fn facts_tell_what_a_change_has_come_to() {
    let desk = desk();
    let beside = json!({ "id": "ball", "updates": { "properties": { "center": [0, 1.2, 0] } } });
    let facts = desk.facts("update_shape", beside).await;
    assert_eq!(facts["bounds"], json!([[-0.25, 0.95, -0.25], [0.25, 1.45, 0.25]]));
    assert_eq!(facts["touches"], json!(["table"]));
    assert_eq!(facts["new_overlaps"], json!([{ "with": "table", "by": 0.05 }]));
    assert!(facts["screen"].as_f64().unwrap() > 0.005 && facts.get("in_view").is_none(), "{facts}");
    // An overlap that was there before is not news.
    let recoloured = json!({ "id": "ball", "updates": { "properties": {
        "material": { "type": "metal", "albedo": [1, 1, 1], "fuzz": 0 } } } });
    assert!(desk.facts("update_shape", recoloured).await.get("new_overlaps").is_none());
    let raised = desk.facts("move", json!({ "ids": ["ball"], "by": [0, 0.3, 0] })).await;
    assert_eq!(raised["floating"], json!({ "above": "table", "by": 0.25 }));
    let placed =
        desk.facts("place", json!({ "ids": ["ball"], "relation": "on", "to": ["table"] })).await;
    assert_eq!((&placed["touches"], placed.get("floating")), (&json!(["table"]), None));
    let away = desk.facts("move", json!({ "ids": ["ball"], "by": [90, 0, 0] })).await;
    assert_eq!((&away["screen"], &away["in_view"]), (&json!(0.0), &json!(0.0)));
    let camera = desk.facts("look_at", json!({ "point": [0, 0, 99] })).await;
    assert_eq!(camera["out_of_view"], 2);
}

#[tokio::test]
async fn facts_of_one_object_are_short_however_crowded_it_is() {
    let desk = desk();
    let inside = (0..40).map(|at| {
        let id = format!("a_rather_long_name_of_a_sphere_{at}");
        json!({ "name": "create_shape", "args": { "id": id, "type": "sphere",
            "properties": { "center": [0.01 * f64::from(at), 1.123_456, 0.2], "radius": 0.254_321 } } })
    });
    desk.call("edit_scene", json!({ "calls": inside.collect::<Vec<_>>() })).await;
    let args = json!({ "id": "one_more_of_the_same", "type": "sphere",
        "properties": { "center": [0.123_456, 1.1, 0.2], "radius": 0.35 } });
    let facts = desk.facts("create_shape", args).await;
    assert!(tokens(&facts.to_string()) < 120, "{facts}");
    assert_eq!(facts["new_overlaps"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn results_keep_their_own_form() {
    let desk = desk();
    let one = desk.call("move", json!({ "ids": ["ball"], "by": [1, 0, 0] })).await;
    let response = one.response();
    assert_eq!(response["result"]["properties"]["center"], json!([1.0, 1.25, 0.0]));
    assert_eq!(response["result"]["id"], "ball");
    assert!(response["facts"].is_object());
    let many = desk.call("array", json!({ "id": "ball", "pattern": "line", "count": 3 })).await;
    assert_eq!(many.outcome.unwrap(), json!({ "count": 3, "ids": ["ball", "ball_2", "ball_3"] }));
    let camera = desk.call("frame", json!({})).await;
    assert_eq!(camera.outcome.unwrap()["vfov"], 45.0);
    let removed = desk.call("remove_shape", json!({ "id": "ball" })).await;
    assert_eq!((removed.facts, removed.outcome.unwrap()["id"].clone()), (None, json!("ball")));
}

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
    assert_eq!(
        output.outcome.unwrap()["calls"][2],
        json!({ "name": "array", "count": 3, "ids": ["cup", "cup_2", "cup_3"] })
    );
    assert_eq!(desk.state().0, before.0 + 1);
    assert_eq!(output.facts.unwrap()["bounds"][1], json!([0.7, 1.6, 0.1]));
    desk.scene.undo(Author::Model).unwrap();
    assert_eq!(desk.state().1, before.1);
    let before = desk.state();
    let bad = json!({ "calls": [
        { "name": "move", "args": { "ids": ["ball"], "by": [1, 0, 0] } },
        { "name": "move", "args": { "ids": ["bal"], "by": [1, 0, 0] } },
        { "name": "place", "args": { "ids": ["ball"], "relation": "on", "to": ["ball"] } } ] });
    let error = desk.call("edit_scene", bad).await.outcome.unwrap_err();
    assert_eq!(
        error,
        "call 2 (move): there is no 'bal'; did you mean 'ball'? The scene has: floor, table, ball; \
        call 3 (place): place: 'ball' would be placed in relation to itself; name other things in 'to'"
    );
    let unread = json!({ "calls": [{ "name": "moev", "args": {} }, { "args": {} }, { "name": "edit_scene", "args": {} }] });
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
async fn the_user_makes_the_same_calls_and_stands_against_the_models() {
    let desk = desk();
    let call = |name: &str, args: Value| Call::parse(name, &args).unwrap();
    let calls = [
        call("place", json!({ "ids": ["ball"], "relation": "right_of", "to": ["table"] })),
        call("duplicate", json!({ "ids": ["ball"], "offset": [1, 0, 0] })),
    ];
    let applied = desk.scene.apply_for_user(&calls, None).unwrap();
    assert_eq!(applied.changes.len(), 2);
    // The model has not looked since: its call may not move what the user moved.
    let refused = desk.call("move", json!({ "ids": ["table", "ball"], "by": [0, 0, 1] })).await;
    assert!(refused.outcome.unwrap_err().contains("shape 'ball' was changed by the user"));
    let stale = desk
        .scene
        .apply_for_user(&[call("move", json!({ "ids": ["ball"], "by": [1, 0, 0] }))], Some(0));
    assert!(matches!(stale, Err(EditError::Stale(_))));
    desk.scene.show_to_model();
    assert!(
        desk.call("move", json!({ "ids": ["table", "ball"], "by": [0, 0, 1] }))
            .await
            .outcome
            .is_ok()
    );
}

#[tokio::test]
async fn what_a_run_changes_is_taken_back_at_once_but_not_what_the_user_did_in_between() {
    let desk = desk();
    let up = || json!({ "ids": ["ball"], "by": [0, 1, 0] });
    let place = || desk.scene.current().scene.thing(Kind::Shape, "ball").unwrap();
    let first = place();
    desk.scene.run_began();
    desk.call("move", up()).await.outcome.unwrap();
    desk.call("move", up()).await.outcome.unwrap();
    let by_model = place();
    let mine = Call::parse("move", &json!({ "ids": ["ball"], "by": [1, 0, 0] })).unwrap();
    desk.scene.apply_for_user(&[mine], None).unwrap();
    let by_person = place();
    desk.scene.show_to_model();
    desk.call("move", up()).await.outcome.unwrap();
    desk.call("move", up()).await.outcome.unwrap();
    desk.scene.run_ended();
    // The next run is a step of its own.
    let all = place();
    desk.scene.run_began();
    desk.call("move", up()).await.outcome.unwrap();
    desk.scene.run_ended();
    for expected in [all, by_person, by_model, first] {
        desk.scene.undo(Author::User).unwrap();
        assert_eq!(place(), expected);
    }
    assert!(desk.scene.undo(Author::User).is_err());
}

#[tokio::test]
async fn a_mark_is_part_of_the_shape_undone_and_redone_with_it() {
    let desk = desk();
    let up = json!({ "ids": ["ball"], "by": [0, 1, 0] });
    desk.call("move", up).await;
    let found = desk.call("check_scene", json!({})).await.outcome.unwrap();
    assert_eq!(found["findings"][0]["check"], "floating");
    assert_eq!(found["findings"][0]["fix"]["name"], "move");
    let mark = json!({ "id": "ball", "updates": { "intentional": ["floating"] } });
    let marked = desk.call("update_shape", mark).await.outcome.unwrap();
    assert_eq!(marked["intentional"], json!(["floating"]));
    let found = desk.call("check_scene", json!({})).await.outcome.unwrap();
    assert_eq!(found, json!({ "ok": true, "findings": [], "intentional": 1 }));
    desk.scene.undo(Author::Model).unwrap();
    assert_eq!(desk.call("check_scene", json!({})).await.outcome.unwrap()["ok"], false);
    desk.scene.redo(Author::Model).unwrap();
    let copied = desk.call("duplicate", json!({ "ids": ["ball"], "offset": [0.7, 0, 0] })).await;
    assert_eq!(copied.outcome.unwrap()["intentional"], json!(["floating"]));
    let wrong = json!({ "id": "ball", "updates": { "intentional": ["flying"] } });
    let error = desk.call("update_shape", wrong).await.outcome.unwrap_err();
    assert_eq!(
        error,
        "shape 'ball' property 'updates.intentional' has the unknown entry \"flying\"; did you mean \
        'floating'? Known: overlap, floating, out_of_view, hidden, camera_inside, scale, dark, \
        burnt_out"
    );
}

#[tokio::test]
async fn the_example_scenes_have_no_bad_light_and_nothing_out_of_place_but_what_is_known() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    for name in
        ["cornell-box", "night-spots", "snowman", "shape-zoo", "three-materials", "product-shot"]
    {
        let text = std::fs::read_to_string(format!("{folder}/{name}.json")).unwrap();
        let scene = Scene::from_json_text(&text).unwrap();
        let found = studio::findings(&scene, &scene::NoAssets, &tracer::Meshes::default()).found;
        let light = |check: &str| ["dark", "burnt_out", "camera_inside", "scale"].contains(&check);
        assert!(!found.iter().any(|finding| light(finding.check)), "{name}: {found:?}");
    }
}
