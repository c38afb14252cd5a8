//! Expectations about positions: relations, measures, changes, rotations, fronts.

use serde_json::json;

use super::*;

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
