//! Discs.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::movable::movable;
use crate::values::{Direction, Length, Point};
use crate::vector::Vector;

movable! {
    /// A flat disc. Visible from both sides.
    pub struct Disc {
        /// The centre.
        pub center: Point,
        /// The direction it faces, of any length.
        pub normal: Direction,
        /// The radius.
        pub radius: Length,
    }
}

impl ShapeKind for Disc {
    const LABEL: &'static str = "Disc";
    const ICON: &'static str = "disc";
    const FRAME: Frame = Frame::Disc;
    const HAS_FLAT_TOP: bool = true;

    fn sample() -> Option<Self> {
        Some(Self { center: Point::ORIGIN, normal: Direction::UP, radius: Length::known(1.0) })
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb::around_disc(self.center, Vector(self.normal.get()), self.radius.get()))
    }
}
