//! Boxes.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::MotionError;
use crate::document::movable::movable;
use crate::document::stretch::Stretch;
use crate::values::{Dimensions, Point, Rotation};

movable! {
    /// A cuboid, turned about its centre.
    pub struct Box {
        /// The centre.
        pub center: Point,
        /// Full edge lengths [w, h, d] along x, y, z before the rotation.
        pub dimensions: Dimensions,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
    }
}

impl ShapeKind for Box {
    const LABEL: &'static str = "Box";
    const ICON: &'static str = "box";
    const FRAME: Frame = Frame::Cuboid;
    const HAS_FLAT_TOP: bool = true;
    const SIZES: Option<&'static str> = Some("dimensions");

    fn sample() -> Option<Self> {
        let dimensions = Dimensions::known([2.0; 3]);
        Some(Self { center: Point::ORIGIN, dimensions, rotation: Rotation::NONE })
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb::around_cuboid(self.center, self.dimensions, self.rotation))
    }

    fn is_solid(&self) -> bool {
        true
    }

    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        Ok(Some(Self {
            center: stretch.own_point(self.center, self.rotation)?,
            dimensions: stretch.dimensions(self.dimensions)?,
            rotation: self.rotation,
        }))
    }
}
