//! Distances and depths: known ones, and against many points of the surfaces.

use proptest::prelude::*;
use scene::NoAssets;
use serde_json::{Value, json};
use spatial::{Cast, Solid, Space};

use crate::stage::{near, stage};

fn relation(a: (&str, Value), b: (&str, Value)) -> spatial::Relation {
    stage(&[("a", a.0, a.1), ("b", b.0, b.1)]).relation("a", "b")
}

fn ball(center: [f64; 3], radius: f64) -> (&'static str, Value) {
    ("sphere", json!({ "center": center, "radius": radius }))
}

fn cuboid(center: [f64; 3], dimensions: [f64; 3], rotation: [f64; 3]) -> (&'static str, Value) {
    ("box", json!({ "center": center, "dimensions": dimensions, "rotation": rotation }))
}

fn cylinder(base: [f64; 3], top: [f64; 3], radius: f64) -> (&'static str, Value) {
    let ends = json!({ "base_center": base, "top_center": top, "radius": radius, "capped": true });
    ("cylinder", ends)
}

fn cone(base: [f64; 3], radius: f64, top: [f64; 3]) -> (&'static str, Value) {
    let ends = json!({ "base_center": base, "base_radius": radius, "top_center": top,
                       "top_radius": 0, "capped": true });
    ("cone", ends)
}

fn floor() -> (&'static str, Value) {
    ("quad", json!({ "corner": [-50, 0, 50], "u": [100, 0, 0], "v": [0, 0, -100] }))
}

#[test]
fn gaps_that_are_known() {
    let root = 2f64.sqrt();
    for (a, b, gap) in [
        (ball([0.0; 3], 1.0), ball([3.0, 4.0, 0.0], 1.5), 2.5),
        (ball([0.0, 2.0, 0.0], 1.0), floor(), 1.0),
        (ball([0.0, 1.0, 0.0], 1.0), floor(), 0.0),
        (ball([2.0, 2.0, 2.0], 0.5), cuboid([0.0; 3], [2.0; 3], [0.0; 3]), 3f64.sqrt() - 0.5),
        (
            cuboid([3.0, 0.0, 0.0], [2.0; 3], [0.0, 45.0, 0.0]),
            cuboid([0.0; 3], [2.0; 3], [0.0; 3]),
            2.0 - root,
        ),
        (cuboid([0.0, root, 0.0], [2.0; 3], [45.0, 0.0, 0.0]), floor(), 0.0),
        (
            cylinder([0.0; 3], [0.0, 2.0, 0.0], 0.5),
            cylinder([3.0, 0.0, 0.0], [3.0, 2.0, 0.0], 1.0),
            1.5,
        ),
        (
            cylinder([0.0; 3], [0.0, 2.0, 0.0], 0.5),
            cylinder([2.0, 1.0, -1.0], [2.0, 1.0, 1.0], 0.7),
            0.8,
        ),
        (cylinder([0.0, 1.0, 0.0], [0.0, 2.0, 0.0], 0.5), floor(), 1.0),
        (cone([0.0, 3.0, 0.0], 1.0, [0.0, 1.0, 0.0]), floor(), 1.0),
        // Beside the slope of a cone of 45 degrees.
        (cone([0.0; 3], 1.0, [0.0, 1.0, 0.0]), ball([1.5, 0.5, 0.0], 0.2), 1.0 / root - 0.2),
        (
            ("disc", json!({ "center": [0, 1, 0], "normal": [1, 0, 0], "radius": 0.75 })),
            floor(),
            0.25,
        ),
        (
            (
                "ellipsoid",
                json!({ "center": [0, 3, 0], "radii": [2, 1, 1], "rotation": [0, 0, 90] }),
            ),
            floor(),
            1.0,
        ),
        (
            ("rounded_box", json!({ "center": [0, 0, 0], "dimensions": [2, 2, 2], "radius": 0.5 })),
            ball([3.5, 4.5, 0.0], 1.0),
            3.5,
        ),
        (("triangle", json!({ "vertices": [[0, 2, 0], [1, 3, 0], [-1, 3, 1]] })), floor(), 2.0),
    ] {
        let relation = relation(a.clone(), b.clone());
        assert!(near(relation.gap, gap), "{a:?} {b:?}: {} for {gap}", relation.gap);
        if let Some([on_a, on_b]) = relation.points {
            assert!(near(on_a.distance(on_b), gap), "{a:?} {b:?}");
        }
    }
}

