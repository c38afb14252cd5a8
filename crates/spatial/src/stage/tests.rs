use scene::{Edit, NoAssets, SceneManager};
use serde_json::{Value, json};

use super::*;
use crate::view::View;

const MODEL: StageRule = StageRule { begins: true, by_hand: false };
const HAND: StageRule = StageRule { begins: false, by_hand: true };

/// What `edit` leads to, with the stage kept as `rule` says.
fn after(scene: &Scene, rule: StageRule, edits: &[(&str, Value)]) -> Scene {
    let mut draft = SceneManager::new(scene.clone()).draft();
    for (name, args) in edits {
        draft.apply(&Edit::parse(name, args).expect("an edit")).expect("applies");
    }
    let changed = draft.scene().clone();
    for edit in stage_edits(&Space::of(scene, &NoAssets), &Space::of(&changed, &NoAssets), rule) {
        draft.apply(&edit).expect("the stage is valid");
    }
    draft.scene().clone()
}

fn ball(id: &str, center: [f64; 3], radius: f64) -> (&'static str, Value) {
    let material = json!({ "type": "lambertian", "albedo": [0.8, 0.1, 0.1] });
    let properties = json!({ "center": center, "radius": radius, "material": material });
    ("create_shape", json!({ "id": id, "type": "sphere", "properties": properties }))
}

fn block(id: &str, center: [f64; 3], dimensions: [f64; 3]) -> (&'static str, Value) {
    let material = json!({ "type": "lambertian", "albedo": [0.5, 0.5, 0.5] });
    let properties = json!({ "center": center, "dimensions": dimensions, "material": material });
    ("create_shape", json!({ "id": id, "type": "box", "properties": properties }))
}

fn lamp() -> (&'static str, Value) {
    let properties = json!({ "center": [0, 3, 0], "emission": [20, 20, 20] });
    ("create_light", json!({ "id": "lamp", "type": "point_spot_light", "properties": properties }))
}

fn neon() -> (&'static str, Value) {
    let material = json!({ "type": "emissive", "emission": [8, 1, 4] });
    let properties = json!({ "center": [1, 0.5, 0], "radius": 0.3, "material": material });
    ("create_shape", json!({ "id": "neon", "type": "sphere", "properties": properties }))
}

fn with_ball() -> Scene {
    after(&Scene::default(), MODEL, &[ball("ball", [0.0, 0.5, 0.0], 0.5)])
}

fn has(scene: &Scene) -> [bool; 5] {
    [
        scene.shape(GROUND).is_some(),
        scene.light(KEY).is_some(),
        scene.light(FILL).is_some(),
        scene.camera != Camera::default(),
        scene.environment != Environment::default(),
    ]
}

/// The share of the picture that a thing takes, and of the thing that is in the picture.
fn seen(scene: &Scene, id: &str) -> (f64, f64) {
    let space = Space::of(scene, &NoAssets);
    let solid = space.unit(id).expect("it is there").solid;
    let coverage = View::of(&scene.camera).coverage(&solid);
    (coverage.screen, coverage.inside)
}

