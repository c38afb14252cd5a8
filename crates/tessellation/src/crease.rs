//! Where straight pieces are meant as a smooth line, and where as a corner.

use glam::DVec2;

/// The cosine of the largest angle between two edges of one smooth line: 30 degrees, so that a circle
/// of twelve points still looks round.
const SMOOTH: f64 = 0.866;

/// The direction of the line where an edge along the unit vector `way` meets one along `other`: that
/// between the two, or `way` where they make a corner.
pub(crate) fn joined(way: DVec2, other: DVec2) -> DVec2 {
    if way.dot(other) < SMOOTH { way } else { (way + other).normalize() }
}
