//! Revisions are immutable; undo, redo and restore create new ones; diffs describe the changes.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use expect_test::expect;
use proptest::prelude::*;
use scene::{Edit, HistoryError, Patch, Scene, SceneManager, Step, diff};
use serde_json::{Value, json};

fn sphere(id: &str, radius: f64) -> Edit {
    let args = json!({ "id": id, "type": "sphere", "properties": { "center": [0,0,0], "radius": radius } });
    Edit::parse("create_shape", &args).unwrap()
}

#[test]
fn undo_redo_and_restore_make_new_revisions() {
    let mut manager = SceneManager::default();
    manager.apply(&[sphere("a", 1.0)]).unwrap();
    manager.apply(&[sphere("b", 1.0)]).unwrap();
    let two = Arc::clone(&manager.current().scene);
    assert_eq!(manager.undo().unwrap().revision.number, 3);
    assert_eq!(manager.current().scene.shapes.len(), 1);
    assert_eq!(manager.redo().unwrap().revision.number, 4);
    assert_eq!(*manager.current().scene, *two);
    assert_eq!(manager.redo().unwrap_err(), HistoryError::NothingToRedo);
    assert_eq!(manager.restore(0).unwrap().revision.number, 5);
    assert!(manager.current().scene.shapes.is_empty());
    manager.undo().unwrap();
    assert_eq!(*manager.current().scene, *two);
    assert_eq!(
        manager.restore(99).unwrap_err().to_string(),
        "there is no revision 99; the newest is 6 and the oldest kept is 0"
    );
}

#[test]
fn what_goes_on_with_a_change_is_undone_and_redone_with_it() {
    let mut manager = SceneManager::default();
    manager.apply(&[sphere("a", 1.0)]).unwrap();
    manager.apply(&[sphere("b", 1.0)]).unwrap();
    for id in ["c", "d"] {
        let mut draft = manager.draft();
        draft.apply(&sphere(id, 1.0)).unwrap();
        manager.commit_more(draft).unwrap();
    }
    let ids = |manager: &SceneManager| -> Vec<String> {
        manager.current().scene.shapes.iter().map(|shape| shape.id.to_string()).collect()
    };
    manager.undo().unwrap();
    assert_eq!(ids(&manager), ["a"]);
    manager.redo().unwrap();
    assert_eq!(ids(&manager), ["a", "b", "c", "d"]);
    manager.undo().unwrap();
    manager.undo().unwrap();
    assert!(ids(&manager).is_empty() && !manager.can_undo());
}

#[test]
fn an_edit_after_undo_forgets_redo_and_an_edit_that_changes_nothing_is_no_revision() {
    let mut manager = SceneManager::default();
    assert_eq!(manager.undo().unwrap_err(), HistoryError::NothingToUndo);
    manager.apply(&[sphere("a", 1.0)]).unwrap();
    manager.undo().unwrap();
    manager.apply(&[sphere("b", 1.0)]).unwrap();
    assert!(!manager.can_redo());
    let number = manager.current().number;
    let same = json!({ "id": "b", "updates": { "properties": { "radius": 1 } } });
    let applied = manager.apply(&[Edit::parse("update_shape", &same).unwrap()]).unwrap();
    assert_eq!((applied.revision.number, applied.changes.len()), (number, 0));
}

#[test]
fn a_patch_for_another_scene_is_refused() {
    let mut manager = SceneManager::default();
    let empty = Scene::default();
    manager.apply(&[sphere("a", 1.0), sphere("b", 1.0)]).unwrap();
    let patch = manager.apply(&[sphere("c", 1.0)]).unwrap().patch;
    assert_eq!(
        patch.apply(&empty).unwrap_err().to_string(),
        "the patch does not fit the scene: it reaches item 2 of a list of 0"
    );
}

