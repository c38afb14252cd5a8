//! Rounded boxes.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{Motion, MotionError};
use crate::document::movable::{MovableProperties, movable};
use crate::document::stretch::Stretch;
use crate::values::{Dimensions, Length, Point, Rotation};
use crate::vector::{Vector, rotation_matrix};

movable! {
    /// A box whose edges and corners are rounded, turned about its centre.
    pub struct RoundedBox {
        /// The centre.
        pub center: Point,
        /// Full edge lengths [w, h, d] along x, y, z before the rotation, the rounding included.
        pub dimensions: Dimensions,
        /// Radius of the edges; at most half the shortest dimension.
        pub radius: Length,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
    }
    check(self, reader) {
        let half = 0.5 * self.dimensions.get().into_iter().fold(f64::INFINITY, f64::min);
        if self.radius.get() > half {
            reader.error(&format!(
                "'radius' of the edges must be at most half the shortest of 'dimensions' ({half}), got {}",
                self.radius.get()
            ));
        }
    }
}

impl RoundedBox {
    fn within_its_sides(self) -> Result<Self, MotionError> {
        let half = 0.5 * self.dimensions.get().into_iter().fold(f64::INFINITY, f64::min);
        let radius = Length::new(self.radius.get().min(half)).ok_or(MotionError::OutOfRange)?;
        Ok(Self { radius, ..self })
    }

    /// The half size of the inner box: the rounded box is everything within the radius of it.
    pub fn inner_half(&self) -> [f64; 3] {
        self.dimensions.get().map(|edge| (0.5 * edge - self.radius.get()).max(0.0))
    }
}

impl ShapeKind for RoundedBox {
    const LABEL: &'static str = "Rounded box";
    const ICON: &'static str = "box";
    const FRAME: Frame = Frame::Cuboid;
    const HAS_FLAT_TOP: bool = true;

    fn sample() -> Option<Self> {
        Some(Self {
            center: Point::ORIGIN,
            dimensions: Dimensions::known([2.0; 3]),
            radius: Length::known(0.3),
            rotation: Rotation::NONE,
        })
    }

    fn bounds(&self) -> Option<Aabb> {
        let inner = Vector(self.inner_half());
        let reach = rotation_matrix(self.rotation.get())
            .map(|row| Vector(row.map(f64::abs)).dot(inner) + self.radius.get());
        Some(Aabb::around(self.center.get(), reach))
    }

    fn is_solid(&self) -> bool {
        true
    }

    /// Rounding must not make the radius larger than half a side.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        self.properties_moved(motion)?.within_its_sides()
    }

    /// The edges keep their radius as far as possible.
    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        let stretched = Self {
            center: stretch.own_point(self.center, self.rotation)?,
            dimensions: stretch.dimensions(self.dimensions)?,
            ..self.clone()
        };
        stretched.within_its_sides().map(Some)
    }
}
