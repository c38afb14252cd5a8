//! `place`: every relation, every pair of shapes.

use proptest::prelude::*;
use serde_json::json;

use crate::stage::{FORMS, forms, near, pairs, stage, stage_of};

#[test]
fn on_rests_on_the_real_surface_of_every_shape() {
    for (name, mut stage) in pairs() {
        stage.call("place", json!({ "ids": ["b"], "relation": "on", "to": ["a"] }));
        let relation = stage.relation("b", "a");
        assert!((-1e-6..1e-6).contains(&relation.gap), "{name}: {}", relation.gap);
        assert!(relation.away.y > 0.0, "{name}");
    }
}

#[test]
fn under_hangs_below_or_stands_on_the_ground_below() {
    for (name, mut stage) in pairs() {
        stage.call("place", json!({ "ids": ["b"], "relation": "under", "to": ["a"], "gap": 0.1 }));
        let relation = stage.relation("b", "a");
        assert!(near(relation.gap, 0.1), "{name}: {}", relation.gap);
        let floor = json!({ "id": "floor", "type": "quad", "properties": {
            "corner": [-50, -3, 50], "u": [100, 0, 0], "v": [0, 0, -100] } });
        stage.call("create_shape", floor);
        stage.call("place", json!({ "ids": ["b"], "relation": "under", "to": ["a"] }));
        assert!(near(stage.relation("b", "floor").gap, 0.0), "{name}");
    }
}

#[test]
fn sides_are_the_viewers_and_keep_the_gap() {
    // The camera stands at +z and looks to -z: right is +x, the front is +z.
    for (relation, axis, sign) in
        [("left_of", 0, -1.0), ("right_of", 0, 1.0), ("in_front_of", 2, 1.0), ("behind", 2, -1.0)]
    {
        for (name, mut stage) in pairs() {
            stage.call(
                "place",
                json!({ "ids": ["b"], "relation": relation, "to": ["a"], "gap": 0.25 }),
            );
            let gap = stage.relation("b", "a").gap;
            // What passes above or below keeps the gap between the outlines, so is no nearer.
            assert!(gap > 0.25 - 1e-6, "{relation} {name}: {gap}");
            let (own, other) = (stage.extent("b"), stage.extent("a"));
            assert!(sign * (own.center() - other.center())[axis] > 0.0, "{relation} {name}");
            assert!(near(own.min.y, other.min.y), "{relation} {name}");
        }
    }
}

#[test]
fn sides_turn_with_the_camera() {
    let ball = json!({ "center": [0, 1, 0], "radius": 1 });
    let file = json!({ "version": 1, "shapes": [
        { "id": "a", "type": "sphere", "properties": ball },
        { "id": "b", "type": "sphere", "properties": ball } ],
        "camera": { "center": [-9, 4, 0], "look_at": [0, 0, 0] } });
    for (relation, center) in [
        ("right_of", [0.0, 1.0, 2.0]),
        ("left_of", [0.0, 1.0, -2.0]),
        ("in_front_of", [-2.0, 1.0, 0.0]),
        ("behind", [2.0, 1.0, 0.0]),
    ] {
        let mut stage = stage_of(&file);
        stage.call("place", json!({ "ids": ["b"], "relation": relation, "to": ["a"] }));
        let found = stage.center("b");
        assert!(
            found.iter().zip(center).all(|(found, center)| near(*found, center)),
            "{relation} {found:?}"
        );
    }
}

#[test]
fn next_to_takes_a_free_side_and_beside_a_touch_is_a_touch() {
    for (name, mut stage) in pairs() {
        stage.call(
            "place",
            json!({ "ids": ["b"], "relation": "next_to", "to": ["a"], "level": "center" }),
        );
        let gap = stage.relation("b", "a").gap;
        assert!((-1e-6..1.0).contains(&gap), "{name}: {gap}");
    }
    let ball = |x: f64| json!({ "center": [x, 1, 0], "radius": 1 });
    let mut stage = stage(&[
        ("a", "sphere", ball(0.0)),
        ("taken", "sphere", ball(2.0)),
        ("b", "sphere", ball(5.0)),
    ]);
    stage.call("place", json!({ "ids": ["b"], "relation": "next_to", "to": ["a"] }));
    assert!(stage.relation("b", "taken").gap > -1e-6);
    assert!(near(stage.relation("b", "a").gap, 0.0));
}

