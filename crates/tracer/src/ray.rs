//! Rays, with robust origins on surfaces.

use glam::Vec3A;

/// The largest relative rounding error of one operation: half the distance from 1 to the next
/// number.
pub(crate) const ROUNDING: f32 = f32::EPSILON * 0.5;

/// The number of rays that are followed side by side.
pub(crate) const LANES: usize = 16;

/// A ray.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ray {
    pub(crate) origin: Vec3A,
    /// Of unit length in world space.
    pub(crate) direction: Vec3A,
}

impl Ray {
    /// A ray along `direction`, which is a unit vector in the world.
    pub(crate) fn new(origin: Vec3A, direction: Vec3A) -> Self {
        Self { origin, direction }
    }

    /// The reciprocal of each component of the direction, always finite.
    pub(crate) fn inverse(&self) -> Vec3A {
        finite_inverse(self.direction)
    }

    /// The ray from `start` to `end` and the distance between them; `None` for points at the same position.
    pub(crate) fn between(start: Vec3A, end: Vec3A) -> Option<(Self, f32)> {
        let way = end - start;
        let distance = way.length();
        (distance > 0.0).then(|| (Self::new(start, way / distance), distance))
    }

    /// The point at `distance`.
    pub(crate) fn at(&self, distance: f32) -> Vec3A {
        self.origin + self.direction * distance
    }
}

/// The reciprocal of each component, with components near 0 moved away from it, so that slab tests
/// never multiply 0 by infinity.
pub(crate) fn finite_inverse(direction: Vec3A) -> Vec3A {
    let smallest = Vec3A::splat(1e-20);
    let safe = Vec3A::select(
        direction.abs().cmplt(smallest),
        Vec3A::select(direction.cmplt(Vec3A::ZERO), -smallest, smallest),
        direction,
    );
    safe.recip()
}

/// A point on a surface with an error bound per axis. The bound also covers the rounding of
/// intersecting the surface with a ray that starts nearby.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfacePoint {
    pub(crate) point: Vec3A,
    pub(crate) error: Vec3A,
    /// Unit geometric normal: outwards on closed shapes, the front side on flat ones.
    pub(crate) normal: Vec3A,
    /// The unit shading normal: the geometric one or, on smooth meshes, the interpolated vertex
    /// normal, on about the same side.
    pub(crate) shading: Vec3A,
}

impl SurfacePoint {
    /// A point that was computed from numbers of size `extent` in the shape's own space and then
    /// transformed to the world.
    ///
    /// Sixteen rounding errors cover a rotation in both directions and the equation of the surface;
    /// four cover the translation in both directions and the final offset.
    pub(crate) fn new(point: Vec3A, normal: Vec3A, extent: f32) -> Self {
        let error = Vec3A::splat(16.0 * ROUNDING * extent) + 4.0 * ROUNDING * point.abs();
        Self { point, error, normal, shading: normal }
    }

    /// The same point with the opposite normals.
    pub(crate) fn flipped(self) -> Self {
        Self { normal: -self.normal, shading: -self.shading, ..self }
    }

    /// The origin of a ray that leaves along `direction`: off the surface by its error. PBR 4e,
    /// section 6.8.6.
    pub(crate) fn origin_towards(&self, direction: Vec3A) -> Vec3A {
        let offset = self.normal * self.normal.abs().dot(self.error);
        if direction.dot(self.normal) < 0.0 { self.point - offset } else { self.point + offset }
    }
}
