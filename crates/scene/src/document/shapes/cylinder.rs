//! Cylinders.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::movable::movable;
use crate::read::ObjectReader;
use crate::values::{Length, Point, SideCount};
use crate::vector::Vector;

movable! {
    /// A round cylinder.
    pub struct Cylinder {
        /// Centre of the lower end.
        pub base_center: Point,
        /// Centre of the upper end.
        pub top_center: Point,
        /// The radius.
        pub radius: Length,
        /// Whether both ends are closed by discs.
        pub capped: bool,
        /// Makes it of so many flat sides around, 3 to 64: low-poly looks. Its edges lie on the round shape.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub sides: Option<SideCount> = None,
    }
    check(self, reader) {
        check_axis(self.base_center, self.top_center, reader);
    }
}

impl ShapeKind for Cylinder {
    const LABEL: &'static str = "Cylinder";
    const ICON: &'static str = "cylinder";
    const FRAME: Frame = Frame::Cylinder;
    const HAS_FLAT_TOP: bool = true;

    fn sample() -> Option<Self> {
        Some(Self {
            base_center: Point::known([0.0, -1.0, 0.0]),
            top_center: Point::known([0.0, 1.0, 0.0]),
            radius: Length::known(1.0),
            capped: true,
            sides: None,
        })
    }

    fn bounds(&self) -> Option<Aabb> {
        let radius = self.radius.get();
        Some(around_ends([self.base_center, self.top_center], [radius, radius]))
    }

    fn is_solid(&self) -> bool {
        self.capped
    }

    fn sides(&self) -> Option<SideCount> {
        self.sides
    }
}

/// Checks that the ends of an axis differ.
pub(super) fn check_axis(base: Point, top: Point, reader: &mut ObjectReader<'_>) {
    if (Vector(top.get()) - Vector(base.get())).length() < 1e-9 {
        reader.error("'base_center' and 'top_center' must be different points");
    }
}

/// The bounding box of the discs at both ends of an axis.
pub(super) fn around_ends([base, top]: [Point; 2], [base_radius, top_radius]: [f64; 2]) -> Aabb {
    let axis = Vector(top.get()) - Vector(base.get());
    Aabb::around_disc(base, axis, base_radius).union(Aabb::around_disc(top, axis, top_radius))
}