#[test]
fn between_is_midway_and_says_when_there_is_no_room() {
    for (kind, properties) in forms() {
        let post = |x: f64| json!({ "center": [x, 2, 0], "dimensions": [0.5, 4, 0.5] });
        let mut stage = stage(&[
            ("one", "box", post(-3.0)),
            ("two", "box", post(5.0)),
            ("b", kind, properties),
        ]);
        stage.call("place", json!({ "ids": ["b"], "relation": "between", "to": ["one", "two"] }));
        let extent = stage.extent("b");
        assert!(near(extent.center().x, 1.0) && near(extent.min.y, 0.0), "{kind} {extent:?}");
        stage.call("move", json!({ "ids": ["two"], "to": [-2.4, 2, 0] }));
        let error = stage
            .refused("place", json!({ "ids": ["b"], "relation": "between", "to": ["one", "two"] }));
        assert!(error.contains("gap between 'one' and 'two' is 0.100 m"), "{error}");
    }
}

#[test]
fn around_makes_a_ring_without_touch() {
    for (kind, properties) in forms() {
        let names = ["a", "b", "c", "d", "e"];
        let mut shapes: Vec<_> =
            names.iter().map(|name| (*name, kind, properties.clone())).collect();
        shapes.push((
            "table",
            "cylinder",
            json!({ "base_center": [3, 0, 1], "top_center": [3, 1, 1],
                                                   "radius": 1, "capped": true }),
        ));
        let mut stage = stage(&shapes);
        stage.call(
            "place",
            json!({ "ids": names, "relation": "around", "to": ["table"], "gap": 0.2 }),
        );
        let mut radii = Vec::new();
        for (at, name) in names.iter().enumerate() {
            assert!(stage.relation(name, "table").gap > 0.2 - 1e-6, "{kind}");
            let [x, _, z] = stage.center(name);
            radii.push((x - 3.0).hypot(z - 1.0));
            for other in &names[..at] {
                assert!(stage.relation(name, other).gap > 0.0, "{kind} {name} {other}");
            }
        }
        assert!(radii.iter().all(|radius| near(*radius, radii[0])), "{kind} {radii:?}");
    }
}

