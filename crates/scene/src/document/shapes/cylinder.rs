//! Cylinders.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{MotionError, tidied};
use crate::document::movable::movable;
use crate::document::stretch::Stretch;
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

    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        let ends = [self.base_center, self.top_center];
        let Some(across) = factor_across(ends, stretch) else { return Ok(None) };
        let [base_center, top_center] = stretched_ends(ends, stretch)?;
        let radius =
            Length::new(tidied(self.radius.get() * across)).ok_or(MotionError::OutOfRange)?;
        Ok(Some(Self { base_center, top_center, radius, ..self.clone() }))
    }
}

/// The factor across an axis along one of the world's, where the factors keep what is around it round.
pub(super) fn factor_across([base, top]: [Point; 2], stretch: &Stretch) -> Option<f64> {
    let way = (Vector(top.get()) - Vector(base.get())).0.map(f64::abs);
    let along = (0..3).max_by(|one, other| way[*one].total_cmp(&way[*other]))?;
    let [one, other] = [(along + 1) % 3, (along + 2) % 3];
    let is_along = way[one].max(way[other]) <= 1e-9 * way[along];
    let factors = stretch.factors;
    let is_even = (factors[one] - factors[other]).abs() <= 1e-9 * factors[one];
    (is_along && is_even).then_some(factors[one])
}

pub(super) fn stretched_ends(
    ends: [Point; 2],
    stretch: &Stretch,
) -> Result<[Point; 2], MotionError> {
    let [base, top] = ends.map(|end| Point::new(stretch.world_point(end.get())));
    base.zip(top).map(|(base, top)| [base, top]).ok_or(MotionError::OutOfRange)
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
