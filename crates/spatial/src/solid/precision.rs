//! How exactly distances are found.

use glam::DVec3;

use super::convex::Convex;

/// How far apart bounds of a distance may be when it counts as found, as a share of the sizes.
pub(super) const PRECISION: f64 = 1e-8;

pub(super) fn tolerance_of(a: &Convex, b: &Convex) -> f64 {
    let size = |part: &Convex| (part.reach(DVec3::ONE) + part.reach(-DVec3::ONE)).abs();
    PRECISION * size(a).min(size(b)).max(1e-6)
}
