//! Expectations about patterns, light and camera.

use serde_json::json;

use super::*;

#[test]
fn patterns_are_recognised() {
    let at = |places: &[[f64; 3]]| -> Vec<Value> {
        let mut shapes = vec![floor()];
        let balls = places
            .iter()
            .enumerate()
            .map(|(number, place)| ball(&format!("ball_{number}"), *place, 0.3, RED));
        shapes.extend(balls);
        shapes
    };
    let row: Vec<[f64; 3]> = (0..5).map(|at| [f64::from(at) - 2.0, 0.3, 0.0]).collect();
    check(
        &[],
        &at(&row),
        "",
        &[
            "5 sphere in-row",
            "sphere evenly-spaced",
            "sphere aligned-z",
            "sphere apart",
            "all sphere same-size",
        ],
        &[
            "4 sphere in-row",
            "sphere in-circle",
            "sphere in-grid",
            "sphere stacked",
            "sphere scattered",
            "sphere different-colours",
        ],
    );
    let ring: Vec<[f64; 3]> = (0..6)
        .map(|at| {
            let angle = f64::from(at) * std::f64::consts::TAU / 6.0;
            [2.0 * angle.cos(), 0.3, 2.0 * angle.sin()]
        })
        .collect();
    let mut around = at(&ring);
    around.push(cuboid("post", [0.0, 1.0, 0.0], [0.2, 2.0, 0.2]));
    check(
        &[],
        &around,
        "",
        &["6 sphere in-circle", "all sphere around ~post"],
        &["sphere in-row", "sphere in-grid", "sphere stacked"],
    );
    // On one floor, things of different heights form a row.
    let sizes = [0.2, 0.5, 0.3].iter().enumerate();
    let sizes = sizes.map(|(at, radius)| {
        ball(&format!("ball_{at}"), [2.0 * at as f64, *radius, 0.0], *radius, RED)
    });
    let mixed: Vec<Value> = [floor()].into_iter().chain(sizes).collect();
    check(&[], &mixed, "", &["3 sphere in-row", "sphere different-sizes"], &["sphere same-size"]);
    let grid: Vec<[f64; 3]> =
        (0..6).map(|at| [f64::from(at % 3), 0.3, f64::from(at / 3)]).collect();
    check(
        &[],
        &at(&grid),
        "",
        &["6 sphere in-grid", "sphere in-grid 2x3", "sphere in-grid 3x2", "sphere scattered"],
        &["sphere in-row", "sphere in-grid 1x6", "sphere in-circle"],
    );
    let blocks = |places: &[[f64; 3]]| -> Vec<Value> {
        let blocks = places
            .iter()
            .enumerate()
            .map(|(number, place)| cuboid(&format!("block_{number}"), *place, [1.0; 3]));
        [floor()].into_iter().chain(blocks).collect()
    };
    check(
        &[],
        &blocks(&[[0.0, 0.5, 0.0], [0.0, 1.5, 0.0], [0.0, 2.5, 0.0]]),
        "",
        &["3 box stacked", "box apart"],
        &["box in-row", "box in-pyramid"],
    );
    check(
        &[],
        &blocks(&[[-0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 1.5, 0.0]]),
        "",
        &["3 box in-pyramid"],
        &["box stacked"],
    );
    let spiral: Vec<[f64; 3]> = (0..8)
        .map(|at| {
            let (angle, radius) = (f64::from(at) * 0.8, 0.5 + 0.4 * f64::from(at));
            [radius * angle.cos(), 0.3, radius * angle.sin()]
        })
        .collect();
    check(&[], &at(&spiral), "", &["8 sphere in-spiral"], &["sphere in-circle", "sphere in-row"]);
}

#[test]
fn light_and_camera_are_compared() {
    let with = |light: f64, colour: [f64; 3], camera: Value| {
        let mut file = json!({ "version": 1, "shapes": room(), "environment": { "type": "uniform", "emission": colour }, "camera": camera });
        file["lights"] = json!([{ "id": "lamp", "type": "point_spot_light", "properties": { "center": [0, 6, 3], "emission": [light, light, light] } }]);
        Scene::from_json(&file).unwrap()
    };
    let front = json!({ "center": [0, 3, 9], "look_at": [0, 0.5, 0] });
    let old = with(20.0, [0.1, 0.1, 0.1], front.clone());
    let claims = |new: &Scene, holds: &[&str], fails: &[&str]| {
        let moment = Moment::new(&old, new, None, "", &NoAssets);
        for text in holds {
            assert_eq!(Expectation::parse(text).unwrap().check(&moment), Ok(()), "{text}");
        }
        for text in fails {
            assert!(Expectation::parse(text).unwrap().check(&moment).is_err(), "{text} holds");
        }
    };
    claims(
        &with(60.0, [0.1, 0.1, 0.1], front.clone()),
        &["brighter", "light brightened 3", "environment kept"],
        &["darker", "warmer", "light dimmed"],
    );
    claims(
        &with(0.0, [0.0; 3], front.clone()),
        &["darker", "environment none", "environment dark"],
        &["brighter", "lit"],
    );
    claims(
        &with(20.0, [1.0, 0.4, 0.1], front),
        &["warmer", "environment orange", "environment brighter", "brighter"],
        &["cooler", "environment blue", "environment kept"],
    );
    let near =
        with(20.0, [0.1; 3], json!({ "center": [0, 2, 5], "look_at": [0, 0.5, 0], "vfov": 60 }));
    claims(
        &near,
        &[
            "camera closer",
            "camera lower",
            "camera wider",
            "camera changed",
            "camera from front",
            "camera frames ~table",
            "camera sharp",
        ],
        &[
            "camera further",
            "camera kept",
            "camera higher",
            "camera from above",
            "camera blurred",
            "camera narrower",
        ],
    );
    let above = with(
        20.0,
        [0.1; 3],
        json!({ "center": [0.5, 9, 1], "look_at": [0, 1.3, 0], "aperture": 0.1 }),
    );
    claims(
        &above,
        &[
            "camera from above",
            "camera higher",
            "camera looks-at red sphere",
            "camera blurred",
            "camera focuses red sphere",
        ],
        &[
            "camera from low",
            "camera from left",
            "camera looks-at blue sphere",
            "camera focuses blue sphere",
        ],
    );
    let left = with(20.0, [0.1; 3], json!({ "center": [-9, 2, 1], "look_at": [0, 0.5, 0] }));
    claims(
        &left,
        &["camera from left", "camera left"],
        &["camera from right", "camera from front", "camera right"],
    );
}
