//! Rays, and where they start so that they neither miss nor meet again the surface they leave.

use glam::Vec3A;

/// Half the distance from 1 to the next number: the largest relative error of one operation.
pub(crate) const ROUNDING: f32 = f32::EPSILON * 0.5;

/// A half-line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ray {
    pub(crate) origin: Vec3A,
    /// Of unit length in the world.
    pub(crate) direction: Vec3A,
    /// One over each component of the direction, always finite.
    pub(crate) inverse: Vec3A,
}

impl Ray {
    /// A ray along `direction`, which is a unit vector in the world.
    pub(crate) fn new(origin: Vec3A, direction: Vec3A) -> Self {
        Self { origin, direction, inverse: finite_inverse(direction) }
    }

    /// The point at `distance`.
    pub(crate) fn at(&self, distance: f32) -> Vec3A {
        self.origin + self.direction * distance
    }
}

/// One over each component, with components near 0 moved away from it: slab tests then never
/// multiply 0 by infinity.
pub(crate) fn finite_inverse(direction: Vec3A) -> Vec3A {
    let smallest = Vec3A::splat(1e-20);
    let safe = Vec3A::select(
        direction.abs().cmplt(smallest),
        Vec3A::select(direction.cmplt(Vec3A::ZERO), -smallest, smallest),
        direction,
    );
    safe.recip()
}

/// A point on a surface with a bound of how far, per axis, the true surface may be from it. The
/// bound also covers the rounding of a test of the surface against a ray that starts nearby.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfacePoint {
    pub(crate) point: Vec3A,
    pub(crate) error: Vec3A,
    /// Unit geometric normal: outwards on closed shapes, the front side on flat ones.
    pub(crate) normal: Vec3A,
    /// Unit normal for what the surface does with light: the geometric one, or, on smooth meshes,
    /// the one between those of the vertices, on about the same side.
    pub(crate) shading: Vec3A,
}

impl SurfacePoint {
    /// A point that was computed from numbers of size `extent` in the frame of its shape and then
    /// moved to the world.
    ///
    /// Sixteen roundings cover a rotation there and back and the equation of the surface; four
    /// cover the translation there and back and the final offset.
    pub(crate) fn new(point: Vec3A, normal: Vec3A, extent: f32) -> Self {
        let error = Vec3A::splat(16.0 * ROUNDING * extent) + 4.0 * ROUNDING * point.abs();
        Self { point, error, normal, shading: normal }
    }

    /// The same point seen as of the other side.
    pub(crate) fn flipped(self) -> Self {
        Self { normal: -self.normal, shading: -self.shading, ..self }
    }

    /// Where a ray starts that leaves on the side of `direction`: off the surface by its error.
    /// PBR 4e, section 6.8.6.
    pub(crate) fn origin_towards(&self, direction: Vec3A) -> Vec3A {
        let offset = self.normal * self.normal.abs().dot(self.error);
        if direction.dot(self.normal) < 0.0 { self.point - offset } else { self.point + offset }
    }
}
