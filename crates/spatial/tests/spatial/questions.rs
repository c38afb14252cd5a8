//! `measure` and `select_objects`.

use scene::NoAssets;
use serde_json::{Value, json};
use spatial::{Question, Space};

use crate::stage::{Stage, pairs, stage_of};

fn ask(stage: &Stage, name: &str, args: Value) -> Result<Value, String> {
    let scene = stage.scene();
    let answer = Question::parse(name, &args)
        .and_then(|question| question.answer(&Space::of(&scene, &NoAssets)));
    answer.map_err(|error| error.to_string())
}

fn kitchen() -> Stage {
    let matte = |albedo: [f64; 3]| json!({ "type": "lambertian", "albedo": albedo });
    stage_of(&json!({ "version": 1, "shapes": [
        { "id": "floor", "type": "quad", "properties": { "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] } },
        { "id": "table", "type": "box", "properties": { "center": [0, 0.5, 0], "dimensions": [2, 1, 1], "material": matte([0.25, 0.1, 0.03]) } },
        { "id": "apple", "type": "sphere", "group": "fruit", "properties": { "center": [0.5, 1.25, 0], "radius": 0.05, "material": matte([0.8, 0.1, 0.1]) } },
        { "id": "melon", "type": "sphere", "group": "fruit", "properties": { "center": [3, 0.2, 0], "radius": 0.2, "material": matte([0.1, 0.6, 0.1]) } },
        { "id": "glass", "type": "cylinder", "properties": { "base_center": [-0.5, 0.9, 0], "top_center": [-0.5, 1.1, 0], "radius": 0.04, "capped": true, "material": { "type": "dielectric", "refractive_index": 1.5 } } } ],
        "lights": [{ "id": "lamp", "type": "area_sphere_light", "properties": { "center": [0, 3, 0], "radius": 0.1, "emission": [9, 9, 9] } }] }))
}

#[test]
fn measures_bounds_gaps_and_what_is_below() {
    let stage = kitchen();
    assert_eq!(
        ask(&stage, "measure", json!({ "ids": ["apple"] })).unwrap(),
        json!({ "objects": [{ "id": "apple", "min": [0.45, 1.2, -0.05], "max": [0.55, 1.3, 0.05],
            "size": [0.1, 0.1, 0.1], "center": [0.5, 1.25, 0.0],
            "below": { "id": "table", "gap": 0.2 } }] })
    );
    let pairs = ask(&stage, "measure", json!({ "ids": ["apple", "table", "glass"] })).unwrap();
    let pairs = &pairs["pairs"];
    assert_eq!(pairs[0]["gap"], 0.2);
    assert_eq!(pairs[0]["nearest_points"], json!([[0.5, 1.2, 0.0], [0.5, 1.0, 0.0]]));
    assert_eq!(
        (&pairs[2]["overlap"], &pairs[2]["apart_by"]),
        (&json!(0.1), &json!([0.0, -0.1, 0.0]))
    );
    assert_eq!(pairs[1]["centers"], 1.0308);
    // Of more than four things each with the first.
    let five = json!({ "ids": ["table", "apple", "melon", "glass", "floor"] });
    let of_five = ask(&stage, "measure", five).unwrap();
    let of_five: Vec<&Value> = of_five["pairs"].as_array().unwrap().iter().collect();
    assert!(of_five.len() == 4 && of_five.iter().all(|pair| pair["from"] == "table"));
    let group = ask(&stage, "measure", json!({ "ids": ["fruit"] })).unwrap();
    assert_eq!(group["objects"][0]["size"], json!([2.75, 1.3, 0.4]));
}

#[test]
fn every_pair_of_shapes_is_measured_alike_from_both_sides() {
    for (name, stage) in pairs() {
        let gap = |ids: Value| {
            ask(&stage, "measure", json!({ "ids": ids })).unwrap()["pairs"][0]["gap"].clone()
        };
        let (one, other) = (gap(json!(["a", "b"])), gap(json!(["b", "a"])));
        assert!(one.as_f64().unwrap() > 0.5 && one == other, "{name}: {one} {other}");
    }
}

#[test]
fn selects_by_all_that_is_said() {
    let stage = kitchen();
    for (args, ids) in [
        (json!({}), json!(["floor", "table", "apple", "melon", "glass", "lamp"])),
        (json!({ "kind": "sphere" }), json!(["apple", "melon"])),
        (json!({ "kind": "light" }), json!(["lamp"])),
        (json!({ "kind": "dielectric" }), json!(["glass"])),
        (json!({ "colour": "red" }), json!(["apple"])),
        (json!({ "colour": "clear" }), json!(["glass"])),
        (json!({ "colour": "brown" }), json!(["table"])),
        (json!({ "group": "fruit", "larger_than": 0.3 }), json!(["melon"])),
        (json!({ "smaller_than": 0.15 }), json!(["apple"])),
        (json!({ "min": [-1, 0.6, -1], "max": [1, 2, 1] }), json!(["apple", "glass"])),
        (json!({ "min": [1, -9, -9] }), json!(["melon"])),
        (json!({ "name": "la" }), json!(["glass", "lamp"])),
        (json!({ "kind": "cone" }), json!([])),
    ] {
        let answer = ask(&stage, "select_objects", args.clone()).unwrap();
        assert_eq!(answer["ids"], ids, "{args}");
        assert_eq!(answer["count"], answer["ids"].as_array().unwrap().len());
    }
}

#[test]
fn of_a_crowd_patterns_are_told_that_fit_nothing_else() {
    let ball = |id: String, size: f64| {
        json!({ "id": id, "type": "sphere",
        "properties": { "center": [0, 0, 0], "radius": size } })
    };
    let mut shapes: Vec<Value> = (1..=40).map(|at| ball(format!("pea_{at}"), 0.1)).collect();
    shapes.extend((1..=12).map(|at| ball(format!("bean_{at}"), 0.1)));
    shapes.push(ball("bean_13".into(), 2.0));
    let crowd = stage_of(&json!({ "version": 1, "shapes": shapes }));
    let answer = ask(&crowd, "select_objects", json!({ "smaller_than": 1 })).unwrap();
    // One bean is too large, so that beans are told by name.
    assert_eq!(answer, json!({ "count": 52, "ids": ["bean_1", "bean_2", "...", "pea*"] }));
    let answer = ask(&crowd, "select_objects", json!({ "name": "pea" })).unwrap();
    assert_eq!(answer, json!({ "count": 40, "ids": ["pea*"] }));
}

#[test]
fn bad_questions_are_explained() {
    let stage = kitchen();
    let many: Vec<String> = (0..11).map(|at| at.to_string()).collect();
    for (name, args, expected) in [
        ("measure", json!({ "ids": ["aple"] }), "there is no 'aple'; did you mean 'apple'?"),
        ("measure", json!({ "ids": many }), "measure: 'ids' may name at most 10 things, got 11"),
        ("select_objects", json!({ "kind": "spere" }), "did you mean 'sphere'?"),
        ("select_objects", json!({ "colour": "rad" }), "did you mean 'red'?"),
        ("select_objects", json!({ "group": "table" }), "there is no group 'table'"),
        (
            "select_objects",
            json!({ "color": "red" }),
            "has no property 'color'; did you mean 'colour'?",
        ),
    ] {
        let error = ask(&stage, name, args).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}
