//! Boxes with round edges and corners.

use crate::bounds::Aabb;
use crate::read::properties;
use crate::values::{Dimensions, Length, Point, Rotation};
use crate::vector::{Vector, rotation_matrix};

properties! {
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
            reader.fault(&format!(
                "'radius' of the edges must be at most half the shortest of 'dimensions' ({half}), got {}",
                self.radius.get()
            ));
        }
    }
}

impl RoundedBox {
    /// The half edges of the box inside: everything within the radius of it is the rounded box.
    pub fn inner_half(&self) -> [f64; 3] {
        self.dimensions.get().map(|edge| (0.5 * edge - self.radius.get()).max(0.0))
    }

    pub(crate) fn bounds(&self) -> Aabb {
        let inner = Vector(self.inner_half());
        let reach = rotation_matrix(self.rotation.get())
            .map(|row| Vector(row.map(f64::abs)).dot(inner) + self.radius.get());
        Aabb::around(self.center.get(), reach)
    }
}
