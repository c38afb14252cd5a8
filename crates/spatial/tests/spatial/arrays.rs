//! `array`, `align`, `distribute`: counts and distances are exact.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::stage::{FORMS, Stage, exactness, forms, near, stage};

fn positions(stage: &Stage, ids: &[String]) -> Vec<glam::DVec3> {
    ids.iter().map(|id| stage.center(id).into()).collect()
}

fn one(kind: &str, properties: Value) -> Stage {
    stage(&[("a", kind, properties)])
}

#[test]
fn lines_and_grids_keep_their_steps() {
    for (kind, properties) in forms() {
        let mut stage = one(kind, properties);
        let first = glam::DVec3::from(stage.center("a"));
        let ids = stage.call(
            "array",
            json!({ "id": "a", "pattern": "line", "count": 7, "step": [0.5, 1, -2] }),
        );
        assert_eq!(ids, ["a", "a_2", "a_3", "a_4", "a_5", "a_6", "a_7"]);
        for (at, place) in positions(&stage, &ids).into_iter().enumerate() {
            let expected = first + glam::DVec3::new(0.5, 1.0, -2.0) * at as f64;
            assert!(place.distance(expected) < 1e-9, "{kind}");
        }
        stage.0.undo().unwrap();
        let ids = stage.call(
            "array",
            json!({ "id": "a", "pattern": "grid", "counts": [3, 2, 4], "gap": 0.1 }),
        );
        assert_eq!((ids.len(), stage.scene().shapes.len()), (24, 24));
        let step = stage.extent("a").size() + glam::DVec3::splat(0.1);
        for (at, place) in positions(&stage, &ids).into_iter().enumerate() {
            let cell = [at % 3, at / 12, at / 3 % 4].map(|at| at as f64);
            assert!(place.distance(first + step * glam::DVec3::from(cell)) < 1e-9, "{kind} {at}");
        }
    }
}

#[test]
fn circles_and_spirals_are_exact_and_may_turn() {
    for (kind, properties) in forms() {
        let mut stage = one(kind, properties);
        let ids = stage.call(
            "array",
            json!({ "id": "a", "pattern": "circle", "count": 12,
            "radius": 3, "center": [1, 99, 2], "group": "ring" }),
        );
        assert_eq!(ids.len(), 13, "twelve and their group");
        let places = positions(&stage, &ids[..12]);
        let chord = 6.0 * (std::f64::consts::PI / 12.0).sin();
        for (at, place) in places.iter().enumerate() {
            assert!(near((*place - glam::DVec3::new(1.0, place.y, 2.0)).length(), 3.0), "{kind}");
            assert!(near(place.distance(places[(at + 1) % 12]), chord), "{kind}");
            assert!(near(place.y, places[0].y));
        }
        assert!(
            stage
                .scene()
                .shapes
                .iter()
                .all(|shape| shape.group.as_ref().unwrap().as_str() == "ring")
        );
        stage.0.undo().unwrap();
        let ids = stage.call(
            "array",
            json!({ "id": "a", "pattern": "spiral", "count": 9,
            "radius": 2, "turns": 2, "rise": 4 }),
        );
        let places = positions(&stage, &ids);
        for (at, place) in places.iter().enumerate() {
            assert!(near(place.y - places[0].y, at as f64 * 0.5), "{kind}");
        }
        // Two turns in eight steps: a quarter each.
        assert!(near(places[0].with_y(0.0).distance(places[1].with_y(0.0)), 8f64.sqrt()), "{kind}");
    }
    let sides = json!({ "center": [0, 0, 0], "dimensions": [2, 1, 1] });
    let mut stage = one("box", sides);
    let turned = json!({ "id": "a", "pattern": "circle", "count": 4, "radius": 5, "turn": true });
    stage.call("array", turned);
    assert!(near(stage.extent("a").size().x, 2.0) && near(stage.extent("a_2").size().z, 2.0));
}