#[test]
fn inside_fits_or_says_why_not() {
    let mut stage = stage(&[
        ("floor", "quad", json!({ "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] })),
        (
            "vase",
            "cylinder",
            json!({ "base_center": [2, 0, 0], "top_center": [2, 1, 0], "radius": 0.5, "capped": false }),
        ),
        (
            "glass",
            "box",
            json!({ "center": [-2, 1, 0], "dimensions": [2, 2, 2],
            "material": { "type": "dielectric", "refractive_index": 1.5 } }),
        ),
        ("pea", "sphere", json!({ "center": [0, 5, 0], "radius": 0.2 })),
    ]);
    stage.call("place", json!({ "ids": ["pea"], "relation": "inside", "to": ["vase"] }));
    assert_eq!(stage.center("pea").map(|at| (at * 1e6).round() / 1e6), [2.0, 0.2, 0.0]);
    stage.call("place", json!({ "ids": ["pea"], "relation": "inside", "to": ["glass"] }));
    assert_eq!(stage.center("pea"), [-2.0, 1.0, 0.0]);
    let error =
        stage.refused("place", json!({ "ids": ["glass"], "relation": "inside", "to": ["vase"] }));
    assert_eq!(
        error,
        "place: 'glass' (2 x 2 x 2 m) does not fit into 'vase' (1 x 1 x 1 m); scale one of them first"
    );
}

#[test]
fn on_keeps_its_place_over_the_target_and_takes_offsets() {
    let mut stage = stage(&[
        ("table", "box", json!({ "center": [0, 0.5, 0], "dimensions": [4, 1, 2] })),
        ("cup", "sphere", json!({ "center": [1.2, 7, 0.5], "radius": 0.25 })),
    ]);
    let rounded = |at: [f64; 3]| at.map(|at| (at * 1e6).round() / 1e6);
    stage.call("place", json!({ "ids": ["cup"], "relation": "on", "to": ["table"] }));
    assert_eq!(rounded(stage.center("cup")), [1.2, 1.25, 0.5]);
    stage.call(
        "place",
        json!({ "ids": ["cup"], "relation": "on", "to": ["table"], "offset": [-1, 0, 0] }),
    );
    assert_eq!(rounded(stage.center("cup")), [-1.0, 1.25, 0.0]);
    let past = json!({ "ids": ["cup"], "relation": "on", "to": ["table"], "offset": [9, 0, 0] });
    let error = stage.refused("place", past);
    assert!(error.contains("'cup' would fall past 'table'"), "{error}");
}

#[test]
fn bad_places_name_the_thing_and_the_way_out() {
    let ball = json!({ "center": [0, 1, 0], "radius": 1 });
    let mut stage = stage(&[("ball", "sphere", ball.clone()), ("other", "sphere", ball)]);
    for (args, expected) in [
        (
            json!({ "ids": ["bal"], "relation": "on", "to": ["othr"] }),
            "there is no 'bal'; did you mean 'ball'? The scene has: ball, other; there is no 'othr'; did you mean 'other'? The scene has: ball, other",
        ),
        (
            json!({ "ids": ["ball"], "relation": "on", "to": ["ball"] }),
            "place: 'ball' would be placed in relation to itself; name other things in 'to'",
        ),
        (
            json!({ "ids": ["ball"], "relation": "onto", "to": ["other"] }),
            "place property 'relation' is 'onto', which is not known; did you mean 'on'? It takes one of on, under, inside, left_of, right_of, in_front_of, behind, next_to, between, around",
        ),
        (
            json!({ "ids": ["ball"], "relation": "between", "to": ["other"] }),
            "place: 'between' takes two things in 'to', got 1",
        ),
        (
            json!({ "ids": ["ball", "ball"], "relation": "on", "to": ["other"] }),
            "'ball' is named twice, by itself or by its group; name each thing once",
        ),
        (
            json!({ "ids": [], "gap": -1, "target": "x" }),
            "place has no property 'target'; did you mean 'relation'? It takes: ids, relation, to, gap, offset, level, each; place property 'ids' must be a list of 1 to 2000 ids of shapes, lights or groups, got []; place requires 'relation' property (one of on, under, inside, left_of, right_of, in_front_of, behind, next_to, between, around); place requires 'to' property (a list of 1 to 2000 ids of shapes, lights or groups); place property 'gap' must be a number >= 0 and <= 1000000, got -1",
        ),
    ] {
        assert_eq!(stage.refused("place", args), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever the shapes, their sizes and turns: after `place on` the gap is under a millimetre
    /// and nothing overlaps.
    #[test]
    fn on_never_floats_and_never_sinks(
        one in 0..FORMS, other in 0..FORMS,
        turn in prop::array::uniform3(-180.0..180.0), factors in prop::array::uniform2(0.05..20.0),
        at in prop::array::uniform3(-30.0..30.0),
    ) {
        let (a, b) = (forms()[one].clone(), forms()[other].clone());
        let mut stage = stage(&[("a", a.0, a.1), ("b", b.0, b.1)]);
        stage.call("rotate", json!({ "ids": ["b"], "by": turn }));
        stage.call("scale", json!({ "ids": ["a"], "by": factors[0] }));
        stage.call("scale", json!({ "ids": ["b"], "by": factors[1] }));
        stage.call("move", json!({ "ids": ["b"], "to": at }));
        // A thin thing on edge may fall past something tilted: then it says so.
        let args = json!({ "ids": ["b"], "relation": "on", "to": ["a"], "offset": [0, 0, 0] });
        if let Err(error) = stage.try_call("place", args) {
            prop_assert!(error.to_string().contains("would fall past"), "{error}");
            return Ok(());
        }
        let gap = stage.relation("b", "a").gap;
        // A twentieth of a millimetre on things of up to 30 m.
        prop_assert!((-5e-5..1e-3).contains(&gap), "{gap}");
    }
}
