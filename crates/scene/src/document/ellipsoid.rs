//! Balls with three radii.

use crate::bounds::Aabb;
use crate::read::properties;
use crate::values::{Point, Radii, Rotation};
use crate::vector::{Vector, rotation_matrix};

properties! {
    /// A ball stretched along its own axes, turned about its centre.
    pub struct Ellipsoid {
        /// The centre.
        pub center: Point,
        /// Half its extent along its own x, y and z.
        pub radii: Radii,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
    }
}

impl Ellipsoid {
    /// Along each axis of the world it reaches as far as its three half axes together, at right
    /// angles.
    pub(crate) fn bounds(&self) -> Aabb {
        let radii = self.radii.get();
        let reach = rotation_matrix(self.rotation.get())
            .map(|row| Vector([0, 1, 2].map(|axis| row[axis] * radii[axis])).length());
        Aabb::around(self.center.get(), reach)
    }
}
