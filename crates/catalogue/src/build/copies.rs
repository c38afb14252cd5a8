//! Copies of parts: rows, grids, rings, scattered ones, mirror images.

use glam::DVec3;
use scene::Motion;

use super::bounds::Bounds;
use super::primitives::sample;
use super::random::Random;
use crate::files::{Axis, Mirror, Part, Scatter};

/// The most copies of a part.
const MAX_COPIES: usize = 400;
/// How many places are tried for a scattered copy.
const MAX_ATTEMPTS: usize = 60;

/// The motion of each copy relative to the place of the part; a single identity for a part without
/// copies. `count` replaces the number that the file has.
pub(crate) fn copies(part: &Part, count: Option<usize>, random: &mut Random) -> Vec<Motion> {
    if let Some(row) = &part.row {
        let step = DVec3::from(sample(&row.step, random));
        let usual = whole(row.count.sample(random));
        // On both sides of a mirror there are half as many.
        let sides = images(part.mirror).len();
        let count = count.map_or(usual, |count| count.div_ceil(sides)).min(MAX_COPIES);
        // The row keeps its length for any number of copies.
        let factor = usual.saturating_sub(1) as f64 / count.saturating_sub(1).max(1) as f64;
        let step = if count == usual { step } else { step * factor };
        return (0..count).map(|at| shift(step * at as f64)).collect();
    }
    if let Some(grid) = &part.grid {
        let [columns, rows] = sample(&grid.count, random).map(whole);
        let [across, deep] = sample(&grid.step, random);
        let middle = |count: usize| (count as f64 - 1.0) / 2.0;
        let mut places = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let x = (column as f64 - middle(columns)) * across;
                let z = (row as f64 - middle(rows)) * deep;
                let mut off = || random.between(-1.0, 1.0) * grid.loose;
                places.push(shift(DVec3::new(x + off(), 0.0, z + off())));
            }
        }
        return places;
    }
    if let Some(ring) = &part.ring {
        let count = count.unwrap_or_else(|| whole(ring.count.sample(random))).min(MAX_COPIES);
        let step = match ring.arc {
            // An arc has a copy at each end.
            Some(arc) => arc / (count.max(2) - 1) as f64,
            None => 360.0 / count as f64,
        };
        let turn = |at: usize| {
            let degrees = ring.start + step * at as f64;
            let degrees = match ring.about {
                Axis::X => [degrees, 0.0, 0.0],
                Axis::Y => [0.0, degrees, 0.0],
                Axis::Z => [0.0, 0.0, degrees],
            };
            Motion::turn(degrees, ring.center)
        };
        return (0..count).map(turn).collect();
    }
    vec![shift(DVec3::ZERO)]
}

fn shift(by: DVec3) -> Motion {
    Motion::shift(by.to_array())
}

/// The nearest count, at most [`MAX_COPIES`].
pub(crate) fn whole(number: f64) -> usize {
    (number.max(0.0).round() as usize).min(MAX_COPIES)
}

/// The part itself and its mirror images: the suffix of each name, and the axes it is mirrored along.
pub(crate) fn images(mirror: Option<Mirror>) -> Vec<(&'static str, Option<Vec<usize>>)> {
    // Seen from the front, +x is to the right and +z towards the viewer.
    match mirror {
        None => vec![("", None)],
        Some(Mirror::X) => vec![("_right", None), ("_left", Some(vec![0]))],
        Some(Mirror::Z) => vec![("_front", None), ("_back", Some(vec![2]))],
        Some(Mirror::Xz) => vec![
            ("_front_right", None),
            ("_front_left", Some(vec![0])),
            ("_back_right", Some(vec![2])),
            ("_back_left", Some(vec![0, 2])),
        ],
    }
}

/// The motion that mirrors at x = 0 (axis 0), z = 0 (axis 2), or one after the other.
pub(crate) fn mirrored(axes: &[usize]) -> Option<Motion> {
    axes.iter().map(|axis| Motion::mirror(*axis, 0.0)).reduce(Motion::then)
}

/// The shift of a scattered copy with these bounds to a place within the rectangle that is clear of
/// `taken`; `None` if none of the places tried is.
pub(crate) fn scattered(
    scatter: &Scatter,
    own: Bounds,
    taken: &[Bounds],
    random: &mut Random,
) -> Option<DVec3> {
    let [least, most] = scatter.within;
    (0..MAX_ATTEMPTS).find_map(|_| {
        let x = random.between(least[0], most[0]);
        let z = random.between(least[1], most[1]);
        let by = DVec3::new(x, 0.0, z);
        let there = own.moved(by).widened(scatter.apart);
        (!taken.iter().any(|other| other.overlaps(there))).then_some(by)
    })
}