#[test]
fn depths_that_are_known() {
    for (a, b, depth, away) in [
        (ball([0.0, 0.5, 0.0], 1.0), floor(), 0.5, [0.0, 1.0, 0.0]),
        (ball([1.0, 0.0, 0.0], 1.0), ball([0.0; 3], 1.0), 1.0, [1.0, 0.0, 0.0]),
        (cuboid([0.0, 0.9, 0.0], [1.0, 2.0, 1.0], [0.0; 3]), floor(), 0.1, [0.0, 1.0, 0.0]),
        (
            cuboid([1.5, 0.0, 0.0], [2.0; 3], [0.0; 3]),
            cuboid([0.0; 3], [2.0; 3], [0.0; 3]),
            0.5,
            [1.0, 0.0, 0.0],
        ),
        (
            cylinder([1.2, 0.0, 0.0], [1.2, 2.0, 0.0], 0.5),
            cylinder([0.0; 3], [0.0, 2.0, 0.0], 1.0),
            0.3,
            [1.0, 0.0, 0.0],
        ),
        (cylinder([0.0, -0.2, 0.0], [0.0, 2.0, 0.0], 0.5), floor(), 0.2, [0.0, 1.0, 0.0]),
        (cone([0.0, 2.0, 0.0], 1.0, [0.0, -0.1, 0.0]), floor(), 0.1, [0.0, 1.0, 0.0]),
        (
            ball([0.0, 1.0, 0.0], 0.1),
            cylinder([-2.0, 1.0, 0.0], [2.0, 1.0, 0.0], 0.5),
            0.6,
            [0.0; 3],
        ),
    ] {
        let relation = relation(a.clone(), b.clone());
        assert!((relation.gap + depth).abs() < 1e-5, "{a:?} {b:?}: {} for {depth}", -relation.gap);
        assert!(relation.points.is_none());
        let along = relation.away.dot(away.into());
        assert!(away == [0.0; 3] || along > 0.999, "{a:?} {b:?}: {:?}", relation.away);
    }
}

/// Points all over the surface of a convex shape.
fn surface(solid: &Solid, count: usize) -> Vec<glam::DVec3> {
    (0..count)
        .map(|at| {
            let height = 1.0 - (2.0 * at as f64 + 1.0) / count as f64;
            let angle = at as f64 * 2.399_963;
            let radius = (1.0 - height * height).sqrt();
            solid.farthest(glam::DVec3::new(radius * angle.cos(), height, radius * angle.sin()))
        })
        .collect()
}

