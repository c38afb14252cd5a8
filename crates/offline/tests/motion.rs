//! Things that move over time.

use scene::{Animation, NoAssets, Scene};
use serde_json::json;

use crate::stage::Stage;

fn stage() -> Stage {
    let file = json!({
        "version": 1,
        "shapes": [
            { "id": "floor", "type": "quad",
              "properties": { "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] } },
            { "id": "red_ball", "type": "sphere", "properties": { "center": [1, 0.5, 0], "radius": 0.5,
              "material": { "type": "lambertian", "albedo": [0.8, 0.1, 0.1] } } },
            { "id": "green_cube", "type": "box", "properties": { "center": [-1, 0.5, 0], "dimensions": [1, 1, 1],
              "material": { "type": "lambertian", "albedo": [0.1, 0.7, 0.1] } } },
        ],
        "camera": { "center": [0, 2, 8], "look_at": [0, 0.5, 0] },
    });
    Stage::over(Scene::from_json(&file).unwrap())
}

fn animation(stage: &Stage, message: &str) -> Animation {
    let animation = stage.scene().animation.as_deref();
    animation.unwrap_or_else(|| panic!("nothing moves after: {message}")).clone()
}

fn names(stage: &Stage, message: &str) -> Vec<String> {
    animation(stage, message).tracks.get().iter().map(scene::Track::name).collect()
}

#[test]
fn a_turntable_is_a_camera_that_goes_around() {
    for (message, seconds, around) in [
        ("make a turntable", 6.0, None),
        ("a turntable of the red ball in 8 seconds", 8.0, Some("red_ball")),
        ("let the camera go around the cube", 6.0, Some("green_cube")),
        ("let the camera orbit for 10 seconds", 10.0, None),
    ] {
        let mut stage = stage();
        let camera = stage.scene().camera.clone();
        let answer = stage.say(message);
        let animation = animation(&stage, message);
        assert_eq!(animation.duration.get(), seconds, "{message}");
        let orbit = &animation.tracks.get()[0];
        assert_eq!(
            (orbit.name(), orbit.keys.end()),
            ("camera orbit".to_owned(), seconds),
            "{message}"
        );
        let followed = animation.tracks.get().get(1).map(|track| track.at(0.0).to_json());
        assert_eq!(followed, around.map(|id| json!(id)), "{message}");
        assert_eq!(stage.scene().camera, camera, "{message}");
        assert!(answer.contains("goes around"), "{message}: {answer}");
    }
}

#[test]
fn things_spin_and_go_around_others() {
    for message in [
        "make the cube spin",
        "let the cube rotate",
        "spin the cube for 4 seconds",
        "animate the cube",
    ] {
        let mut stage = stage();
        let answer = stage.say(message);
        assert_eq!(names(&stage, message), ["green_cube rotation"], "{message}");
        assert!(answer.contains("cube"), "{message}: {answer}");
    }
    let mut stage = stage();
    let message = "let the ball move around the cube in 5 seconds";
    stage.say(message);
    let scene = stage.scene().at_time(2.5, &NoAssets);
    let center = scene.shape("red_ball").unwrap().geometry.bounds().unwrap().center();
    assert!(
        (center[0] + 3.0).abs() < 1e-6 && center[2].abs() < 1e-6,
        "on the other side: {center:?}"
    );
}

#[test]
fn things_roll_and_bounce_from_side_to_side() {
    let mut stage = stage();
    let message = "animate the red ball rolling from left to right in 3 seconds";
    stage.say(message);
    assert_eq!(names(&stage, message), ["red_ball position", "red_ball rotation"]);
    let x = |stage: &Stage, time: f64| {
        let scene = stage.scene().at_time(time, &NoAssets);
        scene.shape("red_ball").unwrap().geometry.bounds().unwrap().center()
    };
    let (begin, end) = (x(&stage, 0.0), x(&stage, 3.0));
    assert!(begin[0] < 0.0 && end[0] > 2.0 && begin[1] == 0.5, "{begin:?} {end:?}");
    let stopped = stage.say("stop the animation");
    assert!(stage.scene().animation.is_none(), "{stopped}");
    let bounce = "let the ball bounce";
    stage.say(bounce);
    assert_eq!(names(&stage, bounce), ["red_ball position"]);
    let forever = "animate the red ball so that it bounces up and down forever";
    stage.say(forever);
    assert_eq!(names(&stage, forever), ["red_ball position"]);
    let heights = (0..=30).map(|at| x(&stage, 0.1 * f64::from(at))[1]);
    let (low, high) =
        heights.fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
    assert!((low - 0.5).abs() < 1e-6 && high > 1.5, "{low} {high}");
}

#[test]
fn what_is_not_let_move_still_stands() {
    for message in
        ["rotate the cube by 45 degrees", "move the ball to the left", "put the ball on the cube"]
    {
        let mut stage = stage();
        stage.say(message);
        assert!(stage.scene().animation.is_none(), "{message}");
    }
}
