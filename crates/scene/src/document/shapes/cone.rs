//! Cones.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{MotionError, tidied};
use crate::document::movable::movable;
use crate::document::stretch::Stretch;
use crate::values::{LengthOrZero, Point, SideCount};

use super::cylinder::{around_ends, check_axis, factor_across, stretched_ends};

movable! {
    /// A cone, either way up, or a frustum when both radii are above 0.
    pub struct Cone {
        /// Centre of the one end.
        pub base_center: Point,
        /// Radius there; 0 = pointed.
        pub base_radius: LengthOrZero,
        /// Centre of the other end.
        pub top_center: Point,
        /// Radius there; 0 = pointed.
        pub top_radius: LengthOrZero,
        /// Whether the ends are closed by discs.
        pub capped: bool,
        /// Makes it of so many flat sides around, 3 to 64: low-poly looks. Its edges lie on the round shape.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub sides: Option<SideCount> = None,
    }
    check(self, reader) {
        check_axis(self.base_center, self.top_center, reader);
        if self.base_radius.get() == 0.0 && self.top_radius.get() == 0.0 {
            reader.error("'base_radius' and 'top_radius' must not both be 0");
        }
    }
}

impl Cone {
    /// The centres of its ends, the wide one first, and their radii.
    pub fn ends(&self) -> ([[f64; 3]; 2], [f64; 2]) {
        let centers = [self.base_center.get(), self.top_center.get()];
        let radii = [self.base_radius.get(), self.top_radius.get()];
        match radii[0] >= radii[1] {
            true => (centers, radii),
            false => ([centers[1], centers[0]], [radii[1], radii[0]]),
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
            base_radius: LengthOrZero::known(1.0),
            top_center: Point::known([0.0, 1.0, 0.0]),
            top_radius: LengthOrZero::known(0.0),
            capped: true,
            sides: None,
        })
    }

    fn bounds(&self) -> Option<Aabb> {
        let radii = [self.base_radius.get(), self.top_radius.get()];
        Some(around_ends([self.base_center, self.top_center], radii))
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
        let radius = |radius: LengthOrZero| {
            LengthOrZero::new(tidied(radius.get() * across)).ok_or(MotionError::OutOfRange)
        };
        let (base_radius, top_radius) = (radius(self.base_radius)?, radius(self.top_radius)?);
        Ok(Some(Self { base_center, top_center, base_radius, top_radius, ..self.clone() }))
    }
}
