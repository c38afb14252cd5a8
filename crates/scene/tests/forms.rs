//! Shapes with lists of points: error messages, and invariance under transforms.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use expect_test::expect;
use scene::{Geometry, Motion, MotionError, Scene};
use serde_json::{Value, json};

fn read(kind: &str, properties: &Value) -> Result<Geometry, String> {
    let shape = json!({ "id": "a", "type": kind, "properties": properties });
    Scene::from_json(&json!({ "version": 1, "shapes": [shape] }))
        .map(|scene| scene.shapes[0].geometry.clone())
        .map_err(|errors| errors.to_string())
}

/// The errors for `properties` with some changes.
fn errors(kind: &str, properties: &Value, changes: &Value) -> String {
    let mut properties = properties.clone();
    for (name, value) in changes.as_object().unwrap() {
        properties[name] = value.clone();
    }
    read(kind, &properties).err().unwrap_or_else(|| "no error".into())
}

fn tube() -> Value {
    json!({ "points": [[0, 0, 0], [1, 1, 0], [2, 0, 0.5], [3, 0, 0]], "radius": [0.1, 0.2, 0.1, 0.1] })
}

fn lathe() -> Value {
    json!({ "base_center": [1, 2, 3], "profile": [[0, 0], [0.5, 0.2], [0.2, 1], [0.3, 1.2]] })
}

fn extrusion() -> Value {
    json!({ "center": [1, 2, 3], "outline": [[0, 0], [2, 0], [2, 1], [0.5, 1.5]], "depth": 0.5,
            "holes": [[[1, 0.2], [1.5, 0.2], [1, 0.8]]], "rotation": [10, 20, 30] })
}

fn text() -> Value {
    json!({ "text": "Ab", "base_center": [0, 1, 0], "size": 0.5, "depth": 0.1, "rotation": [0, 30, 0] })
}

fn land() -> Value {
    json!({ "center": [1, 0, 0], "sides": [4, 2], "heights": [[0, 1, 0], [2, 3, 1], [0, 1, -1]],
            "rotation": [0, 45, 0] })
}

