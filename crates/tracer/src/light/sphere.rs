//! Sphere lights.

use std::f32::consts::PI;

use super::bounds::LightBounds;
use super::density::Density;
use crate::color::channels;
use crate::color::luminance;
use crate::frame::Frame;
use crate::primitive::Sphere;
use crate::ray::SurfacePoint;
use crate::sampling::{cone, cone_pdf};
use crate::vector::point;
use glam::Vec3A;
use scene::AreaSphereLight;

/// A sphere that emits outwards.
#[derive(Debug, Clone)]
pub(crate) struct SphereLight {
    pub(crate) body: Sphere,
    pub(crate) emission: Vec3A,
}

impl SphereLight {
    pub(crate) fn new(light: &AreaSphereLight) -> Self {
        let body = Sphere::new(point(light.center), light.radius.get());
        Self { body, emission: channels(light.emission.get()) }
    }

    /// 1 - cos of the half-angle that the sphere subtends; `None` from inside.
    fn one_minus_cos_max(&self, from: Vec3A) -> Option<f32> {
        let sin_squared =
            self.body.radius * self.body.radius / from.distance_squared(self.body.center);
        // This form of 1 - sqrt(1 - s) is accurate for small angles.
        (sin_squared < 1.0).then(|| sin_squared / (1.0 + (1.0 - sin_squared).sqrt()))
    }

    /// A point of the side that faces `from`, uniform by solid angle. PBR 4e, section 6.2.4.
    pub(super) fn sample(&self, from: Vec3A, u: [f32; 2]) -> Option<(SurfacePoint, Density)> {
        let limit = self.one_minus_cos_max(from)?;
        let to_center = self.body.center - from;
        let distance = to_center.length();
        let towards = cone(u, limit);
        let sin_squared = towards.x * towards.x + towards.y * towards.y;
        // In the triangle of `from`, the centre and the point, by the law of sines: beta at the
        // point, alpha at the centre.
        let ratio = distance / self.body.radius;
        let cos_beta = (1.0 - ratio * ratio * sin_squared).max(0.0).sqrt();
        let cos_alpha = ratio * sin_squared + cos_beta * towards.z;
        let flat = towards.truncate() * (ratio * towards.z - cos_beta);
        // The frame looks from `from` to the centre; the normal looks back.
        let frame = Frame::around(to_center / distance);
        let normal = frame.to_world(Vec3A::new(flat.x, flat.y, -cos_alpha));
        let surface = self.body.surface_towards(normal);
        Some((surface, Density::Directions(cone_pdf(limit))))
    }

    pub(crate) fn pdf(&self, from: Vec3A) -> f32 {
        self.one_minus_cos_max(from).map_or(0.0, cone_pdf)
    }

    pub(super) fn bounds(&self) -> LightBounds {
        let ball = (self.body.center, self.body.radius);
        let squared_radius = self.body.radius * self.body.radius;
        let weight = PI * luminance(self.emission) * squared_radius;
        LightBounds { dark_within: squared_radius, ..LightBounds::round(ball, weight) }
    }

    pub(crate) fn power(&self) -> f32 {
        4.0 * PI * PI * self.body.radius * self.body.radius * luminance(self.emission)
    }
}
