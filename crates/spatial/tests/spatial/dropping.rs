//! `drop`: straight down onto what is below.

use serde_json::{Value, json};

use crate::stage::{near, stage_of};

fn block(id: &str, center: [f64; 3], dimensions: [f64; 3]) -> Value {
    json!({ "id": id, "type": "box", "properties": { "center": center, "dimensions": dimensions } })
}

/// A table top from 0.7 to 0.75 m, its legs left out.
fn table() -> Value {
    block("table", [0.0, 0.725, 0.0], [2.0, 0.05, 1.0])
}

fn ball(id: &str, center: [f64; 3]) -> Value {
    json!({ "id": id, "type": "sphere", "properties": { "center": center, "radius": 0.1 } })
}

fn low(shapes: Vec<Value>, ids: &[&str], of: &str) -> f64 {
    let mut stage = stage_of(&json!({ "version": 1, "shapes": shapes }));
    stage.call("drop", json!({ "ids": ids }));
    let low = stage.extent(of).min.y;
    // Once more, nothing moves.
    stage.call("drop", json!({ "ids": ids }));
    assert!(near(stage.extent(of).min.y, low));
    low
}

#[test]
fn things_drop_onto_what_is_below_or_to_the_ground() {
    assert!(near(low(vec![table(), ball("a", [0.0, 3.0, 0.0])], &["a"], "a"), 0.75));
    assert!(near(low(vec![table(), ball("a", [5.0, 3.0, 0.0])], &["a"], "a"), 0.0));
    assert!(near(low(vec![ball("a", [0.0, -3.0, 0.0])], &["a"], "a"), 0.0));
}

#[test]
fn what_reaches_into_something_stands_on_it() {
    for depth in [0.001, 0.015, 0.08] {
        let sunk = ball("a", [0.0, 0.85 - depth, 0.0]);
        let low = low(vec![table(), sunk], &["a"], "a");
        assert!(near(low, 0.75), "{depth}: {low}");
    }
}

#[test]
fn what_lies_below_a_table_stays_below_it() {
    assert!(near(low(vec![table(), ball("a", [0.0, 0.4, 0.0])], &["a"], "a"), 0.0));
}

#[test]
fn what_stands_on_another_drops_with_it() {
    let floor = json!({ "id": "floor", "type": "quad", "properties": {
        "corner": [-9, -1, 9], "u": [18, 0, 0], "v": [0, 0, -18] } });
    let shapes = || vec![floor.clone(), ball("a", [0.0, 0.85, 0.0]), table()];
    for ids in [["a", "table"], ["table", "a"]] {
        assert!(near(low(shapes(), &ids, "table"), -1.0));
        assert!(near(low(shapes(), &ids, "a"), -0.95));
    }
}
