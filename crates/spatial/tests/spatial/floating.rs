//! What hangs in the air, where a scene has a floor and where it has none.

use scene::{NoAssets, Scene};
use serde_json::{Value, json};
use spatial::{Sight, Space};

/// A sign: a post with a flat plate at its front, `height` metres above where it stands.
fn sign(id: &str, x: f64, height: f64) -> [Value; 2] {
    let part = |part: &str, kind: &str, properties: Value| json!({ "id": format!("{id}_{part}"), "type": kind, "group": id, "properties": properties });
    [
        part("post", "box", json!({ "center": [x, height + 1.0, 0], "dimensions": [0.1, 2, 0.1] })),
        part(
            "plate",
            "quad",
            json!({ "corner": [x - 0.5, height + 1.5, 0.05], "u": [1, 0, 0], "v": [0, 0.5, 0] }),
        ),
    ]
}

fn floating(shapes: &[Value]) -> Vec<String> {
    let mut shapes = shapes.to_vec();
    for shape in &mut shapes {
        shape["properties"]["material"] =
            json!({ "type": "lambertian", "albedo": [0.5, 0.5, 0.5] });
    }
    let groups = ["near", "far"].map(|id| json!({ "id": id }));
    let scene = json!({ "version": 1, "groups": groups, "shapes": shapes });
    let scene = Scene::from_json(&scene).unwrap();
    let found = spatial::check(&Space::of(&scene, &NoAssets), &mut |_| Sight::Seen).found;
    let floating = found.into_iter().filter(|finding| finding.check == "floating");
    floating.flat_map(|finding| finding.ids).collect()
}

#[test]
fn the_flat_faces_of_things_are_no_ground() {
    let stand = [sign("near", 0.0, 0.0), sign("far", 5.0, 0.0)].concat();
    assert_eq!(floating(&stand), [""; 0], "both stand, though there is no floor");
}

#[test]
fn a_gap_that_nobody_sees_is_none() {
    let clock = |gap: f64| {
        let mut shapes = vec![json!({ "id": "floor", "type": "quad",
            "properties": { "corner": [-20, 0, 20], "u": [40, 0, 0], "v": [0, 0, -40] } })];
        shapes.extend(sign("near", 0.0, 0.0));
        shapes.push(json!({ "id": "hand", "type": "box", "properties": {
            "center": [0, 1.7, 0.055 + gap], "dimensions": [0.02, 0.2, 0.01] } }));
        floating(&shapes)
    };
    assert_eq!(clock(0.0004), [""; 0]);
    assert_eq!(clock(0.02), ["hand"]);
}

#[test]
fn what_stands_at_the_level_of_the_ground_beyond_its_edge_does_not_float() {
    let ground = json!({ "id": "floor", "type": "quad",
        "properties": { "corner": [-20, 0, 20], "u": [19, 0, 0], "v": [0, 0, -40] } });
    let rock = json!({ "id": "rock", "type": "box",
        "properties": { "center": [0, -1, 0], "dimensions": [1, 1, 1] } });
    let over_the_rock = |height: f64| {
        let tower = json!({ "id": "tower", "type": "box",
            "properties": { "center": [0, height + 0.5, 0], "dimensions": [0.5, 1, 0.5] } });
        floating(&[ground.clone(), rock.clone(), tower])
    };
    assert_eq!(over_the_rock(0.0), [""; 0]);
    assert_eq!(over_the_rock(0.4), ["tower"]);
}

#[test]
fn a_floor_is_a_ground_also_where_it_belongs_to_a_group() {
    let mut room = vec![json!({ "id": "floor", "type": "quad", "group": "near",
        "properties": { "corner": [-20, 0, 20], "u": [40, 0, 0], "v": [0, 0, -40] } })];
    room.extend(sign("near", 0.0, 0.0));
    room.extend(sign("far", 5.0, 0.5));
    assert_eq!(floating(&room), ["far_post", "far_plate"]);
}

#[test]
fn a_cord_hangs_by_its_ends_with_all_that_hangs_on_it() {
    let floor = json!({ "id": "floor", "type": "quad",
        "properties": { "corner": [-20, 0, 20], "u": [40, 0, 0], "v": [0, 0, -40] } });
    let garland = |middle: f64, radius: f64| {
        let cord = json!({ "id": "cord", "type": "tube", "properties": {
            "points": [[-1, 1, 0], [0, middle, 0], [1, 1, 0]], "radius": radius } });
        let flag = json!({ "id": "flag", "type": "box", "properties": {
            "center": [0, middle - 0.1, 0], "dimensions": [0.1, 0.2, 0.01] } });
        let post = json!({ "id": "post", "type": "box", "properties": {
            "center": [1.5, 0.5, -4], "dimensions": [0.1, 1, 0.1] } });
        floating(&[floor.clone(), cord, flag, post])
    };
    assert_eq!(garland(0.7, 0.006), [""; 0]);
    assert_eq!(garland(1.3, 0.006).len(), 2, "an arch is held by nothing");
    assert_eq!(garland(0.7, 0.1).len(), 2, "nor is a thick pipe");
}

#[test]
fn letters_are_mounted_before_what_is_close_behind_them() {
    let wall = json!({ "id": "wall", "type": "box",
        "properties": { "center": [0, 0.5, -0.1], "dimensions": [4, 1, 0.2] } });
    let floor = json!({ "id": "floor", "type": "quad",
        "properties": { "corner": [-20, 0, 20], "u": [40, 0, 0], "v": [0, 0, -40] } });
    let name = |height: f64, gap: f64| {
        let text = json!({ "id": "name", "type": "text", "properties": { "text": "INN", "size": 0.2,
            "depth": 0.02, "base_center": [0, height, 0.01 + gap] } });
        floating(&[wall.clone(), floor.clone(), text])
    };
    assert_eq!(name(0.5, 0.03), [""; 0]);
    assert_eq!(name(0.5, 0.4), ["name"]);
    assert_eq!(name(1.05, 0.03), ["name"], "above the wall nothing is behind them");
}

#[test]
fn a_leaf_among_leaves_is_held_by_twigs_and_one_apart_floats() {
    let floor = json!({ "id": "floor", "type": "quad",
        "properties": { "corner": [-20, 0, 20], "u": [40, 0, 0], "v": [0, 0, -40] } });
    let crown = json!({ "id": "crown", "type": "cylinder", "properties": {
        "base_center": [0, 0, -3], "top_center": [0, 1, -3], "radius": 0.4, "capped": true } });
    let leaf = |at: u32, x: f64, y: f64| {
        let turn = [f64::from(at) * 31.0, f64::from(at) * 47.0, f64::from(at) * 11.0];
        json!({ "id": format!("leaf_{at}"), "type": "ellipsoid", "group": "near", "properties": {
            "center": [x, y, -3], "radii": [0.1, 0.01, 0.05], "rotation": turn } })
    };
    let with = |x: f64, y: f64| {
        let leaves = (1..40).map(|at| leaf(at, 0.4, 0.02 * f64::from(at) + 0.1));
        let shapes = [floor.clone(), crown.clone(), leaf(40, x, y)].into_iter();
        floating(&shapes.chain(leaves).collect::<Vec<_>>())
    };
    assert_eq!(with(0.65, 0.6), [""; 0]);
    assert_eq!(with(1.2, 0.6), ["leaf_40"]);
    assert_eq!(with(0.65, 0.12), ["leaf_40"], "it lies nearly on the floor");
}
