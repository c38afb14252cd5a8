//! A transformed shape has the same form in the world.

use glam::DVec3;
use scene::{Geometry, Motion};
use tessellation::FINE;

use crate::support::triangles;

/// Kinds that cannot be mirrored: letters and noise would be reversed.
const NOT_MIRRORED: [&str; 2] = ["text", "height_field"];

/// The support function of a point set in many directions.
fn reach(points: &[DVec3]) -> Vec<f64> {
    let directions =
        (-2..=2).flat_map(|x| (-2..=2).flat_map(move |y| (-2..=2).map(move |z| (x, y, z))));
    let directions = directions.filter(|direction| *direction != (0, 0, 0));
    let directions =
        directions.map(|(x, y, z)| DVec3::new(x.into(), y.into(), z.into()).normalize());
    directions
        .map(|direction| points.iter().map(|point| point.dot(direction)).fold(f64::MIN, f64::max))
        .collect()
}

fn vertices(geometry: &Geometry) -> Vec<DVec3> {
    let positions = triangles(geometry, FINE).in_world().positions;
    positions.into_iter().map(|position| DVec3::from(position.map(f64::from))).collect()
}

#[test]
fn a_moved_shape_is_the_form_moved() {
    let turn = |degrees| Motion::turn(degrees, [0.3, -0.2, 0.5]);
    let turned = turn([20.0, 50.0, -70.0]);
    let mirrors = [0, 1, 2].map(|axis| Motion::mirror(axis, 0.4));
    let turns = [[90.0, 0.0, 0.0], [0.0, 180.0, 0.0], [10.0, 20.0, 30.0]].map(turn);
    let mut not_mirrored = Vec::new();
    for kind in Geometry::kinds() {
        let Some(sample) = kind.sample else { continue };
        let sample = Geometry::from_json(kind.kind, &sample.into()).unwrap();
        let start = sample.moved(&turned).unwrap();
        for motion in turns.iter().chain(&mirrors).copied().chain([Motion::scale(2.0, [1.0; 3])]) {
            let moved = match start.moved(&motion) {
                Ok(moved) => moved,
                Err(_) => {
                    not_mirrored.push(kind.kind);
                    continue;
                }
            };
            let expected: Vec<DVec3> = vertices(&start)
                .iter()
                .map(|point| motion.point(point.to_array()).into())
                .collect();
            let far = reach(&vertices(&moved)).into_iter().zip(reach(&expected));
            let far = far.map(|(is, expected)| (is - expected).abs()).fold(0.0, f64::max);
            assert!(far < 3e-3, "{} after {motion:?} is off by {far}", kind.kind);
        }
    }
    not_mirrored.dedup();
    assert_eq!(not_mirrored, NOT_MIRRORED);
}
