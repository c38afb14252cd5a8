//! What is asked of the light, of the backdrop and of surfaces with a pattern.

use scene::{NoAssets, Scene, SceneManager};
use serde_json::Value;
use spatial::{Space, StageRule, stage_edits};

use crate::stage::Stage;

/// The emission of a light, as bright as its brightest channel.
fn brightness(scene: &Scene, id: &str) -> f64 {
    scene.light(id).unwrap().light.emission().into_iter().fold(0.0, f64::max)
}

/// The radiance of the sky above and below.
fn sky(scene: &Scene) -> [Vec<f64>; 2] {
    let file = scene.environment.to_json();
    ["top_color", "bottom_color"].map(|name| {
        let channels = file[name].as_array().unwrap();
        channels.iter().map(|channel| channel.as_f64().unwrap()).collect()
    })
}

fn above(scene: &Scene) -> f64 {
    sky(scene)[0].iter().sum()
}

/// The pattern of a thing's surface.
fn pattern(stage: &Stage, id: &str) -> Value {
    let material = stage.scene().shape(id).unwrap().material.resolved().to_json();
    ["albedo", "base_color"]
        .iter()
        .map(|name| material[*name].clone())
        .find(Value::is_object)
        .unwrap()
}

fn tone(value: &Value) -> f64 {
    value.as_array().unwrap().iter().map(|channel| channel.as_f64().unwrap()).sum::<f64>() / 3.0
}

#[test]
fn contrast_is_the_strongest_light_against_the_sky() {
    for message in [
        "more contrast",
        "add more contrast",
        "increase the contrast",
        "I want more contrast",
        "give the picture more contrast",
        "darker shadows",
    ] {
        let mut stage = Stage::with("shapes");
        let before = stage.scene().clone();
        let answer = stage.say(message);
        let after = stage.scene();
        assert_eq!(after.shapes, before.shapes, "{message}");
        assert!(brightness(after, "sun") > brightness(&before, "sun"), "{message}: {answer}");
        assert!(above(after) < above(&before), "{message}: {answer}");
        assert!(answer.contains("more contrast"), "{message}: {answer}");
    }
    for message in ["less contrast", "lower the contrast", "make it less contrasty"] {
        let mut stage = Stage::with("shapes");
        let before = stage.scene().clone();
        let answer = stage.say(message);
        let after = stage.scene();
        assert_eq!(after.shapes, before.shapes, "{message}");
        assert!(brightness(after, "sun") < brightness(&before, "sun"), "{message}: {answer}");
        assert!(above(after) > above(&before), "{message}: {answer}");
        assert!(answer.contains("less contrast"), "{message}: {answer}");
    }
}

#[test]
fn contrast_makes_nothing_but_light() {
    for message in ["more contrast", "less contrast", "softer"] {
        let mut stage = Stage::over(Scene::default());
        stage.say("a glass bottle on a table");
        let before = stage.scene().shapes.clone();
        let answer = stage.say(message);
        assert_eq!(stage.scene().shapes, before, "{message}: {answer}");
    }
    // Light from everywhere casts no shadows: it takes a light to have some.
    let mut stage = Stage::over(Scene::default());
    stage.say("a red ball");
    let before = above(stage.scene());
    stage.say("more contrast");
    assert_eq!(stage.scene().lights.len(), 1);
    assert!(above(stage.scene()) < before);
}

#[test]
fn a_white_background_is_brighter_than_paper() {
    for message in ["white background", "make the background white", "a white backdrop please"] {
        let mut stage = Stage::over(Scene::default());
        stage.say("a red ball");
        let before = stage.scene().shapes.clone();
        stage.say(message);
        for radiance in sky(stage.scene()).concat() {
            assert!((1.5..3.0).contains(&radiance), "{message}: {radiance}");
        }
        assert_eq!(stage.scene().shapes, before, "{message}");
    }
}

