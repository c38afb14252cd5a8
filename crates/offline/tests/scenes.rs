//! Whole scenes by a sentence.

use crate::stage::Stage;
use serde_json::Value;

fn groups(stage: &Stage) -> Vec<String> {
    let scene = stage.scene();
    let shapes = scene["shapes"].as_array().cloned().unwrap_or_default();
    shapes.iter().filter_map(|shape| shape["group"].as_str()).map(str::to_owned).collect()
}

#[test]
fn a_theme_is_built_with_light_and_view() {
    let mut stage = Stage::new();
    let answer = stage.say("Please build a cosy living room");
    let scene = stage.scene();
    assert!(groups(&stage).iter().any(|group| group == "sofa"), "{answer}");
    assert!(scene["lights"].as_array().is_some_and(|lights| lights.len() == 2), "{answer}");
    assert_eq!(scene["camera"]["vfov"], 42.0);
    // The cat comes with the cosiness.
    assert!(groups(&stage).iter().any(|group| group == "cat"), "{answer}");
}

#[test]
fn adjectives_may_follow() {
    let brightness = |message: &str| {
        let mut stage = Stage::new();
        stage.say(message);
        let sky = stage.scene()["environment"]["top_color"][2].as_f64();
        sky.expect("a gradient")
    };
    assert!(brightness("create a forest at night") < 0.2 * brightness("create a forest"));
    assert!(brightness("make a dark forest scene") < 0.5 * brightness("make a forest scene"));
}

#[test]
fn another_scene_takes_the_place_of_the_first() {
    let mut stage = Stage::new();
    stage.say("build a beach");
    let answer = stage.say("create a snowy village");
    assert!(answer.contains("in the place of what was there"), "{answer}");
    let groups = groups(&stage);
    assert!(groups.contains(&"snowman".to_owned()), "{answer}");
    assert!(!groups.contains(&"umbrella".to_owned()), "{answer}");
}

#[test]
fn what_is_added_stands_in_the_scene() {
    let mut stage = Stage::new();
    stage.say("build a desert");
    let before = stage.scene()["shapes"].as_array().map_or(0, Vec::len);
    let answer = stage.say("add a red car");
    let scene = stage.scene();
    let shapes = scene["shapes"].as_array().cloned().unwrap_or_default();
    assert!(shapes.len() > before, "{answer}");
    let is_car =
        |shape: &&Value| shape["group"].as_str().is_some_and(|group| group.contains("car"));
    assert!(shapes.iter().filter(is_car).count() > 20, "{answer}");
}

fn named(stage: &Stage, word: &str) -> usize {
    let mut found: Vec<String> =
        groups(stage).into_iter().filter(|group| group.split('_').any(|own| own == word)).collect();
    found.sort();
    found.dedup();
    found.len()
}

#[test]
fn a_scene_needs_no_verb_and_has_what_was_asked_for() {
    for (message, word, count) in [
        ("a forest", "fox", 1),
        ("cosy living room please", "sofa", 1),
        ("a farm with two cows and a tractor", "cow", 2),
        ("a classroom with four desks", "desk", 4),
        ("a penguin in a snowy village", "penguin", 1),
        ("an office without plants", "plant", 0),
    ] {
        let mut stage = Stage::new();
        let answer = stage.say(message);
        assert_eq!(named(&stage, word), count, "{message}: {answer}");
    }
    let mut stage = Stage::new();
    let answer = stage.say("a living room with a crimson sofa");
    let scene = stage.scene();
    let shapes = scene["shapes"].as_array().cloned().unwrap_or_default();
    let crimson = |shape: &&Value| {
        let albedo = &shape["properties"]["material"]["albedo"];
        shape["group"] == "sofa" && albedo[0].as_f64() > albedo[1].as_f64().map(|green| 5.0 * green)
    };
    assert!(shapes.iter().filter(crimson).count() > 2, "{answer}");
}

#[test]
fn a_thing_named_like_a_scene_is_a_thing() {
    for message in ["a kitchen table", "a street lamp", "a park bench", "a beach umbrella"] {
        let mut stage = Stage::new();
        let answer = stage.say(message);
        let shapes = stage.scene()["shapes"].as_array().map_or(0, Vec::len);
        assert!((1..60).contains(&shapes), "{message}: {answer}");
    }
}
