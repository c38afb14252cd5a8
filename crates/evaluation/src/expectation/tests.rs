//! Expectations against small scenes: each holds where it should, and fails where it should.

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

/// A table of four legs, a red ball on it, a blue one on the floor to its right.
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
fn relations_are_those_of_the_surfaces_and_of_the_camera() {
    check(
        &[],
        &room(),
        "",
        &[
            "red sphere on ~table",
            "blue sphere on ~floor",
            "all sphere supported",
            "red sphere above ~floor",
            "~table under red sphere",
            "blue sphere right-of ~table",
            "~table left-of blue sphere",
            "blue sphere near id:table_leg_2",
            "no sphere inside ~table",
            "no-overlap",
            "nothing-floating",
            "tidy",
            "all-in-view",
            "lit",
            "red sphere higher-than blue sphere",
            "red sphere same-size-as blue sphere",
            "id:table_top between id:table_leg_1 and id:table_leg_2",
            "red sphere touching ~table",
        ],
        &[
            "blue sphere on ~table",
            "blue sphere left-of ~table",
            "blue sphere in-front-of ~table",
            "blue sphere next-to red sphere",
            "red sphere on ~floor",
            "sphere floating",
            "red sphere bigger-than blue sphere",
            "blue sphere between ~table and red sphere",
        ],
    );
    let behind =
        [floor(), ball("a", [0.0, 0.5, 0.0], 0.5, RED), ball("b", [0.0, 0.5, -2.0], 0.5, BLUE)];
    check(
        &[],
        &behind,
        "",
        &[
            "blue sphere behind red sphere",
            "red sphere in-front-of blue sphere",
            "sphere gap 1 sphere",
            "sphere distance 2 sphere",
        ],
        &[
            "blue sphere in-front-of red sphere",
            "blue sphere left-of red sphere",
            "blue sphere next-to red sphere",
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
    // What was wrong before is not this message's fault.
    check(&crossing, &crossing, "", &["tidy"], &[]);
    let outside = [floor(), ball("a", [30.0, 0.5, 0.0], 0.5, RED)];
    check(&[], &outside, "", &["no sphere in-view"], &["all-in-view", "sphere in-view"]);
}

#[test]
fn measures_are_exact_and_a_lone_number_is_about() {
    check(
        &[],
        &room(),
        "",
        &[
            "sphere radius 0.3",
            "red sphere diameter 0.6",
            "~table width 2",
            "~table height 1",
            "~table height 0.9..1.1",
            "blue sphere x 2.5",
            "blue sphere at 2.5 0.3 0",
            "~table size-ratio 3..4 red sphere",
            "red sphere bottom 1",
        ],
        &["sphere radius 0.4", "~table width 3+", "blue sphere at 0 0 0"],
    );
}

#[test]
fn changes_are_told_from_the_scene_before() {
    let before = room();
    let mut after = room();
    after[4] = ball("red_ball", [-0.5, 1.3, 0.0], 0.3, BLUE);
    after[5] = ball("blue_ball", [2.5, 0.6, 0.0], 0.6, BLUE);
    after.push(ball("pearl", [-2.0, 0.1, 0.0], 0.1, [0.9; 3]));
    check(
        &before,
        &after,
        "",
        &[
            "id:red_ball moved left 0.5",
            "id:red_ball recoloured",
            "id:blue_ball grew 2",
            "1 created sphere",
            "created is white",
            "2 changed sphere",
            "~table unchanged",
            "only sphere changed",
            "no ~ball removed",
            "environment kept",
            "camera kept",
            "changed-scene",
            "~table is kept",
        ],
        &[
            "id:red_ball moved right",
            "id:red_ball moved up",
            "id:blue_ball shrank",
            "id:blue_ball recoloured",
            "unchanged",
            "only blue sphere changed",
            "1 created cube",
            "sphere removed",
            "~table moved any",
        ],
    );
    check(
        &after,
        &before,
        "",
        &["1 ~pearl removed", "sphere removed", "id:blue_ball shrank 0.5"],
        &["2 sphere removed"],
    );
}

#[test]
fn turns_are_measured() {
    let turned = |degrees: f64| {
        vec![
            floor(),
            json!({ "id": "a", "type": "box", "properties": { "center": [0, 0.5, 0], "dimensions": [2, 1, 1], "rotation": [0, degrees, 0] } }),
        ]
    };
    check(
        &turned(0.0),
        &turned(45.0),
        "",
        &["box turned 45", "box turned", "box unmoved"],
        &["box turned 90", "box unchanged"],
    );
    check(&turned(20.0), &turned(20.0), "", &["box unchanged"], &["box turned"]);
}

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
    // On one floor, things of different heights stand in a row.
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

#[test]
fn things_face_where_their_front_is() {
    let chair = |back: [f64; 3]| {
        let mut shapes = vec![
            floor(),
            cuboid("seat", [0.0, 0.45, 0.0], [0.5, 0.1, 0.5]),
            cuboid("backrest", back, [0.5, 0.5, 0.5]),
        ];
        for shape in &mut shapes[1..] {
            shape["group"] = "chair".into();
        }
        shapes.push(cuboid("desk", [0.0, 0.4, 3.0], [2.0, 0.8, 1.0]));
        shapes
    };
    check(
        &[],
        &chair([0.0, 0.75, -0.5]),
        "",
        &["~chair facing ~desk", "~chair facing-camera"],
        &[],
    );
    check(&[], &chair([0.0, 0.75, 0.5]), "", &[], &["~chair facing ~desk", "~chair facing-camera"]);
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
