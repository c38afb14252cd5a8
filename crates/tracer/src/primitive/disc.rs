//! Flat discs.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, u32x16};
use glam::{DVec3, Vec3A};

use super::Intersection;
use crate::frame::Frame;
use crate::ray::{Ray, SurfacePoint};
use crate::ray_lanes::{Met, RayLanes, dot, dot_same};
use crate::sampling::unit_disc;
use crate::vector::single;

/// A flat disc.
#[derive(Debug, Clone)]
pub(crate) struct Disc {
    pub(crate) center: Vec3A,
    pub(crate) normal: Vec3A,
    pub(crate) radius: f32,
}

impl Disc {
    pub(crate) fn new(center: DVec3, normal: DVec3, radius: f64) -> Self {
        Self { center: single(center), normal: single(normal.normalize()), radius: radius as f32 }
    }

    /// The same disc with the opposite normal.
    pub(crate) fn flipped(&self) -> Self {
        Self { normal: -self.normal, ..self.clone() }
    }

    #[inline]
    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        let to_center = self.center - ray.origin;
        let distance = self.normal.dot(to_center) / self.normal.dot(ray.direction);
        // This also rejects the NaN of a ray within the plane.
        if !(distance > 0.0 && distance < t_max) {
            return None;
        }
        let from_center = distance * ray.direction - to_center;
        (from_center.length_squared() <= self.radius * self.radius)
            .then_some(Intersection { distance, part: 0 })
    }

    /// [`intersect`](Self::intersect) of many rays.
    #[inline(always)]
    pub(crate) fn meet<S: Simd>(&self, simd: S, rays: &RayLanes<S>) -> Met<S> {
        let [x, y, z] = self.center.to_array();
        let to_center = [x - rays.origin[0], y - rays.origin[1], z - rays.origin[2]];
        let distance = dot_same(&to_center, self.normal) / dot_same(&rays.direction, self.normal);
        let from_center = [
            distance * rays.direction[0] - to_center[0],
            distance * rays.direction[1] - to_center[1],
            distance * rays.direction[2] - to_center[2],
        ];
        let squared_radius = f32x16::splat(simd, self.radius * self.radius);
        let inside = dot(&from_center, &from_center).simd_le(squared_radius);
        let ahead = distance.simd_gt(f32x16::splat(simd, 0.0));
        Met { distance, part: u32x16::splat(simd, 0), mask: inside & ahead }
    }

    pub(crate) fn surface_at(&self, ray: &Ray, intersection: Intersection) -> SurfacePoint {
        self.surface(ray.at(intersection.distance) - self.center)
    }

    /// Samples a point of the disc, uniform by area.
    pub(crate) fn sample_area(&self, u: [f32; 2]) -> SurfacePoint {
        let flat = unit_disc(u) * self.radius;
        self.surface(Frame::around(self.normal).to_world(Vec3A::new(flat.x, flat.y, 0.0)))
    }

    /// The point at `from_center`, projected onto the plane.
    pub(crate) fn surface(&self, from_center: Vec3A) -> SurfacePoint {
        let within = from_center - self.normal * self.normal.dot(from_center);
        SurfacePoint::new(self.center + within, self.normal, self.radius)
    }
}
