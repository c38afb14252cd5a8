//! Parts that are there more than once.

use glam::DVec3;
use scene::Motion;

use super::draw::Draw;
use super::form::values;
use super::recipe::{Axis, Mirror, Part, Scatter};
use crate::world::Bounds;

/// More than this is never meant.
const MOST: usize = 400;
/// How often a thrown copy is thrown again where it would hit something.
const THROWS: usize = 60;

/// Where the copies of a part go, relative to the part itself: how each is moved after it was put
/// in its place. One that moves nothing for a part that is there once.
///
/// `wished` is how many there are to be of what the file has several of.
pub(super) fn copies(part: &Part, wished: Option<usize>, draw: &mut Draw) -> Vec<Motion> {
    if let Some(row) = &part.row {
        let step = DVec3::from(values(&row.step, draw));
        let usual = whole(row.count.value(draw));
        // On both sides of a mirror there are half as many.
        let sides = images(part.mirror).len();
        let count = wished.map_or(usual, |wished| wished.div_ceil(sides)).min(MOST);
        // However many there are, the row is as long as the file has it.
        let ends = usual.saturating_sub(1) as f64 / count.saturating_sub(1).max(1) as f64;
        let step = if count == usual { step } else { step * ends };
        return (0..count).map(|at| shift(step * at as f64)).collect();
    }
    if let Some(grid) = &part.grid {
        let [columns, rows] = values(&grid.count, draw).map(whole);
        let [across, deep] = values(&grid.step, draw);
        let middle = |count: usize| (count as f64 - 1.0) / 2.0;
        let mut places = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let x = (column as f64 - middle(columns)) * across;
                let z = (row as f64 - middle(rows)) * deep;
                let mut off = || draw.between(-1.0, 1.0) * grid.loose;
                places.push(shift(DVec3::new(x + off(), 0.0, z + off())));
            }
        }
        return places;
    }
    if let Some(ring) = &part.ring {
        let count = wished.unwrap_or_else(|| whole(ring.count.value(draw))).min(MOST);
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

/// A count from a number of a file or a draw.
pub(super) fn whole(number: f64) -> usize {
    (number.max(0.0).round() as usize).min(MOST)
}

/// The mirror images of a part beside the part itself, with what their names end in.
pub(super) fn images(mirror: Option<Mirror>) -> Vec<(&'static str, Option<Vec<usize>>)> {
    // Seen from in front, +x is to the right and +z towards the viewer.
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
pub(super) fn mirrored(axes: &[usize]) -> Option<Motion> {
    axes.iter().map(|axis| Motion::mirror(*axis, 0.0)).reduce(Motion::then)
}

/// A spot for a thing with these bounds within a rectangle of the ground, clear of `taken`; none
/// when no throw hit a free one.
pub(super) fn thrown(
    scatter: &Scatter,
    own: Bounds,
    taken: &[Bounds],
    draw: &mut Draw,
) -> Option<DVec3> {
    let [least, most] = scatter.within;
    (0..THROWS).find_map(|_| {
        let x = draw.between(least[0], most[0]);
        let z = draw.between(least[1], most[1]);
        let by = DVec3::new(x, 0.0, z);
        let there = own.moved(by).widened(scatter.apart);
        (!taken.iter().any(|other| other.overlaps(there))).then_some(by)
    })
}
