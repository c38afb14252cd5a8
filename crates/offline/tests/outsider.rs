//! What someone new to it said: lists of colours, room for what grows, a camera that follows.

use crate::stage::{Stage, desk};
use expect_test::expect_file;
use serde_json::Value;

/// The transcript of conversations from an empty scene, each with its scene at the end.
fn transcript(conversations: &[&[&str]]) -> String {
    let mut text = String::new();
    for messages in conversations {
        let mut stage = Stage::new();
        for message in *messages {
            let answer = stage.say(message);
            text.push_str(&format!("> {message}\n{}{answer}\n", stage.shown_calls()));
        }
        text.push_str(&format!("{}\n\n", stage.shown()));
    }
    text
}

/// The colours of the shapes, as (r, g, b), in the order of the scene.
fn albedos(stage: &Stage) -> Vec<Value> {
    let scene = stage.scene();
    let shapes = scene["shapes"].as_array().into_iter().flatten();
    shapes.map(|shape| shape["properties"]["material"]["albedo"].clone()).collect()
}

#[test]
fn a_list_of_colours_is_handed_out() {
    for message in [
        "three spheres in a row: red, green and blue",
        "three spheres in a row, red, green and blue",
        "three spheres in a row: one red, one green and one blue",
        "a red, green and blue sphere in a row",
        "a row of red, green and blue spheres",
        "a red, a green and a blue sphere in a row",
        "a red sphere, a green ball and a blue orb in a row",
        "three spheres in a row. make them red, green and blue",
        "create three spheres: red, green and blue",
    ] {
        let mut stage = Stage::new();
        let answer = stage.say(message);
        let colours: Vec<String> = albedos(&stage).iter().map(Value::to_string).collect();
        let wanted = ["[1.0,0.0,0.0]", "[0.0,0.216,0.0]", "[0.0,0.0,1.0]"];
        assert_eq!(colours, wanted, "{message}: {answer}");
    }
    for message in [
        "four boxes in a row. make them all different colours",
        "four boxes in different colors",
        "four boxes. give each box a different colour",
    ] {
        let mut stage = Stage::new();
        let answer = stage.say(message);
        let mut colours: Vec<String> = albedos(&stage).iter().map(Value::to_string).collect();
        colours.sort();
        colours.dedup();
        assert_eq!(colours.len(), 4, "{message}: {answer}");
    }
}

/// Whether two shapes with a volume cut into each other.
fn intersects(stage: &Stage) -> bool {
    let scene = &stage.manager.current().scene;
    let bounds: Vec<_> = scene.shapes.iter().filter_map(|shape| shape.geometry.bounds()).collect();
    let meets = |a: usize, b: usize| {
        (0..3).all(|axis| {
            bounds[a].min[axis] + 1e-4 < bounds[b].max[axis]
                && bounds[b].min[axis] + 1e-4 < bounds[a].max[axis]
        })
    };
    (0..bounds.len()).any(|a| (a + 1..bounds.len()).any(|b| meets(a, b)))
}

#[test]
fn what_grows_is_given_room() {
    for messages in [
        ["a red sphere and a blue cube", "the cube should be twice as large as the sphere"],
        ["a red sphere and a blue cube", "make everything 2 times bigger"],
        ["a red sphere and a blue cube", "make the cube 5 m wide"],
        ["five boxes in a row", "make the middle box twice as big"],
        ["a box and a cone. put a small ball on the box", "make the box three times bigger"],
    ] {
        let mut stage = Stage::new();
        stage.say(messages[0]);
        let answer = stage.say(messages[1]);
        assert!(!intersects(&stage), "{messages:?}: {answer}\n{}", stage.shown());
        assert!(answer.contains("moved"), "{messages:?}: {answer}");
    }
}

