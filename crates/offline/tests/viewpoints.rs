//! From where the camera looks, and where the sun stands.

use glam::DVec3;
use scene::{Light, Scene};

use crate::stage::Stage;

fn eye(stage: &Stage) -> DVec3 {
    DVec3::from(stage.scene().camera.center.get())
}

/// The direction in which the sun shines.
fn sunlight(stage: &Stage) -> DVec3 {
    let mut suns = stage.scene().lights.iter().filter_map(|light| match &light.light {
        Light::DirectionalLight(sun) => Some(DVec3::from(sun.direction.get()).normalize()),
        _ => None,
    });
    suns.next_back().unwrap()
}

#[test]
fn a_camera_has_a_height_in_words() {
    for (wish, height) in [
        ("camera five feet off the ground", 5.0 * 0.3048),
        ("put the camera at knee height", 0.5),
        ("bring the camera down to 1.2 m", 1.2),
    ] {
        let mut stage = Stage::over(Scene::default());
        stage.expect("a house and a tree", &["1 ~house", "1 ~tree"]);
        stage.expect(wish, &["~house unchanged", "~tree unchanged"]);
        assert!((eye(&stage).y - height).abs() < 0.02, "{wish}: {}", eye(&stage));
    }
}

#[test]
fn a_view_is_from_a_thing_or_over_its_shoulder() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a man and a dog", &["1 ~dog"]);
    stage.expect("from the dog's point of view", &["~dog unchanged"]);
    assert!(eye(&stage).y < 0.9, "{}", eye(&stage));
    stage.expect("over the man's shoulder", &["~dog unchanged"]);
    assert!(eye(&stage).y > 1.5, "{}", eye(&stage));
}

#[test]
fn an_hour_tells_where_the_sun_stands() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a house at 7 pm in late August", &["1 ~house"]);
    let evening = sunlight(&stage);
    assert!(evening.y > -0.5 && evening.x > 0.3, "{evening}");
    stage.expect("sun directly overhead", &["~house unchanged"]);
    assert!(sunlight(&stage).y < -0.95);
    stage.expect("low sun from the right, long shadows", &["~house unchanged"]);
    let low = sunlight(&stage);
    assert!(low.y > -0.4 && low.x < -0.3, "{low}");
}

#[test]
fn one_thing_may_be_the_only_light() {
    let mut stage = Stage::over(Scene::default());
    stage.expect("a table with a book, one candle is the only light", &["1 ~candle", "1 ~table"]);
    assert!(matches!(stage.scene().environment, scene::Environment::Darkness(_)));
}
