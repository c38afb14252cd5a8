//! Orthonormal frames around a normal.

use glam::Vec3A;

/// A right-handed orthonormal frame whose z axis is a given unit vector.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    x: Vec3A,
    y: Vec3A,
    z: Vec3A,
}

impl Frame {
    /// The frame around the unit vector `z`.
    /// Duff et al. 2017, "Building an Orthonormal Basis, Revisited".
    pub(crate) fn around(z: Vec3A) -> Self {
        let sign = 1.0_f32.copysign(z.z);
        let a = -1.0 / (sign + z.z);
        let b = z.x * z.y * a;
        Self {
            x: Vec3A::new(1.0 + sign * z.x * z.x * a, sign * b, -sign * z.x),
            y: Vec3A::new(b, sign + z.y * z.y * a, -z.y),
            z,
        }
    }

    /// The frame around the unit vector `z` whose y axis is horizontal, so that x points up or down
    /// along the surface; on a horizontal surface, y is the world's x axis.
    #[inline(never)]
    pub(crate) fn across_level(z: Vec3A) -> Self {
        let level = Vec3A::Y.cross(z).try_normalize().unwrap_or(Vec3A::X);
        let y = (level - z * z.dot(level)).normalize();
        Self { x: y.cross(z), y, z }
    }

    /// From the frame to the world.
    pub(crate) fn to_world(self, local: Vec3A) -> Vec3A {
        self.x * local.x + self.y * local.y + self.z * local.z
    }

    /// From the world to the frame.
    pub(crate) fn to_local(self, world: Vec3A) -> Vec3A {
        Vec3A::new(self.x.dot(world), self.y.dot(world), self.z.dot(world))
    }
}
