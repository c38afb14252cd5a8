//! What `check` says of sizes and of what the camera does not show.

use scene::{NoAssets, Scene};
use serde_json::{Value, json};
use spatial::{Sight, Space, check};

fn block(id: &str, center: [f64; 3], edge: f64) -> Value {
    json!({ "id": id, "type": "box", "properties": { "center": center, "dimensions": [edge, edge, edge] } })
}

/// The ids of the findings of one kind, seen from five metres before the origin.
fn found(kind: &str, shapes: &[Value]) -> Vec<String> {
    let camera = json!({ "center": [0, 1, 5], "look_at": [0, 1, 0], "vfov": 10 });
    let scene = json!({ "version": 1, "shapes": shapes, "camera": camera });
    let scene = Scene::from_json(&scene).unwrap();
    let found = check(&Space::of(&scene, &NoAssets), &mut |_| Sight::Seen).found;
    let found = found.into_iter().filter(|finding| finding.check == kind);
    found.flat_map(|finding| finding.ids).collect()
}

#[test]
fn a_giant_is_found_but_neither_what_stands_far_behind_nor_a_sky_full_of_small_things() {
    let things = [block("one", [0.0, 1.0, 0.0], 1.0), block("other", [3.0, 1.0, 0.0], 1.0)];
    let with = |more: &[Value]| found("scale", &[&things[..], more].concat());
    assert_eq!(with(&[block("giant", [0.0, 1.0, -100.0], 300.0)]), ["giant"]);
    assert_eq!(with(&[block("planet", [0.0, 1.0, -1_000.0], 300.0)]), [""; 0]);
    let star = |id: &str, x: f64| {
        let mut star = block(id, [x, 50.0, -80.0], 1.0);
        star["group"] = "stars".into();
        star
    };
    assert_eq!(
        with(&[star("star_1", -400.0), star("star_2", 0.0), star("star_3", 400.0)]),
        [""; 0]
    );
}

#[test]
fn a_floor_below_the_picture_is_no_finding_but_a_thing_beside_it_is() {
    let floor = json!({ "id": "floor", "type": "box", "properties": {
        "center": [0, -0.05, 3], "dimensions": [8, 0.1, 8] } });
    let thing = block("thing", [0.0, 1.0, 0.0], 0.2);
    assert_eq!(found("out_of_view", &[floor.clone(), thing.clone()]), [""; 0]);
    let beside = block("beside", [3.0, 1.0, 0.0], 0.2);
    assert_eq!(found("out_of_view", &[floor, thing, beside]), ["beside"]);
}
