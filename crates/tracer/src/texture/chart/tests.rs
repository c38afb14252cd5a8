//! Coordinates of surfaces.

use serde_json::{Value, json};

use super::*;

fn chart(kind: &str, properties: &Value) -> Chart {
    let shape = json!({ "id": "a", "type": kind, "properties": properties });
    let scene = scene::Scene::from_json(&json!({ "version": 1, "shapes": [shape] })).unwrap();
    let geometry = &scene.shapes[0].geometry;
    Chart::new(geometry, geometry.bounds().unwrap(), &Meshes::default())
}

#[test]
fn surfaces_are_numbered_from_below_and_around() {
    let ball = json!({ "center": [1, 2, 3], "radius": 2 });
    let square = json!({ "corner": [1, 1, 1], "u": [4, 0, 0], "v": [0, 2, 0] });
    let can =
        json!({ "base_center": [0, 1, 0], "top_center": [0, 5, 0], "radius": 1, "capped": true });
    let disc = json!({ "center": [0, 0, 0], "normal": [0, 0, 1], "radius": 2 });
    let cuboid = json!({ "center": [0, 0, 0], "dimensions": [2, 4, 6], "rotation": [0, 90, 0] });
    let ring = json!({ "center": [0, 0, 0], "normal": [0, 1, 0], "radius": 2, "thickness": 1 });
    for (kind, properties, at, normal, expected) in [
        ("sphere", &ball, [1.0, 2.0, 5.0], [0.0, 0.0, 1.0], [0.5, 0.5]),
        ("sphere", &ball, [3.0, 2.0, 3.0], [1.0, 0.0, 0.0], [0.75, 0.5]),
        ("sphere", &ball, [1.0, 4.0, 3.0], [0.0, 1.0, 0.0], [0.5, 1.0]),
        ("quad", &square, [2.0, 2.5, 1.0], [0.0, 0.0, 1.0], [0.25, 0.75]),
        ("cylinder", &can, [0.0, 2.0, 1.0], [0.0, 0.0, 1.0], [0.5, 0.25]),
        ("cylinder", &can, [0.5, 5.0, 0.0], [0.0, 1.0, 0.0], [0.75, 0.5]),
        ("disc", &disc, [1.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.75, 0.75]),
        // Turned by 90 degrees about y, its x axis points away from z.
        ("box", &cuboid, [0.0, 1.0, -1.0], [0.0, 0.0, -1.0], [0.5, 0.75]),
        ("torus", &ring, [0.0, 0.0, 2.5], [0.0, 0.0, 1.0], [0.5, 0.5]),
        ("torus", &ring, [2.0, 0.5, 0.0], [0.0, 1.0, 0.0], [0.75, 0.75]),
    ] {
        let uv = chart(kind, properties).uv(at.into(), normal.into(), 0);
        let error = (uv - Vec2::from_array(expected)).abs().max_element();
        assert!(error < 1e-5, "{kind} at {at:?}: {uv}, not {expected:?}");
    }
}

#[test]
fn turned_shapes_have_charts_of_their_own_and_axes_to_go_round() {
    let vase = json!({ "base_center": [0, 1, 0], "profile": [[0, 0], [2, 0], [1, 4], [0, 4]],
                       "rotation": [0, 0, -90] });
    let plate = json!({ "center": [1, 0, 0], "outline": [[0, 0], [4, 0], [4, 2], [0, 2]], "depth": 1,
                        "rotation": [0, 90, 0] });
    let disc = json!({ "center": [1, 2, 3], "normal": [0, 1, 0], "radius": 2 });
    let square = json!({ "corner": [1, 1, 1], "u": [4, 0, 0], "v": [0, 2, 0] });
    // Its axis lies along x: half way up is at x 2, and its own x points down.
    let lathe = chart("lathe", &vase);
    let side = lathe.uv(Vec3A::new(3.0, 0.5, 1.5), Vec3A::Z, 0);
    assert!((side - Vec2::new(0.625, 0.75)).abs().max_element() < 1e-5, "{side}");
    // The front of the plate faces +x, and its x runs along -z.
    let middle = chart("extrusion", &plate).uv(Vec3A::new(1.5, 1.0, -2.0), Vec3A::X, 0);
    assert!((middle - 0.5).abs().max_element() < 1e-5, "{middle}");
    for (kind, properties, at, away) in [
        ("disc", &disc, [1.0, 2.0, 4.5], 1.5),
        ("quad", &square, [3.0, 3.0, 1.0], 1.0),
        ("lathe", &vase, [2.0, 1.0, 1.5], 1.5),
    ] {
        let around = chart(kind, properties).around(at.into());
        assert!((around.x - away).abs() < 1e-5, "{kind}: {around}");
    }
}

#[test]
fn a_shape_keeps_its_pattern_as_it_moves_and_turns() {
    let here = chart("box", &json!({ "center": [0, 0, 0], "dimensions": [1, 2, 3] }));
    let there = json!({ "center": [5, -2, 1], "dimensions": [1, 2, 3], "rotation": [0, 0, 90] });
    let there = chart("box", &there);
    // A quarter turn about z takes x to y.
    let (at, moved) = (Vec3A::new(0.3, 0.9, 1.1), Vec3A::new(5.0 - 0.9, -2.0 + 0.3, 2.1));
    assert!((here.local(at) - there.local(moved)).length() < 1e-5);
}