#[test]
fn the_camera_follows_what_leaves_the_picture() {
    let moves = |messages: [&str; 2]| {
        let mut stage = Stage::new();
        stage.say(messages[0]);
        let answer = stage.say(messages[1]);
        assert_eq!(
            stage.calls.contains(&"set_camera".to_owned()),
            answer.contains("everything is in view"),
            "{messages:?}: {answer}"
        );
        stage.calls.contains(&"set_camera".to_owned())
    };
    assert!(moves(["a red sphere", "move it 20 metres to the right"]));
    assert!(moves(["a box", "make it ten times taller"]));
    assert!(!moves(["a red sphere", "move it 10 cm to the right"]));
    assert!(!moves(["a red sphere", "make it blue"]));
    let mut stage = Stage::new();
    stage.say("a red sphere");
    let answer = stage.say("move it 20 metres to the right and move the camera to 0, 3, 8");
    assert!(!answer.contains("everything is in view"), "{answer}");
}

#[test]
fn other_words_of_an_outsider() {
    expect_file!["transcripts/outsider.txt"].assert_eq(&transcript(&[
        &["a box rotated 30 degrees around y", "rotate it 20 degrees about x"],
        &["a 2x3x1 box at 1,0.5,-2 rotated 30 degrees around the y axis"],
        &["a red sphere", "raise it by 2", "lower it onto the floor"],
        &["a stack of three boxes, each smaller than the one below"],
        &["a red sphere, then a slightly bigger blue one next to it"],
        &["a sphere", "add a spot light pointing at the origin and a grey floor"],
        &["a green sphere and a red cube, the cube is 3 metres wide"],
        &["create a box. it is 3 m wide", "the light is bright"],
        &["a red sphere and a blue cube in a row", "make the sphere red and blue"],
        &["a green sphere and a red cube", "swap the colours of the cube and the sphere"],
        &["a cylinder", "turn the cylinder on its side"],
        &["a metal ball", "make the ball look rougher"],
        &["crate a gren cubr", "mak it purpel"],
        &["a sphere", "delete the sphere that doesn't exist"],
        &["help. what can you do?", "build a car. build a house."],
    ]));
}

#[test]
fn a_light_shines_at_what_it_was_pointed_at() {
    for (message, aim) in [
        ("a spot light pointing at the origin", [0.0, 0.0, 0.0]),
        ("a spot light aimed at 1, 0, 2", [1.0, 0.0, 2.0]),
        ("a spot light shining on the cone", [3.0, 0.5, 3.0]),
    ] {
        let mut stage = Stage::with(&desk());
        let answer = stage.say(message);
        let scene = stage.scene();
        let properties = &scene["lights"][1]["properties"];
        let vector = |name: &str| -> Vec<f64> {
            let values = properties[name].as_array().into_iter().flatten();
            values.filter_map(Value::as_f64).collect()
        };
        let (center, direction) = (vector("center"), vector("direction"));
        assert_eq!((center.len(), direction.len()), (3, 3), "{message}: {answer}");
        // The way to the aim and the direction are parallel: their cross product vanishes.
        let way: Vec<f64> = (0..3).map(|axis| aim[axis] - center[axis]).collect();
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let cross = way[a] * direction[b] - way[b] * direction[a];
            assert!(cross.abs() < 0.02, "{message}: {properties}");
        }
    }
}

#[test]
fn colours_are_told_by_hue_and_lightness() {
    let mut scene = desk();
    for (rgb, name) in [
        ([0.16, 0.2, 0.45], "dark blue"),
        ([0.01, 0.02, 0.05], "very dark blue"),
        ([0.001, 0.001, 0.002], "black"),
        ([0.2, 0.2, 0.2], "grey"),
    ] {
        scene["environment"] = serde_json::json!({ "type": "uniform", "emission": rgb });
        let answer = Stage::with(&scene).say("what colour is the sky?");
        assert_eq!(answer, format!("The background is {name}."));
    }
}

#[test]
fn nonsense_is_answered_without_a_look() {
    for message in ["42", "xyzzy", "??? 1 2 3"] {
        let mut stage = Stage::new();
        let answer = stage.say(message);
        assert!(answer.contains("did not understand"), "{message}: {answer}");
        assert_eq!(stage.contents.len(), 2, "{message}: {answer}");
    }
}
