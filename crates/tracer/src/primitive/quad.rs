//! Parallelograms.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, u32x16};
use glam::{DVec3, Vec3A};

use super::Intersection;
use crate::ray::{Ray, SurfacePoint};
use crate::ray_lanes::{Met, RayLanes, dot_same};
use crate::vector::single;

/// The parallelogram `corner + a u + b v` with a and b in 0..1; its normal is that of `u x v`.
#[derive(Debug, Clone)]
pub(crate) struct Quad {
    pub(crate) corner: Vec3A,
    pub(crate) u: Vec3A,
    pub(crate) v: Vec3A,
    pub(crate) normal: Vec3A,
    /// The dual vectors: their dot products with an offset from the corner are a and b.
    dual_u: Vec3A,
    dual_v: Vec3A,
}

impl Quad {
    pub(crate) fn new(corner: DVec3, u: DVec3, v: DVec3) -> Self {
        let normal = u.cross(v).normalize();
        let (across_u, across_v) = (v.cross(normal), normal.cross(u));
        Self {
            corner: single(corner),
            u: single(u),
            v: single(v),
            normal: single(normal),
            dual_u: single(across_u / across_u.dot(u)),
            dual_v: single(across_v / across_v.dot(v)),
        }
    }

    /// The same parallelogram with the opposite normal.
    pub(crate) fn flipped(&self) -> Self {
        let Self { corner, u, v, normal, dual_u, dual_v } = *self;
        Self { corner, u: v, v: u, normal: -normal, dual_u: dual_v, dual_v: dual_u }
    }

    #[inline]
    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        let to_corner = self.corner - ray.origin;
        let distance = self.normal.dot(to_corner) / self.normal.dot(ray.direction);
        // This also rejects the NaN of a ray within the plane.
        if !(distance > 0.0 && distance < t_max) {
            return None;
        }
        let (a, b) = self.coordinates(distance * ray.direction - to_corner);
        let inside = (0.0..=1.0).contains(&a) && (0.0..=1.0).contains(&b);
        inside.then_some(Intersection { distance, part: 0 })
    }

    /// [`intersect`](Self::intersect) of many rays.
    #[inline(always)]
    pub(crate) fn meet<S: Simd>(&self, simd: S, rays: &RayLanes<S>) -> Met<S> {
        let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
        let [x, y, z] = self.corner.to_array();
        let to_corner = [x - rays.origin[0], y - rays.origin[1], z - rays.origin[2]];
        let distance = dot_same(&to_corner, self.normal) / dot_same(&rays.direction, self.normal);
        let from_corner = [
            distance * rays.direction[0] - to_corner[0],
            distance * rays.direction[1] - to_corner[1],
            distance * rays.direction[2] - to_corner[2],
        ];
        let a = dot_same(&from_corner, self.dual_u);
        let b = dot_same(&from_corner, self.dual_v);
        let inside = a.simd_ge(zero) & a.simd_le(one) & b.simd_ge(zero) & b.simd_le(one);
        Met { distance, part: u32x16::splat(simd, 0), mask: inside & distance.simd_gt(zero) }
    }

    /// The coordinates along u and v.
    pub(super) fn coordinates(&self, from_corner: Vec3A) -> (f32, f32) {
        (from_corner.dot(self.dual_u), from_corner.dot(self.dual_v))
    }

    pub(crate) fn surface_at(&self, ray: &Ray, intersection: Intersection) -> SurfacePoint {
        let (a, b) = self.coordinates(ray.at(intersection.distance) - self.corner);
        self.surface(a, b)
    }

    /// The point `corner + a u + b v`.
    pub(crate) fn surface(&self, a: f32, b: f32) -> SurfacePoint {
        let point = self.corner + self.u * a.clamp(0.0, 1.0) + self.v * b.clamp(0.0, 1.0);
        let extent = (self.u.abs() + self.v.abs()).max_element();
        SurfacePoint::new(point, self.normal, extent)
    }
}