fn all() -> [(&'static str, Value); 5] {
    [
        ("tube", tube()),
        ("lathe", lathe()),
        ("extrusion", extrusion()),
        ("text", text()),
        ("height_field", land()),
    ]
}

#[test]
fn faults_of_tubes_say_what_is_missing() {
    let said = |changes: Value| errors("tube", &tube(), &changes);
    expect!["shape 'a' property 'points' must be a list of 2 to 500 points [x, y, z] with numbers within ±1000000, got 1 entries"]
        .assert_eq(&said(json!({ "points": [[0, 0, 0]] })));
    expect!["shape 'a' property 'points' must be a list of 2 to 500 points [x, y, z] with numbers within ±1000000; entry 1 is [1,2]"]
        .assert_eq(&said(json!({ "points": [[0, 0, 0], [1, 2]] })));
    expect!["shape 'a': 'radius' must be one number or one for each of the 4 points, got 2"]
        .assert_eq(&said(json!({ "radius": [1, 2] })));
    expect!["shape 'a' property 'radius' must be a number > 0 and <= 1000000, or a list of one for each point, got -1"]
        .assert_eq(&said(json!({ "radius": -1 })));
    expect!["shape 'a': 'points' 1 and 2 are the same: leave one out"]
        .assert_eq(&said(json!({ "points": [[0, 0, 0], [1, 1, 0], [1, 1, 0], [3, 0, 0]] })));
    expect!["shape 'a': 'points' of a bezier curve must be 3n: end, handle, handle for each piece; got 4"]
        .assert_eq(&said(json!({ "curve": "bezier", "closed": true })));
    expect![[r#"shape 'a' property 'curve' must be smooth, straight or bezier (did you mean 'straight'?), got "strait""#]]
        .assert_eq(&said(json!({ "curve": "strait" })));
}

#[test]
fn faults_of_profiles_say_what_is_wrong() {
    let said = |changes: Value| errors("lathe", &lathe(), &changes);
    expect!["shape 'a' property 'profile' must be a list of 2 to 500 points [distance >= 0, height] with numbers within ±1000000; entry 1 is [-1,2]"]
        .assert_eq(&said(json!({ "profile": [[0, 0], [-1, 2]] })));
    expect!["shape 'a': 'profile' lies on the axis: some points need a distance from it"]
        .assert_eq(&said(json!({ "profile": [[0, 0], [0, 2]] })));
    expect!["shape 'a': 'profile' points 0 and 1 are the same: leave one out"]
        .assert_eq(&said(json!({ "profile": [[1, 0], [1, 0], [1, 2]] })));
    expect!["shape 'a': 'profile' ends where it begins: it needs two more points between at least"]
        .assert_eq(&said(json!({ "profile": [[1, 0], [2, 0], [1, 0]] })));
}

#[test]
fn outlines_may_not_cross() {
    let said = |changes: Value| errors("extrusion", &extrusion(), &changes);
    expect!["shape 'a': the edge from [0.0, 0.0] of 'outline' meets the edge from [2.0, 0.0] of 'outline': outlines may not cross or touch themselves or each other"]
        .assert_eq(&said(json!({ "outline": [[0, 0], [2, 2], [2, 0], [0, 2], [-1, 1]], "holes": [] })));
    expect!["shape 'a': the edge from [2.0, 0.0] of 'outline' meets the edge from [1.0, 0.8] of 'holes[0]': outlines may not cross or touch themselves or each other"]
        .assert_eq(&said(json!({ "holes": [[[1, 0.2], [3, 0.2], [1, 0.8]]] })));
    expect!["shape 'a': 'holes[0]' must lie within 'outline' and in no other hole"]
        .assert_eq(&said(json!({ "holes": [[[5, 0.2], [6, 0.2], [5, 0.8]]] })));
    expect!["shape 'a': 'outline' has no area"]
        .assert_eq(&said(json!({ "outline": [[0, 0], [1, 0], [2, 0]] })));
    expect!["shape 'a' property 'holes.1' must be a list of 3 to 500 corners [x, y] with numbers within ±1000000, got 2 entries"]
        .assert_eq(&said(json!({ "holes": [[[1, 0.2], [1.5, 0.2], [1, 0.8]], [[0, 0], [1, 1]]] })));
    // The first corner may be repeated, and corners may be on straight edges.
    assert_eq!(
        said(json!({ "outline": [[0, 0], [1, 0], [2, 0], [2, 1], [0, 1], [0, 0]], "holes": [] })),
        "no error"
    );
}

#[test]
fn faults_of_words_and_land_say_what_can_be_drawn() {
    expect!["shape 'a' property 'text' holds ['漢'], which the font cannot draw; it has Latin, Greek and Cyrillic letters and common signs"]
        .assert_eq(&errors("text", &text(), &json!({ "text": "A漢" })));
    expect![[r#"shape 'a' property 'text' must be a text of 1 to 200 characters, got "  ""#]]
        .assert_eq(&errors("text", &text(), &json!({ "text": "  " })));
    let said = |changes: Value| errors("height_field", &land(), &changes);
    expect!["shape 'a' property 'heights' must have rows of the same length; the first has 2"]
        .assert_eq(&said(json!({ "heights": [[0, 1], [0, 1, 2]] })));
    expect!["shape 'a' property 'heights' must be 2 to 128 rows of 2 to 128 heights within ±1000000, got [[0,1]]"]
        .assert_eq(&said(json!({ "heights": [[0, 1]] })));
    expect![
        "shape 'a': give either 'heights' (rows of numbers) or 'noise' {seed, height, feature_size}"
    ]
    .assert_eq(&said(json!({ "noise": { "seed": 1, "height": 2, "feature_size": 1 } })));
    expect!["shape 'a' requires 'noise.height'"].assert_eq(
        said(json!({ "heights": null, "noise": { "seed": 1, "feature_size": 1 } }))
            .split(" property (")
            .next()
            .unwrap(),
    );
    expect!["shape 'a' property 'noise.octaves' must be a whole number from 1 to 8, got 9"].assert_eq(&said(
        json!({ "heights": null, "noise": { "seed": 1, "height": 1, "feature_size": 1, "octaves": 9 } }),
    ));
}

#[test]
fn what_is_written_is_read_again() {
    for (kind, properties) in all() {
        let geometry = read(kind, &properties).unwrap();
        let written = Value::Object(geometry.properties_json());
        assert_eq!(read(kind, &written).unwrap(), geometry, "{kind}");
    }
    let waves = json!({ "center": [0, 0, 0], "sides": [4, 4], "noise": { "seed": 1, "height": 1, "feature_size": 2 } });
    expect![[r#"{"center":[0.0,0.0,0.0],"sides":[4.0,4.0],"noise":{"seed":1.0,"height":1.0,"feature_size":2.0,"octaves":5.0},"smooth":true,"rotation":[0.0,0.0,0.0]}"#]]
        .assert_eq(&Value::Object(read("height_field", &waves).unwrap().properties_json()).to_string());
}

#[test]
fn boxes_go_along_with_what_is_moved_scaled_and_turned() {
    for (kind, properties) in all() {
        let geometry = read(kind, &properties).unwrap();
        let before = geometry.bounds().unwrap();
        let motions = [
            Motion::shift([3.0, -1.0, 2.0]),
            Motion::scale(2.5, [1.0, 0.0, 0.0]),
            Motion::turn([0.0, 90.0, 0.0], [0.0; 3]),
            Motion::turn([90.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
        ];
        for motion in motions {
            let moved = geometry.moved(&motion).unwrap().bounds().unwrap();
            let corners = [motion.point(before.min), motion.point(before.max)];
            for axis in 0..3 {
                let ends = [corners[0][axis], corners[1][axis]];
                let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                let off = (moved.min[axis] - low).abs().max((moved.max[axis] - high).abs());
                assert!(off < 1e-9, "{kind} {motion:?}: {moved:?} for {corners:?}");
            }
        }
    }
}

#[test]
fn mirror_images_are_those_of_the_document_or_refused() {
    for (kind, properties) in all() {
        let geometry = read(kind, &properties).unwrap();
        for axis in 0..3 {
            let motion = Motion::mirror(axis, 0.25);
            if kind == "text" {
                assert_eq!(geometry.moved(&motion), Err(MotionError::Mirrored("text")));
                continue;
            }
            let before = geometry.bounds().unwrap();
            let once = geometry.moved(&motion).unwrap();
            let mirrored = once.bounds().unwrap();
            for at in 0..3 {
                let (low, high) = if at == axis {
                    (0.5 - before.max[at], 0.5 - before.min[at])
                } else {
                    (before.min[at], before.max[at])
                };
                let off = (mirrored.min[at] - low).abs().max((mirrored.max[at] - high).abs());
                assert!(off < 1e-9, "{kind} across {axis}: {mirrored:?} for {before:?}");
            }
            let back = once.moved(&motion).unwrap().bounds().unwrap();
            let off = (0..3).map(|at| (back.min[at] - before.min[at]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-9, "{kind} across {axis}");
        }
    }
}