fn any_form() -> impl Strategy<Value = (&'static str, Value)> {
    let angle = -180.0..180.0;
    let turn = [angle.clone(), angle.clone(), angle];
    let length = 0.05f64..2.0;
    (0..9usize, turn, [length.clone(), length.clone(), length]).prop_map(
        |(kind, turn, [a, b, c])| {
            let way = [turn[0] / 100.0 + 0.01, turn[1] / 100.0, turn[2] / 100.0];
            match kind {
                0 => ball([0.0; 3], a),
                1 => cuboid([0.0; 3], [a, b, c], turn),
                2 => cylinder([0.0; 3], way, a),
                3 => cone([0.0; 3], a, way),
                4 => ("disc", json!({ "center": [0, 0, 0], "normal": way, "radius": a })),
                5 => ("quad", json!({ "corner": [0, 0, 0], "u": [a, 0.1, 0], "v": [0.1, b, c] })),
                6 => ("triangle", json!({ "vertices": [[0, 0, 0], [a, 0.1, 0], [0.1, b, c]] })),
                7 => (
                    "ellipsoid",
                    json!({ "center": [0, 0, 0], "radii": [a, b, c], "rotation": turn }),
                ),
                _ => (
                    "rounded_box",
                    json!({ "center": [0, 0, 0], "dimensions": [a, b, c], "rotation": turn,
                            "radius": 0.4 * a.min(b).min(c) }),
                ),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Things of many parts lie to each other as the two parts do that are nearest, or reach deepest into each other.
    #[test]
    fn things_are_as_near_as_their_nearest_parts(
        ones in prop::collection::vec(any_form(), 1..5),
        others in prop::collection::vec(any_form(), 1..5),
        ways in prop::collection::vec(prop::array::uniform3(-2.0..2.0), 10),
    ) {
        let all = || ones.iter().chain(&others).enumerate();
        let names: Vec<String> = all().map(|(at, _)| format!("part{at}")).collect();
        let shapes: Vec<_> =
            all().map(|(at, form)| (names[at].as_str(), form.0, form.1.clone())).collect();
        let mut stage = stage(&shapes);
        for (name, way) in names.iter().zip(&ways) {
            stage.call("move", json!({ "ids": [name], "by": way }));
        }
        let scene = stage.scene();
        let space = Space::of(&scene, &NoAssets);
        let solids: Vec<&Solid> = space.bodies().iter().map(|body| &body.solid).collect();
        let (ones, others) = solids.split_at(ones.len());
        let whole = |parts: &[&Solid]| Solid::union(parts.iter().copied()).unwrap();
        let gap = whole(ones).relation(&whole(others)).gap;
        let pairs = ones.iter().flat_map(|one| others.iter().map(|other| one.relation(other).gap));
        let least = pairs.fold(f64::INFINITY, f64::min);
        let allowed = if least > 0.0 { 1e-4 } else { 5e-2 * -least + 1e-4 };
        prop_assert!((gap - least).abs() < allowed, "{gap} {least}");
    }

    /// The distance is that of its two points, no points of the surfaces are nearer, and a plane
    /// between the two proves it.
    #[test]
    fn gaps_are_the_smallest_there_are(a in any_form(), b in any_form(), way in prop::array::uniform3(-4.0..4.0)) {
        let mut stage = stage(&[("a", a.0, a.1), ("b", b.0, b.1)]);
        stage.call("move", json!({ "ids": ["b"], "by": way }));
        let scene = stage.scene();
        let space = Space::of(&scene, &NoAssets);
        let (a, b) = (&space.bodies()[0].solid, &space.bodies()[1].solid);
        let relation = a.relation(b);
        let back = b.relation(a);
        // The search ends within a hundredth of a millimetre in the worst of some thousand cases.
        let exact = 1e-4;
        let allowed = if relation.gap > 0.0 { exact } else { 5e-2 * -relation.gap + exact };
        prop_assert!((relation.gap - back.gap).abs() < allowed, "{} {}", relation.gap, back.gap);
        if relation.gap > 0.0 {
            let room = -a.reach(-relation.away) - b.reach(relation.away);
            prop_assert!((room - relation.gap).abs() < exact, "{room} {}", relation.gap);
            let [on_a, on_b] = relation.points.unwrap();
            prop_assert!((on_a.distance(on_b) - relation.gap).abs() < 1e-6);
            let points = surface(b, 200);
            for one in surface(a, 200) {
                let nearest = points.iter().map(|other| one.distance(*other)).fold(f64::MAX, f64::min);
                prop_assert!(nearest > relation.gap - exact);
            }
        } else {
            // Moving it out along the way told takes the two apart, and no axis is a shorter way.
            let out = a.relation_at(relation.away * (-relation.gap + 1e-7), b);
            prop_assert!(out.gap > -exact, "{} {}", relation.gap, out.gap);
            for axis in glam::DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
                prop_assert!(b.reach(axis) + a.reach(-axis) > -relation.gap - 1e-9);
            }
        }
    }

    /// A fall ends with a gap that is all but nothing, and never inside.
    #[test]
    fn casts_end_in_touch(a in any_form(), b in any_form(), aside in prop::array::uniform2(-1.5..1.5), gap in 0.0..0.3) {
        let mut stage = stage(&[("a", a.0, a.1), ("b", b.0, b.1)]);
        stage.call("move", json!({ "ids": ["a"], "by": [aside[0], 12, aside[1]] }));
        let scene = stage.scene();
        let space = Space::of(&scene, &NoAssets);
        let (a, b) = (&space.bodies()[0].solid, &space.bodies()[1].solid);
        match a.cast(glam::DVec3::ZERO, glam::DVec3::NEG_Y, b, gap) {
            Cast::After(way) => {
                let left = a.relation_at(glam::DVec3::NEG_Y * way, b).gap - gap;
                prop_assert!((-1e-8..1e-5).contains(&left), "{left}");
            }
            Cast::Never => {
                for step in 0..200 {
                    let shift = glam::DVec3::NEG_Y * f64::from(step) * 0.15;
                    prop_assert!(a.relation_at(shift, b).gap > gap - 1e-6);
                }
            }
            Cast::Meets => prop_assert!(false, "they start far apart"),
        }
    }
}
