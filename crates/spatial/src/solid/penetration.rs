//! How deep two convex bodies that meet reach into each other.

use glam::DVec3;

use super::convex::Convex;
use super::gjk::{separation, separation_by};
use super::{PRECISION, tolerance_of};

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
/// its minimum over all directions. Axes and faces of both, and the direction in which shrunken
/// copies lie apart, are tried; the best three are followed downhill. What comes out always takes
/// them apart; between round bodies that reach deep into each other there may be a shorter way.
pub(crate) fn penetration(a: &Convex, shift: DVec3, b: &Convex) -> Penetration {
    let depth_along = |normal: DVec3| b.reach(normal) + a.reach(-normal) - shift.dot(normal);
    let mut tried: Vec<Penetration> = candidates(a, shift, b)
        .into_iter()
        .map(|normal| Penetration { depth: depth_along(normal), normal })
        .collect();
    tried.sort_by(|one, other| one.depth.total_cmp(&other.depth));
    tried.dedup_by(|one, other| one.normal.dot(other.normal) > 0.999_999);
    tried.truncate(3);
    let best = tried
        .into_iter()
        .map(|start| downhill(start, &depth_along))
        .reduce(|one, other| if other.depth < one.depth { other } else { one });
    let best = best.unwrap_or(Penetration { depth: depth_along(DVec3::Y), normal: DVec3::Y });
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

fn candidates(a: &Convex, shift: DVec3, b: &Convex) -> Vec<DVec3> {
    let (own, other) = (a.core.axes(), b.core.axes());
    let (center_a, center_b) = (a.core.center() + shift, b.core.center());
    let between = (center_a - center_b).try_normalize();
    let mut directions: Vec<DVec3> = DVec3::AXES.to_vec();
    directions.extend(own.iter().chain(&other).chain(&between));
    for axis in &own {
        directions.extend(other.iter().filter_map(|other| axis.cross(*other).try_normalize()));
        directions.extend(between.and_then(|way| (way - *axis * way.dot(*axis)).try_normalize()));
    }
    for axis in &other {
        directions.extend(between.and_then(|way| (way - *axis * way.dot(*axis)).try_normalize()));
    }
    let mut both: Vec<DVec3> = directions.into_iter().flat_map(|way| [way, -way]).collect();
    for share in [0.999, 0.97, 0.8, 0.4] {
        let shrunk = |center: DVec3, point: DVec3| center + (point - center) * share;
        let apart = separation_by(
            |way| shrunk(center_a, a.core.support(way) + shift),
            |way| shrunk(center_b, b.core.support(way)),
            center_a - center_b,
            1e-9,
        );
        if let Some(apart) = apart {
            both.push(apart.normal);
            break;
        }
    }
    both
}

/// Steps aside in eight directions, half as far whenever none is better.
fn downhill(start: Penetration, depth_along: &impl Fn(DVec3) -> f64) -> Penetration {
    let mut best = start;
    let mut step = 0.3;
    while step > 1e-7 {
        let (right, up) = best.normal.any_orthonormal_pair();
        let better = (0..8).find_map(|at| {
            let angle = f64::from(at) * std::f64::consts::FRAC_PI_4;
            let aside = right * angle.cos() + up * angle.sin();
            let normal = (best.normal + aside * step).normalize();
            let depth = depth_along(normal);
            (depth < best.depth).then_some(Penetration { depth, normal })
        });
        match better {
            Some(better) => best = better,
            None => step *= 0.5,
        }
    }
    best
}
