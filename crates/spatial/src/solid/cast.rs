//! How far a solid can move until it meets another.

use glam::DVec3;

use super::convex::Convex;
use super::extent::Extent;
use super::gjk::separation;
use super::{Solid, tolerance_of};

/// Steps towards a contact; each is as long as surely fits, so few are needed.
const MAX_STEPS: usize = 200;

/// How a movement ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cast {
    /// They meet already, or are nearer than the gap, and the movement leads on into it.
    Meets,
    /// After this way, in metres, the gap is reached, and not undershot.
    After(f64),
    /// They never come so near, or the movement only takes them apart.
    Never,
}

impl Solid {
    /// How far this one, moved by `shift`, can go along the unit vector `direction` until it is `gap`
    /// metres from `other`. The gap that is left exceeds the one asked for by less than a micrometre
    /// a metre of size.
    pub fn cast(&self, shift: DVec3, direction: DVec3, other: &Self, gap: f64) -> Cast {
        // The pairs whose boxes meet first come first: most of the others are too far to matter.
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for (at, extent) in self.extents.iter().enumerate() {
            let extent = extent.moved(shift);
            let met = other.extents.iter().enumerate().filter_map(|(other_at, other)| {
                Some((boxes_meet(extent, direction, *other, gap)?, at, other_at))
            });
            pairs.extend(met);
        }
        pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut nearest = Cast::Never;
        for (earliest, at, other_at) in pairs {
            if matches!(nearest, Cast::After(way) if way < earliest) {
                break;
            }
            let found = cast(&self.parts[at], shift, direction, &other.parts[other_at], gap);
            nearest = match (found, nearest) {
                (Cast::Meets, _) => return Cast::Meets,
                (Cast::After(one), Cast::After(other)) => Cast::After(one.min(other)),
                (Cast::After(way), _) => Cast::After(way),
                (Cast::Never, nearest) => nearest,
            };
        }
        nearest
    }
}

/// After which way a box that moves along a unit vector comes within `gap` of another, at the earliest;
/// `None` when it never does.
fn boxes_meet(own: Extent, direction: DVec3, other: Extent, gap: f64) -> Option<f64> {
    let slack = gap + 1e-6 * (1.0 + own.size().max_element() + other.size().max_element());
    let (mut from, mut to) = (0.0_f64, f64::INFINITY);
    for axis in 0..3 {
        let near = other.min[axis] - slack - own.max[axis];
        let far = other.max[axis] + slack - own.min[axis];
        let speed = direction[axis];
        if speed.abs() < 1e-12 {
            if near > 0.0 || far < 0.0 {
                return None;
            }
            continue;
        }
        let (enter, leave) = (near / speed, far / speed);
        from = from.max(enter.min(leave));
        to = to.min(enter.max(leave));
    }
    (from <= to).then_some(from)
}

/// Conservative advancement (Mirtich 1996): the lower bound of the distance holds for the plane
/// between the nearest points, so the way to that plane is free.
fn cast(a: &Convex, shift: DVec3, direction: DVec3, b: &Convex, gap: f64) -> Cast {
    let precision = tolerance_of(a, b);
    let skin = a.margin + b.margin + gap;
    let mut way = 0.0;
    for _ in 0..MAX_STEPS {
        let apart = separation(&a.core, shift + direction * way, &b.core, precision);
        let touch = if way == 0.0 { Cast::Meets } else { Cast::After(way) };
        let Some(apart) = apart else { return touch };
        let speed = -direction.dot(apart.normal);
        if speed <= 1e-9 {
            return Cast::Never;
        }
        if apart.upper <= skin {
            return touch;
        }
        // The room up to a plane between the two, perpendicular to the line of the nearest points.
        let reach = b.core.support(apart.normal).dot(apart.normal);
        let own = a.core.support(-apart.normal) + shift + direction * way;
        let free = own.dot(apart.normal) - reach - skin;
        if apart.upper - skin <= 4.0 * precision {
            return Cast::After(way);
        }
        way += free.max(precision) / speed;
    }
    Cast::After(way)
}
