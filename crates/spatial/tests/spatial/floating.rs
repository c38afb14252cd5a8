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
