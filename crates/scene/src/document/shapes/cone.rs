//! Cones.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::movable::movable;
use crate::values::{Length, LengthOrZero, Point};

use super::cylinder::{around_ends, check_axis};

movable! {
    /// A cone, or a frustum when the top radius is above 0.
    pub struct Cone {
        /// Centre of the wide end.
        pub base_center: Point,
        /// Radius of the wide end.
        pub base_radius: Length,
        /// Centre of the narrow end: the tip when top_radius is 0.
        pub top_center: Point,
        /// Radius of the narrow end; 0 = pointed; below base_radius.
        pub top_radius: LengthOrZero,
        /// Whether the ends are closed by discs.
        pub capped: bool,
    }
    check(self, reader) {
        check_axis(self.base_center, self.top_center, reader);
        if self.top_radius.get() >= self.base_radius.get() {
            reader.error(&format!(
                "'top_radius' must be below 'base_radius' ({}), got {}; swap the ends, or use a cylinder",
                self.base_radius.get(), self.top_radius.get()
            ));
        }
    }
}

impl ShapeKind for Cone {
    const LABEL: &'static str = "Cone";
    const ICON: &'static str = "cone";
    const FRAME: Frame = Frame::Cone;

    fn sample() -> Option<Self> {
        Some(Self {
            base_center: Point::known([0.0, -1.0, 0.0]),
            base_radius: Length::known(1.0),
            top_center: Point::known([0.0, 1.0, 0.0]),
            top_radius: LengthOrZero::known(0.0),
            capped: true,
        })
    }

    fn bounds(&self) -> Option<Aabb> {
        let radii = [self.base_radius.get(), self.top_radius.get()];
        Some(around_ends([self.base_center, self.top_center], radii))
    }

    fn is_solid(&self) -> bool {
        self.capped
    }
}
