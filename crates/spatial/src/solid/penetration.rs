//! How deep two convex bodies that meet reach into each other.

use glam::DVec3;

use super::convex::Convex;
use super::expansion::{Reach, least_reach};
use super::gjk::separation;
use super::precision::{PRECISION, tolerance_of};

/// The shortest way out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Penetration {
    /// How far a has to move, in metres; 0 or more.
    pub(crate) depth: f64,
    /// The unit vector along which it has to move.
    pub(crate) normal: DVec3,
}

/// The shortest way that takes `a`, moved by `shift`, out of `b`.
///
/// For a direction the way is the sum of how far the two reach into each other along it; the depth is
/// its minimum over all directions. Axes and faces of both are tried, then a polytope in their
/// Minkowski difference grows until no direction can be better by more than a hundredth. A way that is not longer than
/// `deepest` is not made shorter.
pub(crate) fn penetration(a: &Convex, shift: DVec3, b: &Convex, deepest: f64) -> Penetration {
    let depth_along = |normal: DVec3| b.reach(normal) + a.reach(-normal) - shift.dot(normal);
    let tolerance = tolerance_of(a, b);
    let mut best = Reach { direction: DVec3::Y, distance: depth_along(DVec3::Y) };
    for normal in candidates(a, shift, b) {
        // Bodies that just touch, as most do that stand on something: there is nothing shorter.
        if best.distance <= tolerance.max(deepest) {
            return Penetration { depth: best.distance.max(0.0), normal: best.direction };
        }
        let distance = depth_along(normal);
        if distance < best.distance {
            best = Reach { direction: normal, distance };
        }
    }
    if best.distance <= deepest {
        return Penetration { depth: best.distance.max(0.0), normal: best.direction };
    }
    let farthest = |way: DVec3| b.farthest(way) - a.farthest(-way) - shift;
    let precise = |depth: f64| (1e-2 * depth).max(10.0 * tolerance);
    let best = least_reach(farthest, best, precise);
    let best = Penetration { depth: best.distance, normal: best.direction };
    let best = from_outside(best, a, shift, b, &depth_along);
    Penetration { depth: best.depth.max(0.0), ..best }
}

/// Moves the two a little apart and asks for the normal there: for bodies that just touch it is the
/// normal of the contact, more exact than any search.
fn from_outside(
    start: Penetration,
    a: &Convex,
    shift: DVec3,
    b: &Convex,
    depth_along: &impl Fn(DVec3) -> f64,
) -> Penetration {
    let mut best = start;
    let room = 1e-3 * tolerance_of(a, b) / PRECISION;
    for _ in 0..3 {
        let out = shift + best.normal * (best.depth.max(0.0) + room);
        let Some(apart) = separation(&a.core, out, &b.core, tolerance_of(a, b)) else { break };
        let depth = depth_along(apart.normal);
        if depth >= best.depth {
            break;
        }
        best = Penetration { depth, normal: apart.normal };
    }
    best
}

/// Directions worth a look, the likeliest first: axes and faces of both, what is perpendicular to an
/// axis of each, and what leads from the one's middle to the other's.
fn candidates(a: &Convex, shift: DVec3, b: &Convex) -> impl Iterator<Item = DVec3> {
    let (own, other) = (a.core.axes(), b.core.axes());
    let (center_a, center_b) = (a.core.center() + shift, b.core.center());
    let between = (center_a - center_b).try_normalize();
    let plain: Vec<DVec3> =
        DVec3::AXES.iter().chain(&own).chain(&other).chain(&between).copied().collect();
    let pairs = own.clone().into_iter().flat_map(move |axis| {
        let cross = |other: &DVec3| axis.cross(*other).try_normalize();
        other.iter().filter_map(cross).collect::<Vec<_>>()
    });
    let axes = own.into_iter().chain(b.core.axes());
    let towards = axes.filter_map(move |axis| {
        let between = between?;
        (between - axis * between.dot(axis)).try_normalize()
    });
    plain.into_iter().chain(pairs).chain(towards).flat_map(|way| [way, -way])
}
