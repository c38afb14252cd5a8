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
fn frame_fills_an_orthographic_picture_too() {
    for (kind, properties) in forms() {
        for (from, margin) in [("front", 0.0), ("corner", 0.3), ("top", 0.1)] {
            let mut stage = stage(&[("a", kind, properties.clone())]);
            stage.call(
                "set_camera",
                json!({ "center": [0, 0, 9], "look_at": [0, 0, 0], "projection": "orthographic" }),
            );
            stage.call("frame", json!({ "ids": ["a"], "from": from, "margin": margin }));
            let scene = stage.scene();
            let space = Space::of(&scene, &NoAssets);
            let coverage = View::of(&scene.camera).coverage(&space.bodies()[0].solid);
            assert!(coverage.inside > 0.99, "{kind} {from} {margin} {coverage:?}");
            assert!(scene.camera.height.is_some(), "{kind} {from}");
            // What is flat and seen from its edge takes none of the picture.
            if coverage.screen < 1e-9 {
                continue;
            }
            // With less height it does not fit any more.
            let mut closer = scene.camera.clone();
            closer.height = scene::Length::new(scene.camera.view_height() * (0.9 - margin));
            let cut = View::of(&closer).coverage(&space.bodies()[0].solid);
            assert!(cut.inside < 0.999, "{kind} {from} {margin} {cut:?}");
        }
    }
}

#[test]
fn parallel_and_panoramic_views_show_things_where_they_are() {
    let camera = |more: serde_json::Value| {
        let mut camera = json!({ "center": [0, 0, 10], "look_at": [0, 0, 0] });
        camera.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        View::of(&scene::Camera::from_json(&camera).unwrap())
    };
    let flat = camera(json!({ "projection": "orthographic", "height": 4 }));
    for z in [9.0, -300.0] {
        let at = flat.project(glam::DVec3::new(4.0 / 3.0, -1.0, z)).unwrap();
        assert!((at - glam::DVec2::new(0.75, 0.75)).length() < 1e-9, "{at}");
    }
    assert!(flat.project(glam::DVec3::new(0.0, 0.0, 11.0)).is_none());
    let round = camera(json!({ "projection": "panoramic" }));
    for (point, expected) in [
        ([0.0, 0.0, 0.0], [0.5, 0.5]),
        ([10.0, 0.0, 10.0], [0.75, 0.5]),
        ([-10.0, 10.0, 10.0], [0.25, 0.25]),
    ] {
        let at = round.project(point.into()).unwrap();
        assert!((at - glam::DVec2::from(expected)).length() < 1e-9, "{point:?}: {at}");
    }
    // A ball behind the viewer, where the picture begins and ends, is one ball there too.
    let stage = stage(&[("a", "sphere", json!({ "center": [0, 0, 14], "radius": 1 }))]);
    let scene = stage.scene();
    let coverage = round.coverage(&Space::of(&scene, &NoAssets).bodies()[0].solid);
    // Half an angle of asin(1/4) each way of 360 by 180 degrees.
    let expected =
        std::f64::consts::PI * 0.25_f64.asin().powi(2) / (2.0 * std::f64::consts::PI.powi(2));
    assert!((coverage.screen / expected - 1.0).abs() < 0.05, "{coverage:?} {expected}");
    assert_eq!(coverage.inside, 1.0);
}

#[test]
fn what_is_looked_at_is_sharp() {
    let mut stage = stage(&[("a", "sphere", json!({ "center": [3, 1, -2], "radius": 1 }))]);
    for (name, args) in [("frame", json!({ "ids": ["a"] })), ("look_at", json!({ "id": "a" }))] {
        stage.call("set_camera", json!({ "aperture": 0.1, "focus_distance": 0.5 }));
        stage.call(name, args);
        assert_eq!(stage.scene().camera.focus_distance, None, "{name}");
        assert_eq!(stage.scene().camera.aperture.get(), 0.1);
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
