//! Animations: reading, the scene at a time, edits, and what becomes of tracks.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use scene::{
    Animation, Applied, Edit, Id, Kind, NoAssets, Objects, Operation, Patch, Scene, SceneManager,
    Shape, Violations, diff,
};
use serde_json::{Value, json};

fn file(animation: &Value) -> Value {
    json!({
        "version": 1,
        "shapes": [
            { "id": "floor", "type": "quad",
              "properties": { "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] } },
            { "id": "ball", "type": "sphere", "properties": { "center": [0, 1, 0], "radius": 1,
              "material": { "type": "lambertian", "albedo": [1, 0, 0] } } },
            { "id": "hand", "type": "box", "group": "clock",
              "properties": { "center": [0, 2, 0], "dimensions": [0.1, 2, 0.1] } },
            { "id": "face", "type": "disc", "group": "clock",
              "properties": { "center": [0, 1, 0], "normal": [0, 0, 1], "radius": 2 } },
            { "id": "left", "type": "sphere", "material_name": "paint",
              "properties": { "center": [-3, 1, 0], "radius": 1,
                              "material": { "type": "lambertian", "albedo": [0, 0, 0] } } },
            { "id": "right", "type": "sphere", "material_name": "paint",
              "properties": { "center": [3, 1, 0], "radius": 1,
                              "material": { "type": "lambertian", "albedo": [0, 0, 0] } } }
        ],
        "lights": [
            { "id": "lamp", "type": "point_spot_light",
              "properties": { "center": [0, 5, 0], "emission": [10, 20, 30] } }
        ],
        "environment": { "type": "sky", "time": 12 },
        "camera": { "center": [0, 2, 10], "look_at": [0, 1, 0] },
        "animation": animation,
    })
}

fn animated(tracks: &Value) -> Scene {
    Scene::from_json(&file(&json!({ "duration": 4, "tracks": tracks }))).unwrap()
}

fn errors(tracks: &Value) -> String {
    Scene::from_json(&file(&json!({ "duration": 4, "tracks": tracks }))).unwrap_err().to_string()
}

fn at(scene: &Scene, time: f64, kind: Kind, id: &str) -> Value {
    scene.at_time(time, &NoAssets).thing(kind, id).unwrap_or_default()
}

fn center(scene: &Scene, time: f64, id: &str) -> Value {
    at(scene, time, Kind::Shape, id)["properties"]["center"].clone()
}

fn edit(manager: &mut SceneManager, name: &str, args: &Value) -> Result<Applied, Violations> {
    manager.apply(&[Edit::parse(name, args)?])
}

#[test]
fn files_are_read_and_written_as_they_are_and_without_animation_as_before() {
    let scene = animated(&json!([
        { "target": "ball", "property": "position", "keys": [[0, [0, 1, 0]], [2, [3, 1, 0], "ease_in_out"]] },
        { "target": "hand", "property": "rotation", "pivot": [0, 1, 0],
          "keys": [{ "time": 4, "value": [0, 0, -360] }, { "time": 0, "value": [0, 0, 0] }] },
    ]));
    let written = scene.to_json();
    assert_eq!(Scene::from_json(&written).unwrap(), scene);
    let keys = &written["animation"]["tracks"][1]["keys"];
    assert_eq!(keys[0], json!({ "time": 0.0, "value": [0.0, 0.0, 0.0] }), "in order of time");
    let still = Scene::from_json(&file(&Value::Null)).unwrap();
    assert!(still.animation.is_none() && still.to_json().get("animation").is_none());
    assert_eq!(still.at_time(2.0, &NoAssets), still);
    let moved = scene.at_time(2.0, &NoAssets);
    assert!(moved.animation.is_none());
    assert_eq!(Scene::from_json(&moved.to_json()).unwrap(), moved, "an ordinary scene");
}

#[test]
fn values_go_from_key_to_key_by_their_easing() {
    let x = |easing: &str, time: f64| {
        let scene = animated(&json!([{ "target": "ball", "property": "position",
            "keys": [[1, [0, 1, 0], easing], [3, [8, 1, 0]]] }]));
        center(&scene, time, "ball")[0].as_f64().unwrap()
    };
    for easing in ["linear", "ease_in", "ease_out", "ease_in_out", "step", "smooth"] {
        assert_eq!(
            (x(easing, 0.0), x(easing, 1.0)),
            (0.0, 0.0),
            "{easing}: before and at its first key"
        );
        assert_eq!(
            (x(easing, 3.0), x(easing, 4.0)),
            (8.0, 8.0),
            "{easing}: at its last key and after"
        );
    }
    assert_eq!((x("linear", 1.5), x("linear", 2.0)), (2.0, 4.0));
    assert_eq!((x("ease_in", 1.5), x("ease_out", 1.5)), (0.5, 3.5));
    assert_eq!((x("ease_in_out", 1.5), x("ease_in_out", 2.0)), (1.25, 4.0));
    assert_eq!(x("step", 2.99), 0.0);
    assert!((x("smooth", 2.0) - 4.0).abs() < 1e-9, "between two keys it is a straight way");
}

#[test]
fn smooth_curves_pass_through_their_keys_without_corners() {
    let keys = json!([
        [0, [0, 1, 0], "smooth"],
        [1, [2, 1, 2], "smooth"],
        [2, [4, 1, 0], "smooth"],
        [3, [2, 1, -2], "smooth"],
        [4, [0, 1, 0], "smooth"]
    ]);
    let scene = animated(&json!([{ "target": "ball", "property": "position", "keys": keys }]));
    let place =
        |time: f64| -> [f64; 3] { serde_json::from_value(center(&scene, time, "ball")).unwrap() };
    assert_eq!((place(1.0), place(3.0)), ([2.0, 1.0, 2.0], [2.0, 1.0, -2.0]));
    let speed = |time: f64| {
        let (before, after) = (place(time - 1e-4), place(time + 1e-4));
        [0, 2].map(|axis| (after[axis] - before[axis]) / 2e-4)
    };
    for time in [1.0_f64, 2.0, 3.0] {
        let (before, after) = (speed(time - 2e-4), speed(time + 2e-4));
        assert!(
            (0..2).all(|axis| (before[axis] - after[axis]).abs() < 0.01),
            "{before:?} {after:?}"
        );
    }
    // It ends as it begins, so it goes on without a corner.
    let (begin, end) = (place(1e-4), place(4.0 - 1e-4));
    let slopes = [begin[2] / 1e-4, -end[2] / 1e-4];
    assert!((slopes[0] - slopes[1]).abs() < 0.01, "{slopes:?}");
}

#[test]
fn things_turn_grow_hide_and_shine_and_groups_carry_their_members() {
    let scene = animated(&json!([
        { "target": "clock", "property": "position", "keys": [[0, [0, 1, 0]], [4, [10, 1, 0]]] },
        { "target": "hand", "property": "rotation", "pivot": [0, 1, 0],
          "keys": [[0, [0, 0, 0]], [4, [0, 0, -360]]] },
        { "target": "ball", "property": "scale", "keys": [[0, 1], [4, 3]] },
        { "target": "floor", "property": "visible", "keys": [[0, true], [2, false]] },
        { "target": "lamp", "property": "intensity", "keys": [[0, 0], [4, 2]] },
        { "target": "lamp", "property": "position", "keys": [[0, [0, 5, 0]], [4, [4, 5, 0]]] },
    ]));
    // Bounds of the clock: y from -1 to 3, so its middle is [0, 1, 0]. A quarter turn and a quarter of the way.
    let hand = at(&scene, 1.0, Kind::Shape, "hand");
    let place: Vec<f64> = serde_json::from_value(hand["properties"]["center"].clone()).unwrap();
    let off = |got: &[f64], expected: [f64; 3]| {
        (0..3).map(|axis| (got[axis] - expected[axis]).abs()).fold(0.0, f64::max)
    };
    assert!(off(&place, [3.5, 1.0, 0.0]) < 1e-9, "{place:?}");
    assert_eq!(center(&scene, 1.0, "face"), json!([2.5, 1.0, 0.0]));
    let ball = at(&scene, 2.0, Kind::Shape, "ball");
    assert_eq!(
        (&ball["properties"]["radius"], &ball["properties"]["center"]),
        (&json!(2.0), &json!([0.0, 1.0, 0.0]))
    );
    assert!(
        at(&scene, 1.9, Kind::Shape, "floor").is_object()
            && at(&scene, 2.0, Kind::Shape, "floor").is_null()
    );
    let lamp = at(&scene, 1.0, Kind::Light, "lamp");
    assert_eq!(
        (&lamp["properties"]["emission"], &lamp["properties"]["center"]),
        (&json!([5.0, 10.0, 15.0]), &json!([1.0, 5.0, 0.0]))
    );
}

#[test]
fn properties_of_the_document_change_by_its_own_readers() {
    let scene = animated(&json!([
        { "target": "ball", "property": "radius", "keys": [[0, 1], [4, 2]] },
        { "target": "ball", "property": "material.albedo", "keys": [[0, [1, 0, 0]], [4, [0, 0, 1]]] },
        { "target": "paint", "property": "albedo", "keys": [[0, [0, 0, 0]], [4, [1, 1, 1]]] },
        { "target": "hand", "property": "material", "keys": [[0, "gold"], [2, "silver"]] },
        { "target": "environment", "property": "time", "keys": [[0, 12], [4, 20]] },
        { "target": "camera", "property": "vfov", "keys": [[0, 45], [4, 25]] },
    ]));
    let now = scene.at_time(2.0, &NoAssets);
    let ball = now.shape("ball").unwrap().to_json();
    assert_eq!(ball["properties"]["radius"], 1.5);
    assert_eq!(ball["properties"]["material"]["albedo"], json!([0.5, 0.0, 0.5]));
    for id in ["left", "right"] {
        let shape = now.shape(id).unwrap().to_json();
        assert_eq!(shape["properties"]["material"]["albedo"], json!([0.5, 0.5, 0.5]), "{id}");
        assert_eq!(shape["material_name"], "paint");
    }
    let material =
        |time| at(&scene, time, Kind::Shape, "hand")["properties"]["material"].to_string();
    assert!(material(1.0).contains("gold") && material(2.0).contains("silver"));
    assert_eq!(now.environment.to_json()["time"], 16.0);
    assert_eq!(now.camera.vfov.get(), 35.0);
}

#[test]
fn a_turntable_is_seamless_and_a_camera_follows_what_moves() {
    let orbit = json!([{ "target": "camera", "property": "orbit", "keys": [[0, 0], [4, 360]] }]);
    let scene = animated(&orbit);
    let camera = |time: f64| scene.at_time(time, &NoAssets).camera;
    assert_eq!(camera(0.0), scene.camera);
    assert_eq!(camera(4.0), scene.camera, "a whole turn, rounded as the document rounds");
    assert_eq!(
        camera(1.0).center.get(),
        [10.0, 2.0, 0.0],
        "to the right, counter-clockwise from above"
    );
    assert_eq!(camera(1.0).look_at, scene.camera.look_at);
    let animation = scene.animation.as_ref().unwrap();
    assert_eq!((animation.frames(24.0), animation.time_of(96, 96)), (96, 4.0));
    assert_eq!(animation.time_of(95, 96), 95.0 / 24.0, "its end is its beginning");

    let scene = animated(&json!([
        { "target": "ball", "property": "position", "keys": [[0, [0, 1, 0]], [4, [8, 1, 0]]] },
        { "target": "camera", "property": "look_at", "keys": [[0, "ball"]] },
    ]));
    assert_eq!(scene.at_time(2.0, &NoAssets).camera.look_at.get(), [4.0, 1.0, 0.0]);
}

#[test]
fn errors_name_the_track_and_the_fix() {
    let track = |target: &str, property: &str, keys: Value| json!([{ "target": target, "property": property, "keys": keys }]);
    let cases = [
        (
            track("bal", "position", json!([[0, [0, 0, 0]]])),
            "track 'bal position': there is no 'bal' in the scene; did you mean 'ball'?",
        ),
        (
            track("ball", "positon", json!([[0, [0, 0, 0]]])),
            "animations also have: position, rotation, scale, visible",
        ),
        (
            track("ball", "position", json!([[0, 3]])),
            "track 'ball position' at 0 s must be [x, y, z] with numbers within ±1000000, got 3",
        ),
        (track("ball", "scale", json!([[0, 0]])), "to hide it: visible"),
        (track("ball", "radius", json!([[0, 1], [1, -2]])), "track 'ball radius' at 1 s: "),
        (
            track("ball", "radius", json!([[0, 1], [9, 2]])),
            "after the end at 4 s; make 'duration' at least 9",
        ),
        (track("ball", "radius", json!([[1, 1], [1, 2]])), "two keys at the same time"),
        (track("ball", "radius", json!([])), "a list of 1 to 500 keys"),
        (track("ball", "radius", json!([[0, 1, "bounce"]])), "one of linear, ease_in"),
        (track("ball", "sides", json!([[0, 3], [4, 8]])), "easing step would jump instead"),
        (track("camera", "position", json!([[0, [0, 0, 0]]])), "did you mean"),
        (track("camera", "look_at", json!([[0, "bal"]])), "there is no 'bal' to follow"),
        (
            track("clock", "radius", json!([[0, 1]])),
            "a group has no property 'radius' to animate; it has: position",
        ),
        (track("lamp", "intensity", json!([[0, -1]])), "a factor from 0 to 10000"),
    ];
    for (tracks, expected) in cases {
        let errors = errors(&tracks);
        assert!(errors.contains(expected), "{expected}: {errors}");
    }
    let twice = json!([{ "target": "ball", "property": "scale", "keys": [[0, 1]] }, { "target": "ball", "property": "scale", "keys": [[0, 2]] }]);
    assert!(errors(&twice).contains("there are two tracks 'ball scale'; put their keys into one"));
    let pivot = json!([{ "target": "ball", "property": "position", "keys": [[0, [0, 0, 0]]], "pivot": [0, 0, 0] }]);
    assert!(errors(&pivot).contains("has a 'pivot', which only rotation and scale"));
    let wrong = Animation::from_json(&json!({ "duration": 0, "fps": 2.5, "track": [] }))
        .unwrap_err()
        .to_string();
    assert!(wrong.contains("did you mean 'tracks'"), "{wrong}");
}

#[test]
fn set_animation_adds_replaces_stretches_and_removes() {
    let mut manager = SceneManager::new(Scene::from_json(&file(&Value::Null)).unwrap());
    let roll = json!({ "tracks": [{ "target": "ball", "property": "position",
        "keys": [[0, [-3, 1, 0]], [3, [3, 1, 0]]] }] });
    let applied = edit(&mut manager, "set_animation", &roll).unwrap();
    assert_eq!(applied.results[0]["duration"], 3.0);
    assert_eq!(applied.results[0]["frames"], 72);
    assert_eq!(
        applied.results[0]["tracks"],
        json!(["ball position: [-3,1,0] at 0 s, [3,1,0] at 3 s"])
    );
    let change = &applied.changes[0];
    assert_eq!(
        (change.kind, change.operation, &change.id),
        (Kind::Animation, Operation::Create, &None)
    );

    let turned = edit(
        &mut manager,
        "set_animation",
        &json!({ "turntable": { "around": "ball", "clockwise": true }, "fps": 10 }),
    );
    let tracks = turned.unwrap().results[0]["tracks"].clone();
    assert_eq!(tracks[1], "camera orbit: 0 at 0 s, -360 at 3 s");
    assert_eq!(tracks[2], "camera look_at: ball at 0 s");

    let longer = edit(&mut manager, "set_animation", &json!({ "duration": 6 })).unwrap();
    assert_eq!(longer.results[0]["tracks"][0], "ball position: [-3,1,0] at 0 s, [3,1,0] at 6 s");

    let gone = edit(&mut manager, "set_animation", &json!({ "remove": ["camera"] })).unwrap();
    assert_eq!(gone.results[0]["tracks"].as_array().unwrap().len(), 1);
    let before = manager.current().number;
    for (args, expected) in [
        (json!({}), "set_animation: is empty"),
        (json!({ "remove": ["bal position"] }), "did you mean 'ball position'?"),
        (
            json!({ "tracks": [{ "target": "ball", "property": "radius", "keys": [[0, 1]] }], "duration": 2 }),
            "after the end at 2 s",
        ),
        (json!({ "turntable": { "around": "nothing" } }), "there is no 'nothing' to follow"),
        (json!({ "turntable": { "degrees": 0 } }), "not 0"),
    ] {
        let error = edit(&mut manager, "set_animation", &args).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
    assert_eq!(manager.current().number, before, "what was refused has changed nothing");
    let none = edit(&mut manager, "set_animation", &json!({ "remove": ["*"] })).unwrap();
    assert_eq!(none.changes[0].operation, Operation::Remove);
    assert!(manager.current().scene.animation.is_none());
    manager.undo().unwrap();
    assert_eq!(manager.current().scene.animation.as_ref().unwrap().tracks.get().len(), 1);
    let stored = SceneManager::from_json(&manager.to_json()).unwrap();
    assert_eq!(stored.current().scene, manager.current().scene);
}

#[test]
fn tracks_follow_new_ids_and_go_with_what_they_are_about() {
    let scene = animated(&json!([
        { "target": "ball", "property": "position", "keys": [[0, [0, 1, 0]], [4, [3, 1, 0]]] },
        { "target": "ball", "property": "radius", "keys": [[0, 1], [4, 2]] },
        { "target": "camera", "property": "look_at", "keys": [[0, "ball"]] },
        { "target": "clock", "property": "rotation", "keys": [[0, [0, 0, 0]], [4, [0, 360, 0]]] },
        { "target": "paint", "property": "albedo", "keys": [[0, [0, 0, 0]], [4, [1, 1, 1]]] },
    ]));
    let mut manager = SceneManager::new(scene);
    let names = |manager: &SceneManager| -> Vec<String> {
        let animation = manager.current().scene.animation.as_ref();
        animation
            .map(|animation| animation.tracks.get().iter().map(scene::Track::name).collect())
            .unwrap_or_default()
    };
    let renamed = json!({ "id": "ball", "updates": { "id": "planet" } });
    let applied = edit(&mut manager, "update_shape", &renamed).unwrap();
    assert_eq!(names(&manager)[..3], ["planet position", "planet radius", "camera look_at"]);
    assert_eq!(
        manager.current().scene.at_time(4.0, &NoAssets).camera.look_at.get(),
        [3.0, 1.0, 0.0]
    );
    assert!(applied.changes.iter().any(|change| change.kind == Kind::Animation));
    // A box has no radius, and stands somewhere as well.
    let boxed = json!({ "id": "planet", "updates": { "type": "box", "properties": { "dimensions": [1, 1, 1] } } });
    edit(&mut manager, "update_shape", &boxed).unwrap();
    assert_eq!(names(&manager)[..2], ["planet position", "camera look_at"]);
    edit(&mut manager, "remove_shape", &json!({ "id": "planet" })).unwrap();
    assert_eq!(names(&manager), ["clock rotation", "paint albedo"]);
    edit(&mut manager, "remove_shape", &json!({ "id": "hand" })).unwrap();
    assert_eq!(names(&manager), ["clock rotation", "paint albedo"], "the group is still there");
    for id in ["face", "left", "right"] {
        edit(&mut manager, "remove_shape", &json!({ "id": id })).unwrap();
    }
    assert!(manager.current().scene.animation.is_none());
    for _ in 0..6 {
        manager.undo().unwrap();
    }
    assert_eq!(names(&manager)[..3], ["planet position", "planet radius", "camera look_at"]);
}

#[test]
fn tracks_of_a_group_follow_all_that_was_in_it() {
    let scene = animated(&json!([
        { "target": "clock", "property": "rotation", "keys": [[0, [0, 0, 0]], [4, [0, 360, 0]]] },
    ]));
    let mut manager = SceneManager::new(scene);
    let into = |group: &str, ids: &[&str], manager: &mut SceneManager| {
        let scene = &manager.current().scene;
        let shapes = ids.iter().map(|id| {
            let shape = (**scene.shape(id).unwrap()).clone();
            Arc::new(Shape { group: Id::new(group), ..shape })
        });
        let objects = Objects { shapes: shapes.collect(), ..Objects::default() };
        manager.apply(&[Edit::Put(objects)]).unwrap();
    };
    let target = |manager: &SceneManager| {
        let animation = manager.current().scene.animation.clone();
        animation.map(|animation| animation.tracks.get()[0].target.to_string())
    };
    into("watch", &["hand", "face"], &mut manager);
    assert_eq!(target(&manager).as_deref(), Some("watch"), "it has another name");
    into("other", &["hand"], &mut manager);
    assert_eq!(target(&manager).as_deref(), Some("watch"), "a part has left it");
    into("other", &["face"], &mut manager);
    assert_eq!(target(&manager), None, "it is gone");
}

#[test]
fn patches_and_differences_hold_the_animation() {
    let still = Scene::from_json(&file(&Value::Null)).unwrap();
    let moving =
        animated(&json!([{ "target": "ball", "property": "scale", "keys": [[0, 1], [4, 2]] }]));
    for (before, after) in [(&still, &moving), (&moving, &still)] {
        let patch = Patch::between(before, after);
        let stored = Patch::from_json(&patch.to_json()).unwrap();
        assert_eq!(&stored.apply(before).unwrap(), after);
        assert_eq!(diff(before, after).len(), 1);
    }
    let text = moving.to_context_text();
    assert!(
        text.ends_with("animation: 4 s, 24 fps, loops\n- ball scale: 1 at 0 s, 2 at 4 s\n"),
        "{text}"
    );
    assert!(!still.to_context_text().contains("animation"));
}
