//! Axis-aligned boxes in world space.

use serde::Serialize;

use crate::values::{Dimensions, Displacement, Point, Rotation};
use crate::vector::{Vector, rotation_matrix};

/// An axis-aligned box, in metres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Aabb {
    /// The smallest corner.
    pub min: [f64; 3],
    /// The largest corner.
    pub max: [f64; 3],
}

impl Aabb {
    /// The box of `reach` to both sides of `center` on each axis.
    pub fn around(center: [f64; 3], reach: [f64; 3]) -> Self {
        Self { min: (Vector(center) - Vector(reach)).0, max: (Vector(center) + Vector(reach)).0 }
    }

    pub(crate) fn around_ball(center: [f64; 3], radius: f64) -> Self {
        Self::around(center, [radius; 3])
    }

    /// The box of a disc with a normal of any length: its half extent on each axis is r sqrt(1 -
    /// n^2).
    pub(crate) fn around_disc(center: Point, normal: Vector, radius: f64) -> Self {
        let unit = normal * (1.0 / normal.length());
        Self::around(
            center.get(),
            unit.0.map(|component| radius * (1.0 - component * component).max(0.0).sqrt()),
        )
    }

    /// The box of a cuboid that is rotated about its centre.
    pub(crate) fn around_cuboid(center: Point, edges: Dimensions, rotation: Rotation) -> Self {
        let half = Vector(edges.get()) * 0.5;
        let rows = rotation_matrix(rotation.get());
        let reach = rows.map(|row| row.map(f64::abs)).map(|row| Vector(row).dot(half));
        Self::around(center.get(), reach)
    }

    pub(crate) fn around_parallelogram(corner: Point, u: Displacement, v: Displacement) -> Self {
        let (corner, u, v) = (Vector(corner.get()), Vector(u.get()), Vector(v.get()));
        [corner, corner + u, corner + v, corner + u + v]
            .map(|point| Self { min: point.0, max: point.0 })
            .into_iter()
            .reduce(Self::union)
            .unwrap_or(Self { min: corner.0, max: corner.0 })
    }

    /// The smallest box that contains both.
    pub fn union(self, other: Self) -> Self {
        let pick = |a: [f64; 3], b: [f64; 3], choose: fn(f64, f64) -> f64| {
            [choose(a[0], b[0]), choose(a[1], b[1]), choose(a[2], b[2])]
        };
        Self { min: pick(self.min, other.min, f64::min), max: pick(self.max, other.max, f64::max) }
    }

    /// The centre.
    pub fn center(self) -> [f64; 3] {
        ((Vector(self.min) + Vector(self.max)) * 0.5).0
    }

    /// Full edge lengths.
    pub fn size(self) -> [f64; 3] {
        (Vector(self.max) - Vector(self.min)).0
    }
}
