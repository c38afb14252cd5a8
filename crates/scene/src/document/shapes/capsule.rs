//! Capsules.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::movable::movable;
use crate::values::{Length, Point, SideCount};
use crate::vector::Vector;

movable! {
    /// A cylinder closed by half balls: all points within the radius of a straight line.
    pub struct Capsule {
        /// One end of the line inside, the centre of a half ball.
        pub start: Point,
        /// The other end.
        pub end: Point,
        /// The radius.
        pub radius: Length,
        /// Makes it of so many flat sides around, 3 to 64: low-poly looks. Its edges lie on the round shape.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub sides: Option<SideCount> = None,
    }
    check(self, reader) {
        if (Vector(self.end.get()) - Vector(self.start.get())).length() < 1e-9 {
            reader.error("'start' and 'end' must be different points; for a ball use a sphere");
        }
    }
}

impl ShapeKind for Capsule {
    const LABEL: &'static str = "Capsule";
    const ICON: &'static str = "pill";
    const FRAME: Frame = Frame::Capsule;

    fn sample() -> Option<Self> {
        Some(Self {
            start: Point::known([0.0, -0.5, 0.0]),
            end: Point::known([0.0, 0.5, 0.0]),
            radius: Length::known(0.5),
            sides: None,
        })
    }

    fn bounds(&self) -> Option<Aabb> {
        let around = |end: Point| Aabb::around_ball(end.get(), self.radius.get());
        Some(around(self.start).union(around(self.end)))
    }

    fn is_solid(&self) -> bool {
        true
    }

    fn sides(&self) -> Option<SideCount> {
        self.sides
    }
}