#[test]
fn stacks_and_pyramids_rest_on_what_is_below() {
    for (kind, properties) in forms() {
        let mut stage = one(kind, properties);
        stage.call("array", json!({ "id": "a", "pattern": "stack", "count": 4 }));
        for (low, high) in [("a", "a_2"), ("a_2", "a_3"), ("a_3", "a_4")] {
            let gap = stage.relation(high, low).gap;
            assert!((-1e-7..1e-6).contains(&gap), "{kind} {gap}");
        }
        stage.0.undo().unwrap();
        let before = glam::DVec3::from(stage.center("a"));
        let ids = stage
            .call("array", json!({ "id": "a", "pattern": "pyramid", "count": 3, "gap": 0.01 }));
        assert_eq!(ids.len(), 14);
        let spread: glam::DVec3 = positions(&stage, &ids[..9]).into_iter().sum();
        let off = (spread / 9.0 - before).with_y(0.0).length();
        assert!(off < exactness(kind), "{kind} {off}");
        // Eight-sided ones sink so deep between four others that they reach the next layer but one.
        for (at, one) in ids.iter().enumerate().filter(|_| kind != "polyhedron") {
            for other in &ids[..at] {
                assert!(stage.relation(one, other).gap > -1e-6, "{kind} {one} {other}");
            }
        }
    }
    // Balls lie in the hollows between four others: sqrt(2) r higher.
    let mut stage = one("sphere", json!({ "center": [0, 1, 0], "radius": 1 }));
    let ids = stage.call("array", json!({ "id": "a", "pattern": "pyramid", "count": 2 }));
    assert!(near(stage.center(&ids[4])[1], 1.0 + 2f64.sqrt()));
}

