//! `look_at` and `frame`.

use scene::NoAssets;
use serde_json::json;
use spatial::{Space, View};

use crate::stage::{forms, stage};

#[test]
fn frame_fills_the_picture_with_every_shape_from_every_side() {
    for (kind, properties) in forms() {
        for from in ["current", "front", "back", "left", "right", "top", "corner"] {
            for margin in [0.0, 0.3] {
                let mut stage = stage(&[("a", kind, properties.clone())]);
                stage.call("scale", json!({ "ids": ["a"], "by": 3.3 }));
                stage.call("move", json!({ "ids": ["a"], "by": [20, 3, -7] }));
                stage.call("frame", json!({ "ids": ["a"], "from": from, "margin": margin }));
                let scene = stage.scene();
                let space = Space::of(&scene, &NoAssets);
                let view = View::of(&scene.camera);
                let coverage = view.coverage(&space.bodies()[0].solid);
                assert!(coverage.inside > 0.99, "{kind} {from} {margin} {coverage:?}");
                // A little more margin would be too much: the outline spans the room it has.
                let (mut low, mut high) = (glam::DVec2::INFINITY, glam::DVec2::NEG_INFINITY);
                for step in 0..2000 {
                    let height = 1.0 - (2.0 * f64::from(step) + 1.0) / 2000.0;
                    let (angle, radius) =
                        (f64::from(step) * 2.399_963, (1.0 - height * height).sqrt());
                    let way = glam::DVec3::new(radius * angle.cos(), height, radius * angle.sin());
                    let at = view.project(space.bodies()[0].solid.farthest(way)).unwrap();
                    (low, high) = (low.min(at), high.max(at));
                }
                let span = (high - low).max_element();
                assert!(span < 1.0 - margin + 0.03, "{kind} {from} {margin}: {span}");
                // What reaches far towards the camera keeps it at a distance.
                let solid = &space.bodies()[0].solid;
                let front = -solid.reach(-view.forward()) - view.center().dot(view.forward());
                let is_close = front < 0.11 * solid.size();
                assert!(is_close || span > 1.0 - margin - 0.03, "{kind} {from} {margin}: {span}");
            }
        }
    }
}

#[test]
fn look_at_turns_to_things_and_points() {
    let mut stage = stage(&[("a", "sphere", json!({ "center": [3, 1, -2], "radius": 1 }))]);
    stage.call("look_at", json!({ "id": "a" }));
    assert_eq!(stage.scene().camera.look_at.get(), [3.0, 1.0, -2.0]);
    assert_eq!(stage.scene().camera.center.get(), [0.0, 0.0, 5.0]);
    stage.call("look_at", json!({ "point": [0, 1, 0], "center": [9, 9, 9] }));
    assert_eq!(stage.scene().camera.center.get(), [9.0, 9.0, 9.0]);
    assert_eq!(stage.scene().camera.vfov.get(), 45.0);
    for (name, args, expected) in [
        ("look_at", json!({}), "look_at: give either 'id' or 'point' to look at"),
        ("look_at", json!({ "id": "b" }), "there is no 'b'; did you mean 'a'? The scene has: a"),
        (
            "look_at",
            json!({ "point": [9, 9, 9] }),
            "look_at: the camera would stand in the point it looks at; give it another 'center'",
        ),
        ("frame", json!({ "margin": 0.95 }), "frame: 'margin' must be at most 0.9"),
    ] {
        assert_eq!(stage.refused(name, args), expected);
    }
    stage.call("remove_shape", json!({ "id": "a" }));
    assert_eq!(stage.refused("frame", json!({})), "frame: the scene has no shapes to show");
}