#[test]
fn the_lights_of_the_stage_stay_before_a_coloured_backdrop() {
    let rule = StageRule { begins: true, by_hand: false };
    let staged = |before: &Scene, after: &Scene| {
        let space = |scene| Space::of(scene, &NoAssets);
        let mut manager = SceneManager::new(after.clone());
        manager.apply(&stage_edits(&space(before), &space(after), rule)).unwrap();
        Scene::clone(&manager.current().scene)
    };
    let mut empty = Stage::over(Scene::default());
    empty.say("a red ball");
    let scene = staged(&Scene::default(), empty.scene());
    let count = scene.lights.len();
    assert!(count > 0);
    for message in ["white background", "make the background blue"] {
        let mut stage = Stage::over(scene.clone());
        stage.say(message);
        let after = staged(&scene, stage.scene());
        assert_eq!(after.lights.len(), count, "{message}");
        assert_ne!(after.environment, scene.environment, "{message}");
    }
}

#[test]
fn a_pattern_stays_in_another_colour() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a marble ball");
    let id = stage.scene().shapes[0].id.as_str().to_owned();
    let answer = stage.say("make the marble black");
    assert!(answer.contains("black") && !answer.contains("pattern"), "{answer}");
    let black = pattern(&stage, &id);
    assert_eq!(black["type"], "marble");
    assert!(tone(&black["first"]) < 0.02, "{black}");
    assert!(tone(&black["second"]) > tone(&black["first"]) + 0.05, "no veins: {black}");
    stage.say("make it white");
    let white = pattern(&stage, &id);
    assert!(tone(&white["first"]) > 0.9, "{white}");
    assert!(tone(&white["second"]) < tone(&white["first"]) - 0.2, "no veins: {white}");

    let mut stage = Stage::over(Scene::default());
    stage.say("a ball");
    let id = stage.scene().shapes[0].id.as_str().to_owned();
    stage.say("make it black marble");
    assert_eq!(pattern(&stage, &id)["type"], "marble");
}

#[test]
fn mortar_stays_between_bricks_of_another_colour() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a box made of brick");
    let id = stage.scene().shapes[0].id.as_str().to_owned();
    let before = stage.scene().shapes[0].material.resolved().to_json()["base_color"].clone();
    stage.say("paint it blue");
    let after = pattern(&stage, &id);
    assert_eq!(after["type"], "brick");
    assert_eq!(after["second"], before["second"]);
    assert_ne!(after["first"], before["first"]);
    assert_eq!(after["first"]["type"], before["first"]["type"]);
}

#[test]
fn at_night_things_are_seen_by_the_moon_and_the_day_comes_back() {
    let mut stage = Stage::over(Scene::default());
    stage.say("a house");
    assert!(stage.scene().lights.is_empty());
    stage.expect("make it night", &["environment dark", "darker"]);
    assert_eq!(stage.scene().lights.len(), 1);
    let [red, _, blue] = stage.scene().lights[0].light.emission();
    assert!((0.2..1.0).contains(&red) && blue > red, "{red} {blue}");
    stage.say("make it day");
    assert!(stage.scene().lights.is_empty());

    let mut stage = Stage::with("shapes");
    let before = brightness(stage.scene(), "sun");
    stage.expect("make it night", &["environment dark", "darker"]);
    let night = brightness(stage.scene(), "sun");
    assert!(night > 0.1 * before && night < 0.7 * before, "{night} of {before}");
    stage.say("make it day");
    let day = brightness(stage.scene(), "sun");
    assert!((day / before - 1.0).abs() < 0.01, "{day} after {before}");
}

#[test]
fn a_rainbow_is_a_thing() {
    for message in ["rainbow", "a rainbow", "add a rainbow"] {
        let mut stage = Stage::over(Scene::default());
        stage.say("a red ball");
        let ball = stage.scene().shapes[0].clone();
        let answer = stage.say(message);
        assert!(answer.contains("rainbow"), "{message}: {answer}");
        assert!(stage.scene().kind_of("rainbow").is_some(), "{message}: {answer}");
        assert_eq!(
            stage.scene().shape(ball.id.as_str()).map(|ball| &ball.material),
            Some(&ball.material),
            "{message}"
        );
    }
}
