//! Ellipsoids.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::MotionError;
use crate::document::movable::movable;
use crate::document::stretch::Stretch;
use crate::values::{Point, Radii, Rotation, SideCount};
use crate::vector::{Vector, rotation_matrix};

movable! {
    /// A ball stretched along its own axes, turned about its centre.
    pub struct Ellipsoid {
        /// The centre.
        pub center: Point,
        /// Half its extent along its own x, y and z.
        pub radii: Radii,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
        /// Makes it of so many flat sides around, 3 to 64: low-poly looks. Its edges lie on the round shape.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub sides: Option<SideCount> = None,
    }
}

impl ShapeKind for Ellipsoid {
    const LABEL: &'static str = "Ellipsoid";
    const ICON: &'static str = "sphere";
    const FRAME: Frame = Frame::Ellipsoid;
    const SIZES: Option<&'static str> = Some("radii");

    fn sample() -> Option<Self> {
        let radii = Radii::known([1.0, 0.6, 0.6]);
        Some(Self { center: Point::ORIGIN, radii, rotation: Rotation::NONE, sides: None })
    }

    /// The half extent along each world axis is the root of the sum of the squared components of
    /// the half axes.
    fn bounds(&self) -> Option<Aabb> {
        let radii = self.radii.get();
        let reach = rotation_matrix(self.rotation.get())
            .map(|row| Vector([0, 1, 2].map(|axis| row[axis] * radii[axis])).length());
        Some(Aabb::around(self.center.get(), reach))
    }

    fn is_solid(&self) -> bool {
        true
    }

    fn sides(&self) -> Option<SideCount> {
        self.sides
    }

    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        Ok(Some(Self {
            center: stretch.own_point(self.center, self.rotation)?,
            radii: Radii::new(stretch.lengths(self.radii.get())).ok_or(MotionError::OutOfRange)?,
            ..self.clone()
        }))
    }
}