#[test]
fn scattered_things_are_free_of_everything_and_the_same_for_a_seed() {
    let shapes = [
        ("floor", "quad", json!({ "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] })),
        ("rock", "sphere", json!({ "center": [1, 0.5, 1], "radius": 1.5 })),
        ("a", "box", json!({ "center": [-3, 0.3, 0], "dimensions": [0.4, 0.6, 0.8] })),
    ];
    let args = |seed: u64, turn: bool| {
        json!({ "id": "a", "pattern": "scatter", "count": 40, "radius": 5,
        "center": [0, 0, 0], "gap": 0.05, "seed": seed, "on": "floor", "turn": turn })
    };
    let mut layouts = Vec::new();
    for (seed, turn) in [(1, false), (1, false), (2, false), (3, true)] {
        let mut stage = stage(&shapes);
        let ids = stage.call("array", args(seed, turn));
        assert_eq!(ids.len(), 40);
        for (at, one) in ids.iter().enumerate() {
            let gap = stage.relation(one, "floor").gap;
            assert!((-1e-7..1e-6).contains(&gap), "{gap}");
            if at > 0 {
                assert!(stage.relation(one, "rock").gap > -1e-3);
            }
            for other in &ids[..at] {
                assert!(stage.relation(one, other).gap > 0.05 - 1e-9);
            }
        }
        layouts.push(positions(&stage, &ids));
    }
    assert_eq!(layouts[0], layouts[1]);
    assert_ne!(layouts[0], layouts[2]);
    // As many as fit.
    let mut crowded = stage(&shapes);
    let ids = crowded
        .call("array", json!({ "id": "a", "pattern": "scatter", "count": 100, "radius": 1 }));
    assert!((3..30).contains(&ids.len()), "{ids:?}");
    let mut stage = stage(&shapes);
    let inside =
        json!({ "id": "a", "pattern": "scatter", "count": 9, "radius": 0.1, "center": [1, 0, 1] });
    let error = stage.refused("array", inside);
    assert!(error.starts_with("array: there is no place for a copy within 0.1 m"), "{error}");
}

#[test]
fn scattered_things_keep_clear_of_what_they_are_to_avoid() {
    let shapes = [
        ("floor", "quad", json!({ "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] })),
        ("path", "quad", json!({ "corner": [-9, 0.001, 0.4], "u": [18, 0, 0], "v": [0, 0, -0.8] })),
        (
            "a",
            "cylinder",
            json!({ "base_center": [-3, 0, 3], "top_center": [-3, 1, 3], "radius": 0.3, "capped": true }),
        ),
    ];
    let scattered = |more: Value| {
        let mut args = json!({ "id": "a", "pattern": "scatter", "count": 60, "radius": 5,
            "center": [0, 0, 0], "on": "floor", "turn": true, "overlap": true });
        args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut stage = stage(&shapes);
        let ids = stage.call("array", args);
        let extents = ids.iter().skip(1).map(|id| stage.extent(id));
        extents.map(|extent| extent.center().z.abs() - 0.3 - 0.4).fold(f64::INFINITY, f64::min)
    };
    assert!(scattered(json!({})) < 0.0);
    assert!(scattered(json!({ "avoid": ["path"] })) >= 0.0);
    assert!(scattered(json!({ "avoid": ["pa*"], "gap": 0.5 })) >= 0.5);
    let line = json!({ "id": "a", "pattern": "line", "count": 3, "avoid": ["path"] });
    let error = stage(&shapes).refused("array", line);
    assert!(error.contains("'avoid' is for pattern 'scatter'"), "{error}");
}

/// A hill, a tree and a bush.
fn hill() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("hill", "ellipsoid", json!({ "center": [0, 0, 0], "radii": [10, 3, 10] })),
        (
            "tree",
            "cone",
            json!({ "base_center": [0, 3, 0], "top_center": [0, 4, 0], "base_radius": 0.2, "top_radius": 0, "capped": true }),
        ),
        ("bush", "sphere", json!({ "center": [0.8, 3.1, 0], "radius": 0.15 })),
    ]
}

#[test]
fn turned_copies_of_several_things_stand_on_a_hill_where_they_may() {
    let mut stage = stage(&hill());
    let ids = stage.call(
        "array",
        json!({ "id": "tree", "pattern": "scatter", "count": 60, "radius": 9, "center": [0, 0, 0], "on": "hill",
            "also": ["bush"], "turn": true, "sizes": [0.5, 1.5], "heights": [1, 2.5], "slope": [0, 40] }),
    );
    assert_eq!(ids.len(), 60);
    let (mut trees, mut heights, mut sizes) = (0, Vec::new(), Vec::new());
    for id in ids.iter().skip(1) {
        trees += usize::from(id.starts_with("tree"));
        let extent = stage.extent(id);
        let foot = extent.center().with_y(extent.min.y);
        // On the surface of the ellipsoid.
        let at = foot / glam::DVec3::new(10.0, 3.0, 10.0);
        assert!((at.length() - 1.0).abs() < 1e-3, "{id} {foot}");
        heights.push(foot.y);
        sizes.push(extent.size().y);
    }
    assert!((10..50).contains(&trees), "{trees}");
    assert!(heights.iter().all(|height| (1.0..2.5).contains(height)), "{heights:?}");
    let least = sizes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = sizes.iter().copied().fold(0.0, f64::max);
    assert!(least < 0.3 && most > 1.2, "{least} {most}");
}

#[test]
fn copies_can_stand_upright_on_a_slope() {
    let mut stage = stage(&[
        ("slope", "wedge", json!({ "center": [0, 1, 0], "dimensions": [8, 2, 8] })),
        ("post", "box", json!({ "center": [20, 0.5, 0], "dimensions": [0.1, 1, 0.1] })),
    ]);
    let ids = stage.call(
        "array",
        json!({ "id": "post", "pattern": "scatter", "count": 6, "radius": 2, "center": [0, 0, 0],
            "on": "slope", "align": true, "move_first": true }),
    );
    for id in ids {
        let size = stage.extent(&id).size();
        // Tilted by about 14 degrees.
        assert!(size.y < 1.0 && size.x.max(size.z) > 0.25, "{id} {size}");
        assert!(stage.extent(&id).center().x < 10.0, "{id} is on the slope, the first one, too");
    }
}

#[test]
fn a_ring_without_a_radius_goes_on_from_where_the_first_one_is() {
    let mut stage = one("box", json!({ "center": [0, 0.5, -2], "dimensions": [0.1, 1, 0.3] }));
    let args = json!({ "id": "a", "pattern": "circle", "center": [0, 0, 0], "count": 4, "turn": true, "group": "marks" });
    let ids = stage.call("array", args);
    let places = positions(&stage, &ids[..4]);
    for (place, goal) in
        places.iter().zip([[0.0, 0.5, -2.0], [-2.0, 0.5, 0.0], [0.0, 0.5, 2.0], [2.0, 0.5, 0.0]])
    {
        assert!(place.distance(goal.into()) < 1e-6, "{places:?}");
    }
    let side = stage.extent(&ids[1]).size();
    assert!(side.x > side.z, "it points to the middle: {side}");
    // The same group takes more.
    stage.call(
        "array",
        json!({ "id": "a", "pattern": "line", "count": 2, "step": [9, 0, 0], "group": "marks" }),
    );
    let marks = stage.scene().shapes.iter().filter(|shape| shape.group.is_some()).count();
    assert_eq!(marks, 5);
}

#[test]
fn copies_follow_a_path_and_turn_with_it() {
    let mut stage = one("box", json!({ "center": [0, 0.5, 0], "dimensions": [0.4, 1, 0.1] }));
    let path = json!([[0, 0, 0], [4, 0, 0], [4, 0, 4]]);
    let ids = stage.call(
        "array",
        json!({ "id": "a", "pattern": "path", "points": path, "count": 9, "turn": true }),
    );
    let places = positions(&stage, &ids);
    assert!(places[0].distance(glam::DVec3::new(0.0, 0.5, 0.0)) < 1e-6, "{places:?}");
    assert!(places[8].distance(glam::DVec3::new(4.0, 0.5, 4.0)) < 1e-6, "{places:?}");
    let gaps: Vec<f64> = places.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    assert!(gaps.iter().all(|gap| (gap / gaps[0] - 1.0).abs() < 0.1), "{gaps:?}");
    let last = stage.extent(&ids[8]).size();
    assert!(last.z > last.x, "the last one goes along z: {last}");
    // Without a count, side by side.
    stage.0.undo().ok();
    let ids = stage
        .call("array", json!({ "id": "a", "pattern": "path", "points": [[0, 0, 0], [4, 0, 0]] }));
    assert_eq!(ids.len(), 11);
    let error = stage.refused("array", json!({ "id": "a", "pattern": "path" }));
    assert_eq!(error, "array: pattern 'path' requires 'points'");
}

#[test]
fn arrays_of_groups_copy_the_whole_tree() {
    let mut stage = stage(&[
        (
            "trunk",
            "cylinder",
            json!({ "base_center": [0, 0, 0], "top_center": [0, 1, 0], "radius": 0.1, "capped": true }),
        ),
        ("crown", "sphere", json!({ "center": [0, 1.4, 0], "radius": 0.5 })),
    ]);
    stage.call("group", json!({ "id": "tree", "ids": ["trunk", "crown"] }));
    stage.call(
        "array",
        json!({ "id": "tree", "pattern": "line", "count": 3, "gap": 0.5, "group": "alley" }),
    );
    assert!(near(stage.extent("tree_3").center().x, 3.0));
    assert_eq!(stage.center("tree_2"), stage.extent("tree_2").center().to_array());
    assert!(stage.scene().shape("tree_3_crown").is_some());
    let width = stage.extent("alley").size().x;
    assert!(near(width, 4.0), "{width}");
    let parents: Vec<_> = stage.scene().groups.iter().map(|group| group.to_json()).collect();
    assert_eq!(
        json!(parents),
        json!([
        { "id": "tree", "parent": "alley" }, { "id": "alley", "parent": null },
        { "id": "tree_2", "parent": "alley" }, { "id": "tree_3", "parent": "alley" } ])
    );
}

#[test]
fn an_array_that_no_scene_could_hold_is_refused_at_once() {
    let balls: Vec<Value> = (0..200)
        .map(|at| {
            json!({ "id": format!("s{at}"), "type": "sphere", "group": "heap",
                    "properties": { "center": [at, 0, 0], "radius": 0.4 } })
        })
        .collect();
    let mut stage = crate::stage::stage_of(&json!({ "version": 1, "shapes": balls }));
    let error = stage.refused("array", json!({ "id": "heap", "pattern": "line", "count": 2000 }));
    assert!(error.starts_with("array: 400000 shapes and lights would be made"), "{error}");
}

#[test]
fn align_and_distribute_move_along_one_axis_only() {
    let kinds = forms();
    for edge in ["min", "center", "max"] {
        for axis in 0..3 {
            let names: Vec<String> = (0..kinds.len()).map(|at| format!("s{at}")).collect();
            let shapes: Vec<(&str, &str, Value)> = names
                .iter()
                .zip(&kinds)
                .map(|(id, (kind, form))| (id.as_str(), *kind, form.clone()))
                .collect();
            let mut stage = stage(&shapes);
            for (at, name) in names.iter().enumerate() {
                stage.call("move", json!({ "ids": [name], "by": [at * 3, at, at * 2] }));
            }
            let before: Vec<[f64; 3]> = names.iter().map(|name| stage.center(name)).collect();
            let axis_name = ["x", "y", "z"][axis];
            stage.call("align", json!({ "ids": names, "axis": axis_name, "edge": edge, "to": 7 }));
            for (name, before) in names.iter().zip(&before) {
                let extent = stage.extent(name);
                let at = match edge {
                    "min" => extent.min,
                    "max" => extent.max,
                    _ => extent.center(),
                };
                assert!(near(at[axis], 7.0), "{name} {edge}");
                let other = (axis + 1) % 3;
                assert!(near(extent.center()[other], before[other]), "{name} {edge}");
            }
            stage.0.undo().unwrap();
            if axis > 0 {
                continue;
            }
            stage.call("distribute", json!({ "ids": names, "axis": "x" }));
            let gaps: Vec<f64> = names
                .windows(2)
                .map(|pair| stage.extent(&pair[1]).min.x - stage.extent(&pair[0]).max.x)
                .collect();
            assert!(gaps.iter().all(|gap| near(*gap, gaps[0])), "{gaps:?}");
            assert_eq!(stage.center("s0"), before[0]);
            stage.call("distribute", json!({ "ids": names, "axis": "x", "gap": 0.3 }));
            assert!(near(stage.extent("s5").min.x - stage.extent("s4").max.x, 0.3));
        }
    }
}

#[test]
fn bad_arrays_say_what_is_missing() {
    let mut stage = one("sphere", json!({ "center": [0, 1, 0], "radius": 1 }));
    for (name, args, expected) in [
        (
            "array",
            json!({ "id": "a", "pattern": "circle" }),
            "array: pattern 'circle' requires 'count'; array: pattern 'circle' requires 'radius'",
        ),
        (
            "array",
            json!({ "id": "a", "pattern": "grid", "counts": [100, 100, 1] }),
            "array: makes 10000 things, and at most 2000 are made at once",
        ),
        (
            "array",
            json!({ "id": "a", "pattern": "line", "count": 0 }),
            "array property 'count' must be a whole number from 1 to 2000, got 0",
        ),
        (
            "array",
            json!({ "id": "b", "pattern": "line", "count": 2 }),
            "there is no 'b'; did you mean 'a'? The scene has: a",
        ),
        (
            "array",
            json!({ "id": "a", "pattern": "line", "count": 3, "step": [900_000, 0, 0] }),
            "shape 'a_3' cannot be put there: it would leave the range of the scene (coordinates within ±1000000 m, lengths above 0)",
        ),
        (
            "align",
            json!({ "ids": ["a"], "axis": "w" }),
            "align property 'axis' is 'w', which is not known; did you mean 'z'? It takes one of x, y, z",
        ),
        (
            "distribute",
            json!({ "ids": ["a"], "axis": "x" }),
            "distribute: 'ids' must name at least 3 things, got 1",
        ),
    ] {
        assert_eq!(stage.refused(name, args), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn counts_and_distances_are_exact(count in 1..60u64, radius in 0.1f64..50.0, kind in 0..FORMS, step in prop::array::uniform3(-5.0f64..5.0)) {
        let (kind, properties) = forms()[kind].clone();
        let mut stage = one(kind, properties);
        let ids = stage.call("array", json!({ "id": "a", "pattern": "circle", "count": count, "radius": radius }));
        prop_assert_eq!(ids.len() as u64, count);
        prop_assert_eq!(stage.scene().shapes.len() as u64, count);
        let places = positions(&stage, &ids);
        let chord = 2.0 * radius * (std::f64::consts::PI / count as f64).sin();
        for pair in places.windows(2) {
            prop_assert!((pair[0].distance(pair[1]) - chord).abs() < 1e-8);
        }
        stage.0.undo().ok();
        let ids = stage.call("array", json!({ "id": "a", "pattern": "line", "count": count, "step": step }));
        let places = positions(&stage, &ids);
        for pair in places.windows(2) {
            prop_assert!((pair[1] - pair[0]).distance(glam::DVec3::from(step)) < 1e-8);
        }
    }
}
