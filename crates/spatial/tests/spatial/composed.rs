//! Shapes made of many bodies: what touches them, what fits into them, what stands on them.

use scene::NoAssets;
use serde_json::{Value, json};
use spatial::{Sight, Space};

use crate::stage::{Stage, near, stage};

fn ball(center: [f64; 3], radius: f64) -> Value {
    json!({ "center": center, "radius": radius })
}

fn gap(kind: &str, properties: Value, center: [f64; 3], radius: f64) -> f64 {
    stage(&[("a", kind, properties), ("b", "sphere", ball(center, radius))]).relation("a", "b").gap
}

#[test]
fn distances_are_those_of_the_surfaces() {
    let hose = json!({ "points": [[0, 0, 0], [0, 0, 4]], "radius": 0.5 });
    assert!(near(gap("tube", hose, [0.0, 2.0, 1.0], 0.5), 1.0));
    // Beside the narrow part of a goblet, far below its rim.
    let goblet = json!({ "base_center": [0, 0, 0], "profile": [[0, 0], [0.1, 0], [0.1, 1], [1, 1.5], [1, 2]] });
    assert!(near(gap("lathe", goblet, [0.6, 0.3, 0.0], 0.2), 0.3));
    // In the corner of an angle.
    let angle = json!({ "center": [0, 0, 0], "depth": 2, "outline": [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]] });
    assert!(near(gap("extrusion", angle.clone(), [2.0, 2.0, 0.0], 0.25), 0.75));
    assert!(gap("extrusion", angle, [2.0, 0.5, 0.0], 0.25) < -0.2);
    // In the hole of a frame.
    let frame = json!({ "center": [0, 0, 0], "depth": 1, "outline": [[0, 0], [4, 0], [4, 4], [0, 4]],
                        "holes": [[[1, 1], [3, 1], [3, 3], [1, 3]]] });
    assert!(near(gap("extrusion", frame, [2.0, 2.0, 0.0], 0.5), 0.5));
    let word = json!({ "text": "HI", "base_center": [0, 0, 0], "size": 1, "depth": 0.2 });
    assert!(near(gap("text", word, [0.0, 3.0, 0.0], 1.0), 1.0));
}

/// What is found, but for the camera of an empty scene, which lies in the plane of the floor.
fn findings(stage: &Stage) -> Vec<&'static str> {
    let scene = stage.scene();
    let found = spatial::check(&Space::of(&scene, &NoAssets), &mut |_| Sight::Seen).found;
    let found = found.into_iter().map(|finding| finding.check);
    found.filter(|check| *check != "camera_low").collect()
}

fn floor() -> (&'static str, &'static str, Value) {
    ("floor", "quad", json!({ "corner": [-20, 0, 20], "u": [40, 0, 0], "v": [0, 0, -40] }))
}

#[test]
fn without_a_floor_things_in_each_other_and_in_the_air_are_told() {
    let block = |x: f64, y: f64| json!({ "center": [x, y, 0], "dimensions": [1, 1, 1] });
    let two = |x: f64, y: f64| stage(&[("a", "box", block(0.0, 0.5)), ("b", "box", block(x, y))]);
    assert_eq!(findings(&two(0.6, 0.5)), ["overlap"]);
    assert_eq!(findings(&two(1.5, 0.5)), [""; 0]);
    let high = stage(&[floor(), ("a", "box", block(0.0, 0.5)), ("b", "box", block(3.0, 8.5))]);
    assert!(findings(&high).contains(&"floating"));
}

#[test]
fn flowers_fit_into_vases_but_bottles_not_into_pawns() {
    let stem = {
        let ends = json!({ "start": [0, 0.05, 0], "end": [0, 1.5, 0], "radius": 0.05 });
        ("stem", "capsule", ends)
    };
    let vase =
        json!({ "base_center": [0, 0, 0], "profile": [[0, 0], [0.4, 0], [0.5, 0.5], [0.2, 1]] });
    assert_eq!(findings(&stage(&[floor(), ("vase", "lathe", vase), stem])), Vec::<&str>::new());
    let pawn =
        json!({ "base_center": [0, 0, 0], "profile": [[0, 0], [0.4, 0], [0.2, 0.5], [0, 1]] });
    // It stands by itself; what only the pawn holds would be fixed to it.
    let bottle = json!({ "base_center": [0.1, 0, 0], "top_center": [0.1, 1.5, 0], "radius": 0.3, "capped": true });
    let both = stage(&[floor(), ("pawn", "lathe", pawn), ("bottle", "cylinder", bottle)]);
    assert_eq!(findings(&both), ["overlap"]);
}

#[test]
fn words_and_coils_stand_on_the_floor_without_alarm() {
    let word = json!({ "text": "Words", "base_center": [0, 0, 0], "size": 1, "depth": 0.2 });
    assert_eq!(findings(&stage(&[floor(), ("word", "text", word)])), Vec::<&str>::new());
    let coil: Vec<[f64; 3]> = (0..40)
        .map(|at| {
            let (sin, cos) = (f64::from(at) * 0.6).sin_cos();
            [0.5 * cos, 0.1 + 0.03 * f64::from(at), 0.5 * sin]
        })
        .collect();
    let mut stage = stage(&[floor(), ("coil", "tube", json!({ "points": coil, "radius": 0.1 }))]);
    stage.call("place", json!({ "ids": ["coil"], "relation": "on", "to": ["floor"] }));
    assert_eq!(findings(&stage), Vec::<&str>::new());
}

#[test]
fn things_are_placed_on_land_and_land_carries_them() {
    let noise = json!({ "seed": 3, "height": 2, "feature_size": 6 });
    let land = json!({ "center": [0, 0, 0], "sides": [20, 20], "noise": noise });
    let mut stage = stage(&[
        ("land", "height_field", land),
        ("rock", "box", json!({ "center": [3, 9, -2], "dimensions": [1, 1, 1] })),
    ]);
    assert!(findings(&stage).contains(&"floating"));
    stage.call("place", json!({ "ids": ["rock"], "relation": "on", "to": ["land"] }));
    let relation = stage.relation("rock", "land");
    assert!(relation.gap.abs() < 1e-3 && relation.away.y > 0.3, "{relation:?}");
    assert!(!findings(&stage).iter().any(|check| ["floating", "overlap"].contains(check)));
}

#[test]
fn many_bodies_stay_few_enough() {
    let started: Vec<[f64; 3]> =
        (0..500).map(|at| [f64::from(at), f64::from(at % 2), 0.0]).collect();
    let hose = json!({ "points": started, "radius": 0.1 });
    let noise = json!({ "seed": 3, "height": 2, "feature_size": 0.1, "octaves": 8 });
    let land = json!({ "center": [0, 5, 0], "sides": [20, 20], "noise": noise });
    let stage = stage(&[("a", "tube", hose), ("b", "height_field", land)]);
    assert!(stage.relation("a", "b").gap > 0.0);
}
