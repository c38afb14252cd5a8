//! Disc lights, diffuse or limited to a cone.

use super::cone::Cone;
use super::cosines::{flat_light_cosine, receiver_cosine};
use super::density::Density;
use crate::color::channels;
use crate::color::luminance;
use crate::primitive::Disc;
use crate::ray::SurfacePoint;
use crate::vector::point;
use glam::{DVec3, Vec3A};
use scene::{AreaDiscSpotLight, DiscSpotLight};

/// A disc that emits into a cone on the side of its normal.
#[derive(Debug, Clone)]
pub(crate) struct DiscLight {
    pub(crate) body: Disc,
    pub(crate) area: f32,
    pub(super) cone: Cone,
    emission: Vec3A,
}

impl DiscLight {
    pub(crate) fn plain(light: &DiscSpotLight) -> Self {
        let body =
            Disc::new(point(light.center), DVec3::from(light.normal.get()), light.radius.get());
        Self::even(body, channels(light.emission.get()))
    }

    /// A diffuse disc light.
    pub(crate) fn even(body: Disc, emission: Vec3A) -> Self {
        Self::of(body, Cone { cos_cutoff: 0.0, exponent: 0.0 }, emission)
    }

    pub(crate) fn spot(light: &AreaDiscSpotLight) -> Self {
        let body =
            Disc::new(point(light.center), DVec3::from(light.normal.get()), light.radius.get());
        let cone = Cone::new(light.cutoff_angle, light.falloff_exponent);
        Self::of(body, cone, channels(light.emission.get()))
    }

    fn of(body: Disc, cone: Cone, emission: Vec3A) -> Self {
        Self { area: std::f32::consts::PI * body.radius * body.radius, body, cone, emission }
    }

    /// Radiance at an angle to the normal.
    pub(crate) fn radiance(&self, cos: f32) -> Vec3A {
        if cos > 0.0 { self.emission * self.cone.strength(cos) } else { Vec3A::ZERO }
    }

    /// A point of the disc, uniform by area.
    pub(crate) fn sample(&self, u: [f32; 2]) -> SurfacePoint {
        self.body.sample_area(u)
    }

    /// The density of [`sample`](Self::sample).
    pub(super) fn density(&self) -> Density {
        Density::Area(1.0 / self.area)
    }

    pub(crate) fn importance(&self, from: Vec3A, normal: Vec3A) -> f32 {
        let to_center = self.body.center - from;
        let strength = self.strongest(-to_center);
        strength
            * self.area
            * luminance(self.emission)
            * flat_light_cosine(self.body.normal, to_center, self.body.radius)
            * receiver_cosine(normal, to_center, self.body.radius)
            / (to_center.length_squared() + self.body.radius * self.body.radius)
    }

    /// The strength in the direction closest to the axis among those from points of the disc to the
    /// point at `from_center`.
    fn strongest(&self, from_center: Vec3A) -> f32 {
        let distance = from_center.length();
        let sin_spread = self.body.radius / distance;
        if sin_spread >= 1.0 || distance == 0.0 {
            return 1.0;
        }
        let cos = (self.body.normal.dot(from_center) / distance).clamp(-1.0, 1.0);
        let cos_spread = (1.0 - sin_spread * sin_spread).sqrt();
        // cos(angle - spread), unless the spread reaches the axis, with a margin for rounding,
        // since a strength of 0 must be exact.
        let cos_closest = if cos >= cos_spread {
            1.0
        } else {
            (cos * cos_spread + (1.0 - cos * cos).sqrt() * sin_spread + 1e-4).min(1.0)
        };
        self.cone.strength(cos_closest)
    }

    pub(crate) fn power(&self) -> f32 {
        luminance(self.emission) * self.area * self.cone.projected_solid_angle()
    }
}
