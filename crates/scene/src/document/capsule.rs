//! Capsules.

use crate::bounds::Aabb;
use crate::read::properties;
use crate::values::{Length, Point};
use crate::vector::Vector;

properties! {
    /// A cylinder closed by half balls: all points within the radius of a straight line.
    pub struct Capsule {
        /// One end of the line inside, the centre of a half ball.
        pub start: Point,
        /// The other end.
        pub end: Point,
        /// The radius.
        pub radius: Length,
    }
    check(self, reader) {
        if (Vector(self.end.get()) - Vector(self.start.get())).length() < 1e-9 {
            reader.fault("'start' and 'end' must be different points; for a ball use a sphere");
        }
    }
}

impl Capsule {
    pub(crate) fn bounds(&self) -> Aabb {
        let around = |end: Point| Aabb::around_ball(end.get(), self.radius.get());
        around(self.start).union(around(self.end))
    }
}
