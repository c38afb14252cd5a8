//! Flat discs.

use glam::{DVec3, Vec3A};

use super::Intersection;
use crate::frame::Frame;
use crate::ray::{Ray, SurfacePoint};
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
