//! Ray-shape intersections.

use glam::DVec3;

/// A ray-shape intersection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Intersection {
    /// Distance along the ray, above 0.
    pub(crate) distance: f32,
    /// The part of the surface or, on meshes, the place of the triangle; its meaning depends on the shape.
    pub(crate) part: u32,
}

/// Both distances t at which `offset + t direction` has the length `radius`; NaN if there are none.
pub(super) fn roots(direction: DVec3, offset: DVec3, radius: f64) -> [f64; 2] {
    let a = direction.length_squared();
    let half_b = offset.dot(direction);
    let c = offset.length_squared() - radius * radius;
    // The discriminant from the offset perpendicular to the direction avoids cancellation for
    // distant rays.
    let across = offset - direction * (half_b / a);
    let root = (a * (radius * radius - across.length_squared())).sqrt();
    let larger = -(half_b + root.copysign(half_b));
    [c / larger, larger / a]
}
