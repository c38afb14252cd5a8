//! Many rays in vector registers.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, mask32x16, u32x16};
use glam::Vec3A;

use crate::bounds::Bounds;
use crate::ray::{LANES, Ray};

/// A vector of each ray, by component.
pub(crate) type Vectors<S> = [f32x16<S>; 3];

/// Up to [`LANES`] rays.
pub(crate) struct RayLanes<S: Simd> {
    pub(crate) origin: Vectors<S>,
    pub(crate) direction: Vectors<S>,
    inverse: Vectors<S>,
}

/// What the rays hit of a primitive. Distances and parts are those of the rays in `mask` only.
pub(crate) struct Met<S: Simd> {
    pub(crate) distance: f32x16<S>,
    pub(crate) part: u32x16<S>,
    pub(crate) mask: mask32x16<S>,
}

impl<S: Simd> RayLanes<S> {
    /// At least one ray; the first fills the free lanes.
    #[inline(always)]
    pub(crate) fn new(simd: S, rays: &[Ray]) -> Self {
        let mut parts = [[[0.0; LANES]; 3]; 2];
        for lane in 0..LANES {
            let ray = rays.get(lane).unwrap_or(&rays[0]);
            for (part, vector) in parts.iter_mut().zip([ray.origin, ray.direction]) {
                for (axis, component) in part.iter_mut().zip(vector.to_array()) {
                    axis[lane] = component;
                }
            }
        }
        let [origin, direction] = parts;
        let load = |[x, y, z]: [[f32; LANES]; 3]| {
            [f32x16::load_array(simd, x), f32x16::load_array(simd, y), f32x16::load_array(simd, z)]
        };
        let direction = load(direction);
        let inverse = [
            finite_inverses(simd, direction[0]),
            finite_inverses(simd, direction[1]),
            finite_inverses(simd, direction[2]),
        ];
        Self { origin: load(origin), direction, inverse }
    }

    /// The rays that enter a box before `t_max`, and perhaps some that miss it by a rounding error.
    #[inline(always)]
    pub(crate) fn enter(&self, simd: S, bounds: &Bounds, t_max: f32x16<S>) -> mask32x16<S> {
        let mut near = f32x16::splat(simd, 0.0);
        let mut far = t_max;
        for axis in 0..3 {
            let low = (bounds.min[axis] - self.origin[axis]) * self.inverse[axis];
            let high = (bounds.max[axis] - self.origin[axis]) * self.inverse[axis];
            near = near.max(low.min(high));
            far = far.min(low.max(high) * (1.0 + 8.0 * f32::EPSILON));
        }
        near.simd_le(far)
    }
}

/// See [`finite_inverse`](crate::ray::finite_inverse).
#[inline(always)]
pub(crate) fn finite_inverses<S: Simd>(simd: S, direction: f32x16<S>) -> f32x16<S> {
    let (zero, smallest) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1e-20));
    let signed = direction.simd_lt(zero).select(-smallest, smallest);
    let safe = direction.abs().simd_lt(smallest).select(signed, direction);
    1.0 / safe
}

/// `a - b`
#[inline(always)]
pub(crate) fn minus<S: Simd>(a: &Vectors<S>, b: Vec3A) -> Vectors<S> {
    [a[0] - b.x, a[1] - b.y, a[2] - b.z]
}

/// The dot products of two vectors, rounded as those of [`Vec3A`].
#[inline(always)]
pub(crate) fn dot<S: Simd>(a: &Vectors<S>, b: &Vectors<S>) -> f32x16<S> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The dot products with the same vector, rounded as those of [`Vec3A`].
#[inline(always)]
pub(crate) fn dot_same<S: Simd>(a: &Vectors<S>, b: Vec3A) -> f32x16<S> {
    a[0] * b.x + a[1] * b.y + a[2] * b.z
}
