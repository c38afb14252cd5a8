//! Expectations on small scenes: each one holds and fails where it should.

mod composition;
mod placement;

use scene::{NoAssets, Scene};
use serde_json::{Value, json};

use super::*;

fn floor() -> Value {
    json!({ "id": "floor", "type": "quad", "properties": { "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] } })
}

fn ball(id: &str, center: [f64; 3], radius: f64, albedo: [f64; 3]) -> Value {
    json!({ "id": id, "type": "sphere", "properties": { "center": center, "radius": radius,
        "material": { "type": "lambertian", "albedo": albedo } } })
}

fn cuboid(id: &str, center: [f64; 3], dimensions: [f64; 3]) -> Value {
    json!({ "id": id, "type": "box", "properties": { "center": center, "dimensions": dimensions } })
}

const RED: [f64; 3] = [0.8, 0.05, 0.05];
const BLUE: [f64; 3] = [0.05, 0.1, 0.8];

fn scene(shapes: &[Value]) -> Scene {
    let file = json!({ "version": 1, "shapes": shapes,
        "lights": [{ "id": "lamp", "type": "point_spot_light", "properties": { "center": [0, 6, 3], "emission": [60, 60, 60] } }],
        "camera": { "center": [0, 3, 9], "look_at": [0, 0.5, 0] } });
    Scene::from_json(&file).unwrap()
}

/// A table with a red ball on it, and a blue ball on the floor to its right.
fn room() -> Vec<Value> {
    vec![
        floor(),
        cuboid("table_top", [0.0, 0.95, 0.0], [2.0, 0.1, 1.0]),
        cuboid("table_leg_1", [-0.9, 0.45, -0.4], [0.1, 0.9, 0.1]),
        cuboid("table_leg_2", [0.9, 0.45, 0.4], [0.1, 0.9, 0.1]),
        ball("red_ball", [0.0, 1.3, 0.0], 0.3, RED),
        ball("blue_ball", [2.5, 0.3, 0.0], 0.3, BLUE),
    ]
}

#[track_caller]
fn check(before: &[Value], after: &[Value], answer: &str, holds: &[&str], fails: &[&str]) {
    let (before, after) = (scene(before), scene(after));
    let moment = Moment::new(&before, &after, None, answer, &NoAssets);
    for text in holds {
        let result = Expectation::parse(text).unwrap().check(&moment);
        assert_eq!(result, Ok(()), "{text}");
    }
    for text in fails {
        let result = Expectation::parse(text).unwrap().check(&moment);
        assert!(result.is_err(), "{text} holds");
    }
}

#[test]
fn things_are_counted_and_described() {
    check(
        &[],
        &room(),
        "",
        &[
            "2 sphere",
            "1 red sphere",
            "1 ~table",
            "no cone",
            "2+ ~ball",
            "all sphere matte",
            "sphere is blue",
            "all ~ball is sphere",
        ],
        &[
            "3 sphere",
            "cone",
            "no sphere",
            "2 ~table",
            "all sphere is red",
            "3+ sphere",
            "all cone is red",
        ],
    );
}

#[test]
fn faults_of_the_scene_are_found() {
    let hanging = [floor(), ball("a", [0.0, 2.0, 0.0], 0.5, RED)];
    check(
        &[],
        &hanging,
        "",
        &["sphere floating", "no-overlap"],
        &["tidy", "nothing-floating", "sphere supported"],
    );
    let crossing =
        [floor(), ball("a", [0.0, 0.5, 0.0], 0.5, RED), ball("b", [0.5, 0.5, 0.0], 0.5, RED)];
    check(&[], &crossing, "", &["sphere overlapping sphere"], &["tidy", "no-overlap"]);
    // A problem that existed before does not count.
    check(&crossing, &crossing, "", &["tidy"], &[]);
    let outside = [floor(), ball("a", [30.0, 0.5, 0.0], 0.5, RED)];
    check(&[], &outside, "", &["no sphere in-view"], &["all-in-view", "sphere in-view"]);
}

#[test]
fn answers_are_held_against_the_scene() {
    let room = room();
    check(
        &room,
        &room,
        "There are two spheres and a table; the red ball sits at (0, 1.3, 0), 60 cm wide.",
        &[
            "answers",
            "says count sphere",
            "says colour red sphere",
            "says names ~table",
            "says diameter red sphere",
            "says place red sphere",
            "mentions table|desk",
            "unchanged",
        ],
        &[
            "asks",
            "says count box",
            "says colour blue sphere",
            "says radius ~table",
            "mentions chair",
        ],
    );
    check(
        &room,
        &room,
        "Which ball do you mean, the red one or the blue one?",
        &["asks"],
        &["says count cone"],
    );
    check(&[], &room, "Shall I go on?", &["changed-scene"], &["asks", "answers"]);
}

#[test]
fn what_cannot_be_read_is_told_with_a_way_out() {
    for (text, words) in [
        ("", "empty"),
        ("2", "does not say of what"),
        ("sphere onn box", "'on'"),
        ("sphere moved sideways", "not a direction"),
        ("sphere width", "needs a number"),
        ("camera nearer", "camera "),
        ("environment", "one word"),
        ("tidy now", "nothing can follow"),
        ("says shoe sphere", "'says shoe'"),
        ("sphere between", "does not say of what"),
    ] {
        let fault = Expectation::parse(text).unwrap_err().to_string();
        assert!(fault.contains(words), "{text}: {fault}");
    }
}
