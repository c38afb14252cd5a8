//! The distinction of smooth joints and corners between straight pieces.

use glam::DVec2;

/// The cosine of the largest angle of a smooth joint: 30 degrees, so that a circle of twelve points
/// still looks round.
const SMOOTH: f64 = 0.866;

/// The tangent at the joint of two edges with the unit directions `way` and `other`: their bisector
/// if the joint is smooth, otherwise `way`.
pub(crate) fn joined(way: DVec2, other: DVec2) -> DVec2 {
    if way.dot(other) < SMOOTH { way } else { (way + other).normalize() }
}
