//! Parallelograms.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::MotionError;
use crate::document::movable::movable;
use crate::document::stretch::Stretch;
use crate::values::{Displacement, Point};
use crate::vector::Vector;

movable! {
    /// A parallelogram `corner + a u + b v`, a and b in 0..1. Visible from both sides.
    pub struct Quad {
        /// One corner.
        pub corner: Point,
        /// The edge from the corner to the next.
        pub u: Displacement,
        /// The edge from the corner to the one before.
        pub v: Displacement,
    }
    check(self, reader) {
        if spanned_normal(self.u, self.v).is_none() {
            reader.error("'u' and 'v' must not be parallel or zero: they span the area");
        }
    }
}

impl ShapeKind for Quad {
    const LABEL: &'static str = "Plane";
    const ICON: &'static str = "square";
    const FRAME: Frame = Frame::Parallelogram;
    const HAS_FLAT_TOP: bool = true;

    fn sample() -> Option<Self> {
        Some(Self {
            corner: Point::known([-1.0, 0.0, 1.0]),
            u: Displacement::known([2.0, 0.0, 0.0]),
            v: Displacement::known([0.0, 0.0, -2.0]),
        })
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb::around_parallelogram(self.corner, self.u, self.v))
    }

    /// Along the world axes, since it has no axes of its own.
    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        let edge = |edge: Displacement| {
            Displacement::new(stretch.lengths(edge.get())).ok_or(MotionError::OutOfRange)
        };
        Ok(Some(Self {
            corner: Point::new(stretch.world_point(self.corner.get()))
                .ok_or(MotionError::OutOfRange)?,
            u: edge(self.u)?,
            v: edge(self.v)?,
        }))
    }
}

/// The unit normal of the parallelogram `u`, `v`; `None` if it has no area.
pub(crate) fn spanned_normal(u: Displacement, v: Displacement) -> Option<Vector> {
    let (u, v) = (Vector(u.get()), Vector(v.get()));
    let cross = u.cross(v);
    (cross.length() > 1e-9 * u.length() * v.length() && cross.length() > 0.0)
        .then(|| cross * (1.0 / cross.length()))
}
