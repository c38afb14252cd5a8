//! `move`, `rotate`, `scale`, `duplicate`, `mirror`, on shapes of every kind, lights and groups.

use serde_json::{Value, json};

use crate::stage::{exactness, forms, near, stage, stage_of};

fn close(one: [f64; 3], other: [f64; 3]) -> bool {
    one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-9)
}

#[test]
fn every_shape_moves_turns_and_scales_as_a_rigid_thing() {
    for (kind, properties) in forms() {
        let mut stage = stage(&[
            ("a", kind, properties.clone()),
            ("mark", "sphere", json!({ "center": [3, 2, 1], "radius": 0.1 })),
        ]);
        let apart = stage.relation("a", "mark").gap;
        let same = |one: f64, other: f64| (one - other).abs() < 10.0 * exactness(kind);
        let size = stage.extent("a").size();
        stage.call("move", json!({ "ids": ["a"], "to": [5, 6, 7] }));
        assert!(close(stage.center("a"), [5.0, 6.0, 7.0]), "{kind}");
        stage.call("move", json!({ "ids": ["a"], "by": [-5, -6, -7] }));
        assert!(close(stage.center("a"), [0.0; 3]), "{kind}");
        stage.0.undo().unwrap();
        stage.0.undo().unwrap();
        // Turned and scaled together, two things keep their relation.
        stage.call("group", json!({ "id": "both", "ids": ["a", "mark"] }));
        stage.call("rotate", json!({ "ids": ["both"], "by": [33, -71, 140] }));
        assert!(same(stage.relation("a", "mark").gap, apart), "{kind}");
        stage.call("scale", json!({ "ids": ["both"], "by": 2.5 }));
        assert!(same(stage.relation("a", "mark").gap, 2.5 * apart), "{kind}");
        stage.call("mirror", json!({ "ids": ["both"], "axis": "z", "at": 4, "copy": false }));
        assert!(same(stage.relation("a", "mark").gap, 2.5 * apart), "{kind}");
        let mut alone = crate::stage::stage(&[("a", kind, properties)]);
        let bottom = alone.extent("a").min.y;
        alone.call("scale", json!({ "ids": ["a"], "to": 3 }));
        let scaled = alone.extent("a");
        assert!(near(scaled.size().max_element(), 3.0) && near(scaled.min.y, bottom), "{kind}");
        assert!(scaled.size().abs_diff_eq(size * (3.0 / size.max_element()), 1e-9), "{kind}");
    }
}

#[test]
fn copies_are_named_on_and_mirrored_copies_face_back() {
    for (kind, properties) in forms() {
        let mut stage = stage(&[("a", kind, properties)]);
        let ids = stage.call("duplicate", json!({ "ids": ["a"], "offset": [3, 0, 0] }));
        assert_eq!(ids, ["a_2"]);
        let ids = stage.call("duplicate", json!({ "ids": ["a_2"], "offset": [3, 0, 0] }));
        assert_eq!(ids, ["a_3"], "{kind}");
        let ids = stage.call("mirror", json!({ "ids": ["a"], "axis": "x", "at": -2 }));
        let (one, other) = (stage.extent("a"), stage.extent(&ids[0]));
        assert!(
            near(other.max.x, -4.0 - one.min.x) && near(other.min.x, -4.0 - one.max.x),
            "{kind}"
        );
        assert!(near(other.min.y, one.min.y) && near(other.max.z, one.max.z), "{kind}");
    }
}

#[test]
fn mirrored_lights_shine_to_the_mirrored_side() {
    let file = json!({ "version": 1, "shapes": [], "lights": [{ "id": "lamp", "type": "area_quad_light",
        "properties": { "corner": [1, 0, 0], "u": [0, 1, 0], "v": [0, 0, 1], "emission": [1, 1, 1] } }] });
    let mut stage = stage_of(&file);
    stage.call("mirror", json!({ "ids": ["lamp"], "axis": "x" }));
    let copy = stage.scene().light("lamp_2").unwrap().to_json()["properties"].clone();
    // u x v pointed to +x, and points to -x now.
    assert_eq!(copy["corner"], json!([-1.0, 0.0, 0.0]));
    assert_eq!((&copy["u"], &copy["v"]), (&json!([0.0, 0.0, 1.0]), &json!([0.0, 1.0, 0.0])));
}

#[test]
fn own_axes_and_absolute_turns() {
    let turned = json!({ "center": [0, 1, 0], "dimensions": [2, 1, 1], "rotation": [0, 90, 0] });
    let mut stage = stage(&[
        ("a", "box", turned),
        ("b", "sphere", json!({ "center": [5, 1, 0], "radius": 1 })),
    ]);
    stage.call("scale", json!({ "ids": ["a"], "by": [2, 1, 1], "anchor": "center" }));
    assert!(near(stage.extent("a").size().z, 4.0));
    stage.call("rotate", json!({ "ids": ["a"], "to": [0, 0, 0] }));
    assert!(near(stage.extent("a").size().x, 4.0));
    stage.call("rotate", json!({ "ids": ["b"], "by": [0, 90, 0], "pivot": [0, 0, 0] }));
    assert!(close(stage.center("b"), [0.0, 1.0, -5.0]));
}