#[test]
fn a_difference_names_what_was_made_changed_and_removed() {
    let before = Scene::from_json(&json!({ "version": 1, "shapes": [
        { "id": "a", "type": "sphere", "properties": { "center": [0,0,0], "radius": 1 } },
        { "id": "b", "type": "sphere", "properties": { "center": [0,0,0], "radius": 1 } } ] }));
    let after =
        Scene::from_json(&json!({ "version": 1, "environment": { "type": "none" }, "shapes": [
        { "id": "b", "type": "sphere", "properties": { "center": [0,0,0], "radius": 2 } },
        { "id": "c", "type": "sphere", "properties": { "center": [0,0,0], "radius": 1 } } ] }));
    let summary: Vec<String> = diff(&before.unwrap(), &after.unwrap())
        .iter()
        .map(|change| format!("{:?} {:?} {:?}", change.operation, change.kind, change.id))
        .collect();
    expect![[r#"
        Remove Shape Some("a")
        Update Shape Some("b")
        Create Shape Some("c")
        Update Environment None"#]]
    .assert_eq(&summary.join("\n"));
}

#[test]
fn the_context_text_holds_every_object_with_its_bounds() {
    let scene = Scene::from_json(&json!({ "version": 1,
        "shapes": [
            { "id": "red_sphere", "type": "sphere", "group": "toys", "properties": { "center": [0,1,0],
              "radius": 1, "material": { "type": "lambertian", "albedo": [0.8,0.1,0.1] } } },
            { "id": "crate", "type": "box", "properties": { "center": [3,1,0],
              "dimensions": [2,2,2], "rotation": [0,45,0] } } ],
        "lights": [ { "id": "key", "type": "disc_spot_light", "properties":
            { "center": [0,4,0], "normal": [0,-2,0], "radius": 1, "emission": [8,8,8] } } ] }));
    expect![[r#"
        shapes (2):
        - red_sphere: sphere group=toys center=[0,1,0] radius=1 material=(lambertian albedo=[0.8,0.1,0.1]) | bounds [-1,0,-1] to [1,2,1]
        - crate: box center=[3,1,0] dimensions=[2,2,2] rotation=[0,45,0] material=(lambertian albedo=[0.5,0.5,0.5]) | bounds [1.586,0,-1.414] to [4.414,2,1.414]
        lights (1):
        - key: disc_spot_light center=[0,4,0] normal=[0,-2,0] radius=1 emission=[8,8,8] | bounds [-1,4,-1] to [1,4,1]
        groups (1):
        - toys: red_sphere
        environment: gradient top_color=[0.5,0.7,1] bottom_color=[1,1,1]
        camera: center=[0,0,5] look_at=[0,0,0] up=[0,1,0] vfov=45 aperture=0 focus_distance=null
    "#]]
    .assert_eq(&scene.unwrap().to_context_text());
}

#[test]
fn the_context_text_tells_crowds_in_a_line_and_groups_as_a_tree() {
    let spoke = |at: usize| {
        json!({ "id": format!("spoke_{at}"), "type": "capsule", "group": "wheel", "properties": {
            "start": [0, 0, 0], "end": [0.03 * at as f64, 0.3, 0], "radius": 0.00212345 } })
    };
    let mut shapes: Vec<_> = (1..=6).map(spoke).collect();
    shapes.push(json!({ "id": "rim", "type": "torus", "group": "wheel", "properties": {
        "center": [0, 0, 0], "normal": [0, 0, 1], "radius": 0.3, "thickness": 0.02 } }));
    shapes.push(json!({ "id": "bell", "type": "sphere", "group": "bicycle", "properties": {
        "center": [0, 1, 0], "radius": 0.03 } }));
    let groups = json!([{ "id": "wheel", "parent": "bicycle" }, { "id": "bicycle" }]);
    let scene = Scene::from_json(&json!({ "version": 1, "shapes": shapes, "groups": groups }));
    let text = scene.unwrap().to_context_text();
    expect![[r#"
        shapes (8):
        - spoke_1: capsule group=wheel start=[0,0,0] end=[0.03,0.3,0] radius=0.002123 material=(lambertian albedo=[0.5,0.5,0.5]) | bounds [-0.002123,-0.002123,-0.002123] to [0.03212,0.3021,0.002123]
        - spoke_2 ... spoke_6: 5 more like spoke_1 | bounds [-0.002123,-0.002123,-0.002123] to [0.1821,0.3021,0.002123]
        - rim: torus group=wheel center=[0,0,0] normal=[0,0,1] radius=0.3 thickness=0.02 start_angle=0 end_angle=360 material=(lambertian albedo=[0.5,0.5,0.5]) | bounds [-0.31,-0.31,-0.01] to [0.31,0.31,0.01]
        - bell: sphere group=bicycle center=[0,1,0] radius=0.03 material=(lambertian albedo=[0.5,0.5,0.5]) | bounds [-0.03,0.97,-0.03] to [0.03,1.03,0.03]
        lights: none
        groups (2):
        - bicycle: bell
          - wheel: 6 x spoke, rim
        environment: gradient top_color=[0.5,0.7,1] bottom_color=[1,1,1]
        camera: center=[0,0,5] look_at=[0,0,0] up=[0,1,0] vfov=45 aperture=0 focus_distance=null
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_scene_file_reports_all_its_faults() {
    let error = Scene::from_json(&json!({ "version": 2, "shape": [], "lights": {}, "groups": [
        { "id": "g", "parent": "h" }, { "id": "h", "parent": "g" } ], "shapes": [
        { "id": "a", "type": "sphere", "properties": { "radius": 0 } },
        { "type": "box", "properties": { "center": [0,0,0], "dimensions": [1,1,1] } } ],
        "environment": { "type": "gradient" }, "camera": { "center": [0,0,0] } }))
    .unwrap_err();
    expect![[r#"
        the scene file has no property 'shape'; did you mean 'shapes'? It takes: version, description, shapes, lights, groups, environment, camera, animation
        the scene file: 'version' must be 1, got 2
        shape 'a' requires 'center' property ([x, y, z] with numbers within ±1000000)
        shape 'a' property 'radius' must be a number > 0 and <= 1000000, got 0
        shapes[1] requires 'id' property (a non-empty text of at most 128 characters)
        the scene file property 'lights' must be an array, got {}
        the environment requires 'top_color' property ([r, g, b] with numbers >= 0 and <= 1000000000)
        the environment requires 'bottom_color' property ([r, g, b] with numbers >= 0 and <= 1000000000)
        the camera requires 'look_at' property ([x, y, z] with numbers within ±1000000)"#]]
    .assert_eq(&error.messages().join("\n"));
    let error = Scene::from_json(&json!({ "version": 1,
        "groups": [{ "id": "g", "parent": "h" }, { "id": "h", "parent": "g" }, { "id": "i", "parent": "x" }],
        "shapes": [
        { "id": "a", "type": "sphere", "group": "l", "properties": { "center": [0,0,0], "radius": 1 } },
        { "id": "a", "type": "sphere", "properties": { "center": [0,0,0], "radius": 1 } } ],
        "lights": [ { "id": "l", "type": "point_spot_light", "properties": { "center": [0,0,0], "emission": [1,1,1] } } ] }))
    .unwrap_err();
    expect![[r#"
        id 'a' is used by a shape and again by a shape; ids must be unique
        id 'l' is used by an object and again by a group; ids must be unique
        group 'g' is inside itself; give it another parent
        group 'i' has the unknown parent 'x'; list it under groups"#]]
    .assert_eq(&error.messages().join("\n"));
}

/// Random JSON, often with the names of the document.
fn any_json() -> impl Strategy<Value = Value> {
    let names = prop::sample::select(vec![
        "id",
        "type",
        "properties",
        "center",
        "radius",
        "material",
        "albedo",
        "updates",
        "u",
        "v",
        "emission",
        "vfov",
        "look_at",
        "shapes",
        "version",
        "lights",
        "zzz",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        (-3i64..4).prop_map(Value::from),
        prop::sample::select(vec!["a", "ball", "sphere", "metal", ""]).prop_map(Value::from),
        prop::array::uniform3(-2.0..2.0f64).prop_map(|triple| json!(triple)),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((names.clone(), inner), 0..6).prop_map(|entries| {
                Value::Object(entries.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())
            }),
        ]
    })
}

/// A random subset of a few spheres, in any order.
fn any_scene() -> impl Strategy<Value = Scene> {
    let spheres = prop::collection::vec((0..6u8, 1..4u8), 0..6);
    (spheres, any::<bool>(), any::<bool>()).prop_map(|(spheres, dark, described)| {
        let mut seen = std::collections::HashSet::new();
        let shapes: Vec<Value> = spheres
            .into_iter()
            .filter(|(id, _)| seen.insert(*id))
            .map(|(id, radius)| {
                json!({ "id": format!("s{id}"), "type": "sphere",
                "properties": { "center": [0,0,0], "radius": radius } })
            })
            .collect();
        let mut file = json!({ "version": 1, "shapes": shapes });
        if dark {
            file["environment"] = json!({ "type": "none" });
        }
        if described {
            file["description"] = json!("told");
        }
        Scene::from_json(&file).unwrap()
    })
}

/// Applies changes like a client.
fn follow(ids: &mut Vec<String>, changes: &[scene::Change]) {
    for change in changes.iter().filter(|change| change.kind == scene::Kind::Shape) {
        let id = change.id.clone().unwrap();
        if change.operation == scene::Operation::Remove || change.index.is_some() {
            ids.retain(|known| *known != id);
        }
        if let Some(index) = change.index {
            ids.insert(index, id);
        }
    }
}

proptest! {
    #[test]
    fn a_patch_leads_exactly_from_one_scene_to_the_other(before in any_scene(), after in any_scene()) {
        let patch = Patch::between(&before, &after);
        prop_assert_eq!(&patch.apply(&before).unwrap(), &after);
        let stored = Patch::from_json(&patch.to_json()).unwrap();
        prop_assert_eq!(stored.apply(&before).unwrap(), after);
    }

    #[test]
    fn following_the_changes_gives_the_same_order(before in any_scene(), after in any_scene()) {
        let ids = |scene: &Scene| -> Vec<String> {
            scene.shapes.iter().map(|shape| shape.id.to_string()).collect()
        };
        let mut followed = ids(&before);
        follow(&mut followed, &diff(&before, &after));
        prop_assert_eq!(followed, ids(&after));
    }

    #[test]
    fn a_manager_that_was_stored_goes_on_as_the_one_it_was_made_of(
        steps in prop::collection::vec((0..5u8, any_scene(), 0..20u64), 1..30), stored_at in 0..30usize,
    ) {
        let mut manager = SceneManager::default();
        let mut stored = None;
        let mut follower = SceneManager::default();
        for (index, (kind, scene, number)) in steps.into_iter().enumerate() {
            if index == stored_at {
                stored = Some(SceneManager::from_json(&manager.to_json()).unwrap());
            }
            let change = |manager: &mut SceneManager| match kind {
                0 => manager.undo().ok(),
                1 => manager.redo().ok(),
                2 => manager.restore(number).ok(),
                3 => {
                    let mut draft = manager.draft();
                    draft.apply(&sphere(&format!("more_{number}"), 1.0)).ok();
                    manager.commit_more(draft).ok()
                }
                _ => Some(manager.replace(scene.clone())),
            };
            let before = manager.current().number;
            if let Some(applied) = change(&mut manager).filter(|a| a.revision.number != before) {
                let scene = applied.patch.apply(&follower.current().scene).unwrap();
                let step = Step::from_name(applied.step.name()).unwrap();
                follower.follow(step, Arc::new(scene));
            }
            if let Some(stored) = &mut stored {
                change(stored);
                prop_assert_eq!(stored.to_json(), manager.to_json());
            }
            prop_assert_eq!(follower.to_json(), manager.to_json());
        }
    }

    #[test]
    fn nothing_panics_and_a_refused_edit_changes_nothing(
        name in prop::sample::select(scene::EDIT_NAMES.to_vec()), args in any_json(),
    ) {
        let mut manager = SceneManager::default();
        manager.apply(&[sphere("ball", 1.0)]).unwrap();
        let before = manager.current().scene.to_json();
        let outcome = Edit::parse(name, &args).and_then(|edit| manager.apply(&[edit]));
        if let Err(violations) = outcome {
            prop_assert!(!violations.messages().is_empty());
            prop_assert_eq!(manager.current().scene.to_json(), before);
        }
        if let Err(violations) = Scene::from_json(&args) {
            prop_assert!(!violations.messages().is_empty());
        }
    }
}
