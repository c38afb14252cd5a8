//! The tools for the model and the user: facts, batches, rejections, and token counts.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use agent::{ToolOutput, Toolbox};
use catalogue::OwnObjects;
use scene::{Kind, Scene, SceneManager};
use serde_json::{Value, json};
use spatial::Call;
use studio::{Attention, Author, EditError, Renderer, SharedScene, toolbox};

pub(crate) struct Desk {
    pub(crate) scene: Arc<SharedScene>,
    pub(crate) tools: Toolbox,
}

pub(crate) fn desk() -> Desk {
    desk_with(Arc::default())
}

/// A desk with objects of the user's own.
pub(crate) fn desk_with(own: Arc<OwnObjects>) -> Desk {
    let file = json!({ "version": 1, "shapes": [
        { "id": "floor", "type": "quad", "properties": { "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] } },
        { "id": "table", "type": "box", "properties": { "center": [0, 0.5, 0], "dimensions": [2, 1, 1] } },
        { "id": "ball", "type": "sphere", "properties": { "center": [0, 1.25, 0], "radius": 0.25 } } ],
        "camera": { "center": [0, 2, 6], "look_at": [0, 1, 0] } });
    let manager = SceneManager::new(Scene::from_json(&file).unwrap());
    let scene = SharedScene::new(manager, Attention::default()).with_own_objects(own);
    let scene = Arc::new(scene);
    scene.show_to_model();
    let tools = toolbox(&scene, &Renderer::new(1).unwrap(), Author::Model);
    Desk { scene, tools }
}

impl Desk {
    pub(crate) async fn call(&self, name: &str, args: Value) -> ToolOutput {
        self.tools.get(name).unwrap().call(args).await
    }

    async fn facts(&self, name: &str, args: Value) -> Value {
        let output = self.call(name, args).await;
        assert!(output.outcome.is_ok(), "{output:?}");
        output.facts.unwrap_or_default()
    }

    /// The revision and the scene, to check that they do not change.
    pub(crate) fn state(&self) -> (u64, Arc<Scene>) {
        let revision = self.scene.current();
        (revision.number, revision.scene)
    }
}

#[test]
fn the_names_of_all_tools_are_known_without_a_scene() {
    let named: std::collections::BTreeSet<String> =
        studio::tool_names().map(str::to_owned).collect();
    assert_eq!(desk().tools.names(), named);
}

/// A token has about four characters.
fn tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

#[test]
fn all_tools_together_are_under_five_thousand_tokens() {
    let sizes: Vec<(String, usize)> = desk()
        .tools
        .declarations()
        .iter()
        .map(|tool| {
            let text = json!({ "name": tool.name, "description": tool.description, "parameters": *tool.parameters });
            (tool.name.clone(), tokens(&text.to_string()))
        })
        .collect();
    let total: usize = sizes.iter().map(|(_, size)| size).sum();
    assert!(total < 5_000, "{total} tokens: {sizes:?}");
}

#[tokio::test]
async fn facts_tell_what_a_change_has_come_to() {
    let desk = desk();
    let sunk = json!({ "id": "ball", "updates": { "properties": { "center": [0, 1.05, 0] } } });
    let facts = desk.facts("update_shape", sunk).await;
    assert_eq!(facts["bounds"], json!([[-0.25, 0.8, -0.25], [0.25, 1.3, 0.25]]));
    assert_eq!(facts["touches"], json!(["table"]));
    assert_eq!(facts["new_overlaps"], json!([{ "with": "table", "by": 0.2 }]));
    assert!(facts["screen"].as_f64().unwrap() > 0.005 && facts.get("in_view").is_none(), "{facts}");
    // An existing overlap is not reported again.
    let recoloured = json!({ "id": "ball", "updates": { "properties": {
        "material": { "type": "metal", "albedo": [1, 1, 1], "fuzz": 0 } } } });
    assert!(desk.facts("update_shape", recoloured).await.get("new_overlaps").is_none());
    let raised = desk.facts("move", json!({ "ids": ["ball"], "by": [0, 0.45, 0] })).await;
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
        let id = format!("a_rather_long_name_of_sphere_{at}_of_many");
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

pub(crate) fn ball(id: &str, x: f64) -> Value {
    json!({ "name": "create_shape", "args": { "id": id, "type": "sphere",
        "properties": { "center": [x, 0.1, 3], "radius": 0.1 } } })
}

#[tokio::test]
async fn names_can_be_patterns_and_crowds_are_told_in_short() {
    let desk = desk();
    let calls: Vec<Value> =
        (1..=12).map(|at| ball(&format!("pea_{at}"), 0.3 * f64::from(at))).collect();
    desk.call("edit_scene", json!({ "calls": calls })).await.outcome.unwrap();
    let moved =
        desk.call("move", json!({ "ids": ["pea_*"], "by": [0, 1, 0] })).await.outcome.unwrap();
    assert_eq!(moved, json!({ "count": 12, "ids": ["pea_1", "pea_2", "...", "pea_12"] }));
    let red = json!({ "id": "pea_1*", "updates": { "properties": { "material": { "color": [1, 0, 0] } } } });
    let updated = desk.call("update_shape", red).await.outcome.unwrap();
    assert_eq!(updated["count"], 4);
    let removed = desk.call("remove", json!({ "ids": ["pea_1*", "table"] })).await.outcome.unwrap();
    assert_eq!(
        removed,
        json!({ "count": 5, "removed": ["pea_1", "pea_10", "pea_11", "pea_12", "table"] })
    );
    let error =
        desk.call("remove", json!({ "ids": ["bean_*", "pea_2"] })).await.outcome.unwrap_err();
    assert!(error.starts_with("there is no 'bean_*'"), "{error}");
    assert!(desk.state().1.shape("pea_2").is_some(), "nothing is removed if a name is wrong");
}

#[tokio::test]
async fn copies_tell_the_groups_they_make() {
    let desk = desk();
    desk.call("group", json!({ "id": "set", "ids": ["table", "ball"] })).await.outcome.unwrap();
    let copied = desk.call("duplicate", json!({ "ids": ["set"], "offset": [4, 0, 0] })).await;
    assert_eq!(
        copied.outcome.unwrap(),
        json!({ "count": 2, "ids": ["set_2_table", "set_2_ball"], "new_groups": ["set_2"] })
    );
}

#[tokio::test]
async fn lights_and_skies_tell_what_they_do() {
    let desk = desk();
    let panel = json!({ "id": "panel", "type": "area_quad_light", "properties": {
        "corner": [-0.5, 3, -0.5], "u": [1, 0, 0], "v": [0, 0, 1], "emission": [10, 10, 10] } });
    let up = desk.facts("create_light", panel).await;
    // u x v is down.
    assert_eq!(up["shines"], json!([0.0, -1.0, 0.0]));
    let bright = up["white_in_the_middle_gets_unshadowed"].as_f64().unwrap();
    assert!((0.3..0.8).contains(&bright), "{bright}");
    let turned =
        json!({ "id": "panel", "updates": { "properties": { "u": [0, 0, 1], "v": [1, 0, 0] } } });
    let facts = desk.facts("update_light", turned).await;
    assert_eq!(
        (&facts["shines"], &facts["white_in_the_middle_gets_unshadowed"]),
        (&json!([0.0, 1.0, 0.0]), &json!(0.0))
    );
    let found = desk.call("check_scene", json!({})).await.outcome.unwrap();
    let away = found["findings"].as_array().unwrap().iter().find(|it| it["check"] == "light_away");
    let fix = away.unwrap()["fix"].clone();
    desk.call(fix["name"].as_str().unwrap(), fix["args"].clone()).await.outcome.unwrap();
    let found = desk.call("check_scene", json!({})).await.outcome.unwrap();
    assert!(!found.to_string().contains("light_away"), "{found}");
    let facts = desk.facts("set_environment_lighting", json!({ "type": "sky", "time": 12 })).await;
    let height = facts["sun"]["degrees_above_horizon"].as_f64().unwrap();
    assert!((60.0..75.0).contains(&height) && facts["sun"]["colour"] == "white", "{facts}");
    // Also in a batch.
    let sky =
        json!({ "name": "set_environment_lighting", "args": { "type": "sky", "time": 18.5 } });
    let ball = json!({ "name": "create_shape", "args": { "id": "moon", "type": "sphere",
        "properties": { "center": [0, 9, 0], "radius": 0.5 } } });
    let facts = desk.facts("edit_scene", json!({ "calls": [sky, ball] })).await;
    assert!(facts["sun"]["degrees_above_horizon"].as_f64().is_some_and(|it| it < 20.0), "{facts}");
}

#[tokio::test]
async fn everything_that_can_be_written_can_be_described() {
    let desk = desk();
    let all = desk.call("describe", json!({})).await.outcome.unwrap();
    assert!(all["shapes"].as_array().unwrap().contains(&json!("lathe")));
    let some = desk
        .call("describe", json!({ "names": ["lathe", "wood", "velvt"] }))
        .await
        .outcome
        .unwrap();
    assert!(some["lathe"]["properties"]["profile"].as_str().unwrap().starts_with("required"));
    assert!(some["wood"]["example"].is_object());
    let patterns = desk.call("describe", json!({ "names": ["scatter"] })).await.outcome.unwrap();
    assert!(patterns["scatter"]["properties"]["slope"].is_string(), "{patterns}");
    assert!(some["unknown"][0].as_str().unwrap().contains("did you mean 'velvet'"), "{some}");
    let error = desk.call("describe", json!({ "names": "golt" })).await.outcome.unwrap_err();
    assert!(error.contains("did you mean 'gold'"), "{error}");
}

/// The schemas contain every property of shapes, materials, environments and cameras, and require
/// only required ones.
#[test]
fn the_schemas_are_complete_and_honest() {
    let tools = desk().tools;
    let schema = |name: &str| tools.get(name).unwrap().parameters();
    let shape = schema("create_shape")["properties"]["properties"]["properties"].clone();
    for name in [
        "points", "profile", "outline", "holes", "depth", "heights", "noise", "text", "size",
        "sides", "curve", "closed", "smooth",
    ] {
        assert!(shape[name].is_object(), "{name}");
    }
    for name in [
        "base_color",
        "specular_roughness",
        "transmission_weight",
        "coat_weight",
        "emission_luminance",
        "preset",
    ] {
        assert!(shape["material"]["properties"][name].is_object(), "{name}");
    }
    assert!(shape["material"].get("required").is_none());
    for name in ["haze", "sky_rotation", "strength", "latitude"] {
        assert!(schema("set_environment_lighting")["properties"][name].is_object(), "{name}");
    }
    assert!(schema("set_camera")["properties"]["projection"].is_object());
    assert_eq!(schema("array")["required"], json!(["id", "pattern"]));
    assert_eq!(schema("mirror")["required"], json!(["ids", "axis"]));
    assert!(schema("frame").get("required").is_none());
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
    // The next run is a separate step.
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
        'floating'? Known: overlap, floating, out_of_view, hidden, camera_inside, camera_low, \
        scale, dark, burnt_out, subject_light, light_away"
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