#[test]
fn bad_moves_say_what_to_do() {
    let mut stage = stage(&[("a", "sphere", json!({ "center": [0, 1, 0], "radius": 1 }))]);
    for (name, args, expected) in [
        (
            "move",
            json!({ "ids": ["a"] }),
            "move: give either 'by' (the way) or 'to' (where its centre goes)",
        ),
        (
            "move",
            json!({ "ids": ["a"], "by": [1e6, 0, 0], "to": [0, 0, 0] }),
            "move: give either 'by' (the way) or 'to' (where its centre goes)",
        ),
        (
            "move",
            json!({ "ids": ["a"], "to": [1, 2] }),
            "move property 'to' must be [x, y, z] with numbers within ±1000000, or null for what stays, got [1,2]",
        ),
        (
            "scale",
            json!({ "ids": ["a"], "by": [1, 2, 1] }),
            "shape 'a' cannot be put there: a sphere can only be scaled by one number; change its properties by update_shape instead",
        ),
        (
            "rotate",
            json!({ "ids": ["a"], "to": [0, 0, 0] }),
            "'a' has no rotation of its own to set; turn it by 'by', or set its direction by update_shape",
        ),
        (
            "duplicate",
            json!({ "ids": ["a"], "offset": [1, 0, 0], "new_id": "a" }),
            "duplicate property 'new_id': a shape 'a' already exists; choose another id",
        ),
        (
            "scale",
            json!({ "ids": ["a"], "by": 0 }),
            "scale property 'by' must be a number, or [x, y, z], from 0.000001 to 1000000, got 0",
        ),
    ] {
        assert_eq!(stage.refused(name, args), expected);
    }
}

#[test]
fn a_whole_crowd_keeps_its_layout() {
    let shapes: Vec<(String, &str, Value)> = forms()
        .into_iter()
        .enumerate()
        .map(|(at, (kind, properties))| (format!("s{at}"), kind, properties))
        .collect();
    let list: Vec<(&str, &str, Value)> = shapes
        .iter()
        .map(|(id, kind, properties)| (id.as_str(), *kind, properties.clone()))
        .collect();
    let mut stage = stage(&list);
    for (at, (id, ..)) in list.iter().enumerate() {
        stage.call("move", json!({ "ids": [id], "by": [2 * at, 0, 0] }));
    }
    let ids: Vec<&str> = list.iter().map(|(id, ..)| *id).collect();
    let gaps = |stage: &crate::stage::Stage| -> Vec<f64> {
        ids.windows(2).map(|pair| stage.relation(pair[0], pair[1]).gap).collect()
    };
    let before = gaps(&stage);
    stage.call("move", json!({ "ids": ids, "to": [100, 50, 0] }));
    let after = gaps(&stage);
    assert!(
        before.iter().zip(&after).all(|(one, other)| (one - other).abs() < 1e-5),
        "{before:?} {after:?}"
    );
}

#[test]
fn a_goal_may_leave_coordinates_as_they_are() {
    let mut stage = stage(&[("a", "sphere", json!({ "center": [1, 2, 3], "radius": 0.5 }))]);
    stage.call("move", json!({ "ids": ["a"], "to": [7, null, -1] }));
    assert_eq!(stage.center("a"), [7.0, 2.0, -1.0]);
    let error = stage.refused("move", json!({ "ids": ["a"], "to": [7, "x", -1] }));
    assert!(error.contains("or null for what stays"), "{error}");
}

#[test]
fn upright_cones_and_cylinders_take_a_factor_for_their_height_and_one_around() {
    let mut stage = stage(&[
        (
            "cone",
            "cone",
            json!({ "base_center": [1, 0, 0], "top_center": [1, 2, 0], "base_radius": 0.5,
            "top_radius": 0, "capped": true }),
        ),
        (
            "pipe",
            "cylinder",
            json!({ "base_center": [0, 1, 0], "top_center": [3, 1, 0], "radius": 0.5,
            "capped": true }),
        ),
    ]);
    stage.call("scale", json!({ "ids": ["cone"], "by": [2, 3, 2] }));
    let extent = stage.extent("cone");
    assert!(
        near(extent.size().y, 6.0) && near(extent.size().x, 2.0) && near(extent.min.y, 0.0),
        "{extent:?}"
    );
    stage.call("scale", json!({ "ids": ["pipe"], "by": [2, 3, 3], "anchor": "center" }));
    let extent = stage.extent("pipe");
    assert!(near(extent.size().x, 6.0) && near(extent.size().y, 3.0), "{extent:?}");
    let refused = stage.refused("scale", json!({ "ids": ["cone"], "by": [2, 3, 1] }));
    assert!(refused.contains("a cone can only be scaled by one number"), "{refused}");
}
