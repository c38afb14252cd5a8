//! Boxes.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{Motion, MotionError};
use crate::document::movable::{MovableProperties, movable};
use crate::document::stretch::Stretch;
use crate::values::{Dimensions, Length, Point, Rotation};

movable! {
    /// A cuboid, turned about its centre.
    pub struct Box {
        /// The centre.
        pub center: Point,
        /// Full edge lengths [w, h, d] along x, y, z before the rotation.
        pub dimensions: Dimensions,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
        /// Cuts the edges off at 45 degrees, so far from each; they catch the light.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub bevel: Option<Length> = None,
    }
    check(self, reader) {
        if let Some(bevel) = self.bevel && bevel.get() >= self.max_bevel() {
            reader.error(&format!(
                "'bevel' must be below half the shortest of 'dimensions' ({}), got {}",
                self.max_bevel(), bevel.get()
            ));
        }
    }
}

impl Box {
    fn max_bevel(&self) -> f64 {
        0.5 * self.dimensions.get().into_iter().fold(f64::INFINITY, f64::min)
    }

    /// A bevel that rounding or scaling made too wide gets as wide as possible.
    fn within_its_sides(self) -> Result<Self, MotionError> {
        let widest = 0.99 * self.max_bevel();
        let bevel = self
            .bevel
            .map(|bevel| Length::new(bevel.get().min(widest)).ok_or(MotionError::OutOfRange));
        Ok(Self { bevel: bevel.transpose()?, ..self })
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
        Some(Self { center: Point::ORIGIN, dimensions, rotation: Rotation::NONE, bevel: None })
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb::around_cuboid(self.center, self.dimensions, self.rotation))
    }

    fn is_solid(&self) -> bool {
        true
    }

    fn bevel(&self) -> Option<Length> {
        self.bevel
    }

    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        self.properties_moved(motion)?.within_its_sides()
    }

    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        let stretched = Self {
            center: stretch.own_point(self.center, self.rotation)?,
            dimensions: stretch.dimensions(self.dimensions)?,
            ..self.clone()
        };
        stretched.within_its_sides().map(Some)
    }
}
