//! Spheres.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, u32x16};
use glam::{DVec3, Vec3A};

use super::Intersection;
use crate::ray::{ROUNDING, Ray, SurfacePoint};
use crate::ray_lanes::{Met, RayLanes, Vectors, dot, minus};
use crate::vector::lanes::{abs, add, normalize, scale, select, splat, subtract};
use crate::vector::single;
use crate::vector::unit_or;

/// A sphere; its normal points outwards.
#[derive(Debug, Clone)]
pub(crate) struct Sphere {
    pub(crate) center: Vec3A,
    pub(crate) radius: f32,
}

impl Sphere {
    pub(crate) fn new(center: DVec3, radius: f64) -> Self {
        Self { center: single(center), radius: radius as f32 }
    }

    /// The discriminant comes from the offset perpendicular to the ray, which avoids cancellation
    /// for distant and small spheres. The sign of `c` alone tells inside from outside, so a ray
    /// that starts just off the surface does not hit it again. Haines et al. 2019, "Precision
    /// Improvements for Ray/Sphere Intersection".
    #[inline]
    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        let offset = ray.origin - self.center;
        let along = -offset.dot(ray.direction);
        let perpendicular = offset + along * ray.direction;
        let squared_radius = self.radius * self.radius;
        let discriminant = squared_radius - perpendicular.length_squared();
        if discriminant < 0.0 {
            return None;
        }
        let c = offset.length_squared() - squared_radius;
        // The root of larger magnitude is accurate, the other follows from their product c.
        let larger = along + discriminant.sqrt().copysign(along);
        let distance = if c > 0.0 {
            if along <= 0.0 {
                return None;
            }
            c / larger
        } else if along > 0.0 {
            larger
        } else {
            c / larger
        };
        (distance > 0.0 && distance < t_max).then_some(Intersection { distance, part: 0 })
    }

    /// [`intersect`](Self::intersect) of many rays.
    #[inline(always)]
    pub(crate) fn meet<S: Simd>(&self, simd: S, rays: &RayLanes<S>) -> Met<S> {
        let zero = f32x16::splat(simd, 0.0);
        let squared_radius = self.radius * self.radius;
        let offset = minus(&rays.origin, self.center);
        let along = -dot(&offset, &rays.direction);
        let perpendicular = [
            offset[0] + along * rays.direction[0],
            offset[1] + along * rays.direction[1],
            offset[2] + along * rays.direction[2],
        ];
        let discriminant = squared_radius - dot(&perpendicular, &perpendicular);
        let c = dot(&offset, &offset) - squared_radius;
        let larger = along + discriminant.sqrt().copysign(along);
        let (outside, ahead) = (c.simd_gt(zero), along.simd_gt(zero));
        let distance = (!outside & ahead).select(larger, c / larger);
        let mask = discriminant.simd_ge(zero) & (!outside | ahead) & distance.simd_gt(zero);
        Met { distance, part: u32x16::splat(simd, 0), mask }
    }

    /// [`surface_at`](Self::surface_at) of many spheres where rays hit them: the points, their errors and the normals.
    #[inline(always)]
    pub(crate) fn surfaces_at<S: Simd>(
        simd: S,
        (center, radius): (&Vectors<S>, f32x16<S>),
        hit: &Vectors<S>,
    ) -> [Vectors<S>; 3] {
        let offset = subtract(hit, center);
        let has_length = dot(&offset, &offset).simd_gt(f32x16::splat(simd, 0.0));
        let normal = select(has_length, &normalize(&offset), &splat(simd, Vec3A::Y));
        let point = add(center, &scale(&normal, radius));
        // As `SurfacePoint::new`.
        let even = radius * (16.0 * ROUNDING);
        let error = scale(&abs(&point), f32x16::splat(simd, 4.0 * ROUNDING));
        [point, add(&[even, even, even], &error), normal]
    }

    pub(crate) fn surface_at(&self, ray: &Ray, intersection: Intersection) -> SurfacePoint {
        let offset = ray.at(intersection.distance) - self.center;
        self.surface_towards(unit_or(offset, Vec3A::Y))
    }

    /// The point of the surface in the direction of the unit vector `normal`.
    pub(crate) fn surface_towards(&self, normal: Vec3A) -> SurfacePoint {
        SurfacePoint::new(self.center + normal * self.radius, normal, self.radius)
    }
}
