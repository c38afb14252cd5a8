//! How far a solid can move until it meets another.

use glam::DVec3;

use super::convex::Convex;
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
        let mut nearest = Cast::Never;
        for part in &self.parts {
            for other_part in &other.parts {
                nearest = match (cast(part, shift, direction, other_part, gap), nearest) {
                    (Cast::Meets, _) => return Cast::Meets,
                    (Cast::After(one), Cast::After(other)) => Cast::After(one.min(other)),
                    (Cast::After(way), _) => Cast::After(way),
                    (Cast::Never, nearest) => nearest,
                };
            }
        }
        nearest
    }
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
