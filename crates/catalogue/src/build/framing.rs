//! How far back a camera has to stand to have everything in view.

use glam::DVec3;

use super::bounds::Bounds;

/// Width over height of the picture.
const ASPECT: f64 = 4.0 / 3.0;
/// The share of the picture, from its middle, that shapes may reach to.
const USED: f64 = 0.97;

/// A view from one point to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Viewpoint {
    pub(crate) from: DVec3,
    pub(crate) look_at: DVec3,
    pub(crate) vfov_degrees: f64,
}

impl Viewpoint {
    /// `from`, or the nearest point behind it on the line of sight that has all boxes in view.
    pub(crate) fn moved_back(&self, boxes: impl Iterator<Item = Bounds>) -> DVec3 {
        let away = (self.from - self.look_at).normalize_or(DVec3::Z);
        let right = DVec3::Y.cross(away).normalize_or(DVec3::X);
        let up = away.cross(right);
        let half = (self.vfov_degrees / 2.0).to_radians().tan() * USED;
        // A point at x, y, z about the middle is in view from a distance d when |y| <= (d - z) half.
        let distance = |corner: DVec3| {
            let arm = corner - self.look_at;
            let across = (arm.dot(right).abs() / ASPECT).max(arm.dot(up).abs());
            arm.dot(away) + across / half
        };
        let given = (self.from - self.look_at).length();
        let needed = boxes.flat_map(Bounds::corners).map(distance).fold(given, f64::max);
        self.look_at + away * needed
    }
}
