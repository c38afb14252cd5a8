//! Spheres.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::movable::movable;
use crate::values::{Length, Point, SideCount};

movable! {
    /// A ball.
    pub struct Sphere {
        /// The centre.
        pub center: Point,
        /// The radius.
        pub radius: Length,
        /// Makes it of so many flat sides around, 3 to 64: low-poly looks. Its edges lie on the round shape.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub sides: Option<SideCount> = None,
    }
}

impl ShapeKind for Sphere {
    const LABEL: &'static str = "Sphere";
    const ICON: &'static str = "sphere";
    const FRAME: Frame = Frame::Ball;

    fn sample() -> Option<Self> {
        Some(Self { center: Point::ORIGIN, radius: Length::known(1.0), sides: None })
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb::around_ball(self.center.get(), self.radius.get()))
    }

    fn is_solid(&self) -> bool {
        true
    }

    fn sides(&self) -> Option<SideCount> {
        self.sides
    }
}