#[test]
fn the_first_object_gets_a_stage_of_its_size() {
    let one = |edit: (&'static str, Value)| after(&Scene::default(), MODEL, &[edit]);
    for (scene, id, low) in [
        (one(ball("ring", [0.0, 0.01, 0.0], 0.01)), "ring", 0.0),
        (with_ball(), "ball", 0.0),
        (one(block("block", [3.0, 25.0, -4.0], [10.0, 50.0, 10.0])), "block", 0.0),
        (one(block("skyscraper", [0.0, 100.0, 0.0], [40.0, 200.0, 40.0])), "skyscraper", 0.0),
        (one(ball("sunk", [0.0, 0.0, 0.0], 1.0)), "sunk", -1.0),
    ] {
        assert_eq!(has(&scene), [true; 5], "{id}");
        let (screen, inside) = seen(&scene, id);
        assert!(
            inside > 0.999 && screen > 0.08,
            "{id}: {screen} of the picture, {inside} of it in"
        );
        let ground = parts::ground_of(scene.shape(GROUND).expect("a ground"), Setting::Studio);
        let ground = ground.expect("is the stage's");
        assert!((ground.floor - low).abs() < 1e-9, "{id} stands on {}", ground.floor);
        // Not edge-on, and the horizon is above the picture.
        let forward = View::of(&scene.camera).forward();
        assert!(-forward.y > (0.5 * scene.camera.vfov.get()).to_radians().sin(), "{id}");
    }
}

#[test]
fn its_lights_are_hidden_from_the_camera_and_stay_as_visible_as_somebody_makes_them() {
    let is_hidden =
        |scene: &Scene, id: &str| scene.light(id).expect("a light").light.is_hidden_from_camera();
    let scene = with_ball();
    assert!(is_hidden(&scene, KEY) && is_hidden(&scene, FILL));
    // As in documents from before lights could be hidden.
    let seen = json!({ "id": KEY, "updates": { "properties": { "visible_to_camera": true } } });
    let scene = after(&scene, HAND, &[("update_light", seen)]);
    let wall = block("wall", [6.0, 2.0, 0.0], [1.0, 4.0, 8.0]);
    let larger = after(&scene, MODEL, &[wall]);
    assert_ne!(larger.light(KEY), scene.light(KEY), "it is still the stage's, and grows");
    assert!(!is_hidden(&larger, KEY) && is_hidden(&larger, FILL));
}

#[test]
fn it_follows_what_is_added_and_shows_all_of_it() {
    let scene = after(&with_ball(), MODEL, &[block("wall", [6.0, 2.0, 0.0], [1.0, 4.0, 8.0])]);
    for id in ["ball", "wall"] {
        assert!(seen(&scene, id).1 > 0.999, "{id}");
    }
    // What is small and in the picture already moves nothing.
    let next = after(&scene, MODEL, &[ball("marble", [0.0, 1.1, 0.0], 0.1)]);
    assert_eq!(next.camera, scene.camera);
    // A hand that drags something out of the picture does not drag the picture along.
    let dragged = json!({ "id": "ball", "updates": { "properties": { "center": [-40, 0.5, 0] } } });
    let moved = after(&scene, HAND, &[("update_shape", dragged)]);
    assert_eq!((&moved.camera, moved.shape(GROUND)), (&scene.camera, scene.shape(GROUND)));
}

#[test]
fn by_hand_the_picture_stays_while_what_came_is_seen_in_it() {
    let scene = after(&with_ball(), MODEL, &[block("wall", [0.0, 2.0, -1.0], [4.0, 4.0, 0.2])]);
    let beside = block("wall_2", [3.2, 2.0, -1.0], [4.0, 4.0, 0.2]);
    let copied = after(&scene, HAND, std::slice::from_ref(&beside));
    assert_eq!((&copied.camera, copied.shape(GROUND)), (&scene.camera, scene.shape(GROUND)));
    assert_ne!(after(&scene, MODEL, &[beside]).camera, scene.camera);
    let away = block("tower", [40.0, 2.0, 0.0], [4.0, 4.0, 4.0]);
    let added = after(&scene, HAND, &[away]);
    assert!(seen(&added, "tower").1 > 0.999, "what would not be seen is shown");
    let gone = after(&copied, HAND, &[("remove_shape", json!({ "id": "wall" }))]);
    assert_eq!(gone.camera, copied.camera);
}

#[test]
fn a_light_that_is_added_by_hand_comes_to_those_of_the_stage() {
    assert_eq!(has(&after(&with_ball(), HAND, &[lamp()])), [true; 5]);
}

#[test]
fn each_part_gives_way_to_somebodys_own() {
    let lit = after(&with_ball(), MODEL, &[lamp()]);
    assert_eq!(has(&lit), [true, false, false, true, true]);
    let floor = block("floor", [0.0, -0.05, 0.0], [10.0, 0.1, 10.0]);
    let floored = after(&with_ball(), MODEL, &[floor]);
    assert_eq!(has(&floored), [false, true, true, true, true]);
    let sky = ("set_environment_lighting", json!({ "type": "sky" }));
    assert_eq!(has(&after(&with_ball(), MODEL, &[sky])), [true, false, false, true, true]);
    let black = ("set_environment_lighting", json!({ "type": "none" }));
    let dark = after(&with_ball(), MODEL, std::slice::from_ref(&black));
    assert_eq!(has(&dark), [true; 5], "before black it stays lit");
    let first =
        after(&Scene::default(), MODEL, &[black.clone(), ball("ball", [0.0, 0.5, 0.0], 0.5)]);
    assert_eq!(has(&first), [true; 5], "what comes into darkness is lit");
    let unlit = [true, false, false, true, true];
    assert_eq!(has(&after(&dark, MODEL, &[neon()])), unlit, "what glows in darkness is its light");
    let glowing = after(&with_ball(), MODEL, &[neon()]);
    assert_eq!(has(&glowing), [true; 5], "by day it is none");
    assert_eq!(has(&after(&glowing, MODEL, std::slice::from_ref(&black))), unlit);
    assert_eq!(has(&after(&Scene::default(), MODEL, &[black, neon()])), unlit);
    let camera = ("set_camera", json!({ "center": [0, 1, 9], "look_at": [0, 0, 0] }));
    let aimed = after(&with_ball(), MODEL, &[camera]);
    let next = after(&aimed, MODEL, &[ball("far", [9.0, 0.5, 0.0], 0.5)]);
    assert_eq!(next.camera, aimed.camera, "a camera that was set stays");
    assert_ne!(next.shape(GROUND), aimed.shape(GROUND), "the rest still follows");
}

#[test]
fn what_somebody_changed_or_removed_is_theirs() {
    let green = json!({ "type": "lambertian", "albedo": [0.1, 0.6, 0.1] });
    let paint = json!({ "id": GROUND, "updates": { "properties": { "material": green } } });
    let painted = after(&with_ball(), MODEL, &[("update_shape", paint)]);
    let next = after(&painted, MODEL, &[ball("far", [30.0, 0.5, 0.0], 0.5)]);
    assert_eq!(next.shape(GROUND), painted.shape(GROUND));
    assert_ne!(next.light(KEY), painted.light(KEY));

    let moved = json!({ "id": KEY, "updates": { "properties": { "center": [1, 9, 1] } } });
    let moved = after(&with_ball(), HAND, &[("update_light", moved)]);
    let next = after(&moved, MODEL, &[lamp()]);
    assert_eq!(next.light(KEY), moved.light(KEY));
    assert!(next.light(FILL).is_none());

    let removed = after(&with_ball(), HAND, &[("remove_shape", json!({ "id": GROUND }))]);
    let next = after(&removed, MODEL, &[ball("second", [3.0, 0.5, 0.0], 0.5)]);
    assert!(next.shape(GROUND).is_none(), "what was removed does not come back");
}

fn setting(scene: &Scene) -> Option<Setting> {
    let ground = scene.shape(GROUND)?;
    Setting::ALL.into_iter().find(|setting| parts::ground_of(ground, *setting).is_some())
}

#[test]
fn what_is_at_home_under_the_sky_stands_on_a_lawn() {
    let one = |name: &str, height: f64| {
        let sides = [0.3 * height, height, 0.3 * height];
        after(&Scene::default(), MODEL, &[block(name, [0.0, 0.5 * height, 0.0], sides)])
    };
    let outdoors = Some(Setting::Outdoors);
    for name in ["tree", "old_oak_tree_2", "barn", "sheep_12", "maple"] {
        let scene = one(name, 3.0);
        assert_eq!(setting(&scene), outdoors, "{name}");
        assert_eq!(Setting::of_backdrop(&scene.environment), outdoors, "{name}");
        assert_eq!(has(&scene), [true; 5], "{name}");
    }
    for (name, height) in [("box", 3.0), ("wall", 3.0), ("car", 1.5), ("tree", 0.2)] {
        assert_eq!(setting(&one(name, height)), Some(Setting::Studio), "{name}");
    }
}

#[test]
fn a_lawn_or_a_pond_lies_on_the_ground_unless_it_is_all_there_is() {
    let lying = |id: &str, width: f64| block(id, [0.0, 0.01, 0.0], [width, 0.02, width]);
    let tree = block("tree", [0.0, 1.5, 0.0], [1.0, 3.0, 1.0]);
    for (id, width, ground) in [("lawn", 3.0, true), ("lake", 3.0, true), ("lawn", 60.0, false)] {
        let scene = after(&Scene::default(), MODEL, &[lying(id, width), tree.clone()]);
        assert_eq!(has(&scene), [ground, true, true, true, true], "{id} of {width} m");
    }
    let alone = after(&Scene::default(), MODEL, &[lying("lawn", 8.0)]);
    assert_eq!(has(&alone), [true; 5]);
    let mut water = lying("fountain_water", 1.0);
    water.1["group"] = json!("fountain");
    assert_eq!(has(&after(&Scene::default(), MODEL, &[water, tree])), [true; 5], "a part");
}

#[test]
fn a_stage_moves_to_where_what_a_model_adds_is_at_home_and_back() {
    let tree = block("tree", [0.0, 0.4, -0.4], [0.3, 0.8, 0.3]);
    let ball = with_ball();
    let out = after(&ball, MODEL, std::slice::from_ref(&tree));
    assert_eq!(setting(&out), Some(Setting::Outdoors));
    assert_eq!((has(&out), &out.camera), ([true; 5], &ball.camera));
    assert!(out.light(KEY) != ball.light(KEY) && out.environment != ball.environment);
    let felled = after(&out, MODEL, &[("remove_shape", json!({ "id": "tree" }))]);
    assert_eq!(felled, ball);
    let by_hand = after(&ball, HAND, std::slice::from_ref(&tree));
    assert_eq!(setting(&by_hand), Some(Setting::Studio), "a hand keeps its surroundings");

    let red = json!({ "type": "lambertian", "albedo": [0.6, 0.1, 0.1] });
    let paint = json!({ "id": GROUND, "updates": { "properties": { "material": red } } });
    let painted = after(&ball, HAND, &[("update_shape", paint)]);
    let out = after(&painted, MODEL, &[tree]);
    assert_eq!(out.shape(GROUND), painted.shape(GROUND), "a painted ground is somebody's");
    assert_eq!(Setting::of_backdrop(&out.environment), Some(Setting::Outdoors));
}

#[test]
fn it_goes_with_the_last_object_and_an_edit_by_hand_gets_none_unasked() {
    let empty = after(&with_ball(), MODEL, &[("remove_shape", json!({ "id": "ball" }))]);
    assert_eq!(empty, Scene::default());
    let bare = after(&Scene::default(), HAND, &[ball("ball", [0.0, 0.5, 0.0], 0.5)]);
    assert_eq!(has(&bare), [false; 5]);
}

#[test]
fn own_light_ground_and_camera_from_the_start_are_all_there_is() {
    let own = [
        ball("ball", [0.0, 0.5, 0.0], 0.5),
        block("floor", [0.0, -0.05, 0.0], [10.0, 0.1, 10.0]),
        lamp(),
        ("set_camera", json!({ "center": [0, 1, 9], "look_at": [0, 0, 0] })),
    ];
    let scene = after(&Scene::default(), MODEL, &own);
    assert_eq!(has(&scene), [false, false, false, true, false]);
    assert_eq!(scene.camera.center.get(), [0.0, 1.0, 9.0]);
}

#[test]
fn it_can_be_switched_off_and_on() {
    let planned = |scene: &Scene, on: bool| {
        let mut draft = SceneManager::new(scene.clone()).draft();
        let plan = Stage { on: Some(on) }.plan(&Space::of(scene, &NoAssets)).expect("a plan");
        for edit in &plan.edits {
            draft.apply(edit).expect("applies");
        }
        draft.scene().clone()
    };
    let staged = with_ball();
    let off = planned(&staged, false);
    assert_eq!(has(&off), [false, false, false, true, false], "the picture stays as it is framed");
    assert_eq!(has(&planned(&off, true)), [true; 5]);
}
