//! The words of film and photography: shots, lights by their names, silhouettes, fog that lies on the ground.

use glam::DVec3;
use scene::{Light, Scene};

use crate::stage::Stage;

fn over(given: &str) -> Stage {
    let mut stage = Stage::over(Scene::default());
    stage.say(given);
    stage
}

fn eye(stage: &Stage) -> DVec3 {
    DVec3::from(stage.scene().camera.center.get())
}

/// How bright a light is.
fn brightness(stage: &Stage, id: &str) -> f64 {
    stage.scene().light(id).unwrap().light.emission().into_iter().fold(0.0, f64::max)
}

fn fog(stage: &Stage) -> serde_json::Value {
    stage.scene().environment.to_json()["fog"].clone()
}

#[test]
fn names_of_lights_are_lights_where_light_is_spoken_of() {
    let stage = over("a bust on a pillar, soft key from the left, rim from behind");
    assert!(
        stage.scene().light("key_light").is_some() && stage.scene().light("rim_light").is_some()
    );
    let stage = over("a key on a table");
    assert!(stage.scene().lights.is_empty(), "a key is a thing");
}

#[test]
fn a_stop_is_twice_the_light() {
    for message in ["bring the key down a stop", "the key is a stop too bright"] {
        let mut stage = over("a vase with a key light from the left");
        let before = brightness(&stage, "key_light");
        let said = stage.say(message);
        let after = brightness(&stage, "key_light");
        assert!((after / before - 0.5).abs() < 1e-6, "{message}: {after} of {before}; {said}");
    }
}

#[test]
fn a_shot_moves_the_camera_and_makes_nothing() {
    for message in ["three-quarter view", "push in on the vase", "3/4 front view", "crane shot"] {
        let mut stage = over("a vase on a table");
        let (before, start) = (stage.scene().shapes.clone(), eye(&stage));
        let said = stage.say(message);
        assert_eq!(stage.scene().shapes, before, "{message}: {said}");
        assert!(eye(&stage).distance(start) > 0.1, "{message}: {said}");
    }
    let mut stage = over("a vase on a table");
    stage.say("dutch angle");
    let up = DVec3::from(stage.scene().camera.up.get()).normalize();
    assert!((5.0..30.0).contains(&up.angle_between(DVec3::Y).to_degrees()), "{up}");
}

#[test]
fn the_shot_that_is_named_first_is_taken_of_what_is_made() {
    let stage = over("low angle on a barn, sun behind it");
    assert!(eye(&stage).y < 1.5, "{}", eye(&stage));
}

#[test]
fn a_silhouette_is_lit_from_behind_alone() {
    let mut stage = over("a man and a horse with a key light");
    let key = brightness(&stage, "key_light");
    stage.say("make it a silhouette");
    assert!(brightness(&stage, "key_light") < 0.1 * key);
    let panel = stage.scene().lights.iter().find_map(|light| match &light.light {
        Light::AreaQuadLight(panel) if light.id.as_str() != "key_light" => Some(panel),
        _ => None,
    });
    let panel = panel.unwrap();
    let normal = DVec3::from(panel.u.get()).cross(panel.v.get().into());
    assert!(normal.dot(eye(&stage) - DVec3::from(panel.corner.get())) > 0.0, "it faces away");
}

#[test]
fn shadows_are_softened_in_the_light_that_throws_them() {
    for message in ["soften the shadows", "the shadow is too hard", "softer shadows"] {
        let mut stage = over("a vase on a table with a sun");
        stage.say(message);
        let soft = stage.scene().lights.iter().any(|light| match &light.light {
            Light::DirectionalLight(sun) => sun.angular_diameter.get() > 1.0,
            _ => false,
        });
        assert!(soft, "{message}");
    }
}

#[test]
fn fog_lies_on_the_ground_where_it_is_told_to() {
    for message in ["ground fog", "fog that's low", "low mist", "mist over the ground"] {
        let mut stage = over("a house and a tree");
        let said = stage.say(message);
        let height = fog(&stage)["height"].as_f64();
        assert!(height.is_some_and(|height| (0.05..2.6).contains(&height)), "{message}: {said}");
    }
    let mut stage = over("a house and a tree");
    stage.say("fog");
    assert!(fog(&stage)["visibility"].is_number() && fog(&stage)["height"].is_null());
}
