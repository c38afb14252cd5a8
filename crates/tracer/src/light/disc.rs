//! Disc lights, diffuse or limited to a cone.

use super::bounds::{Beam, LightBounds};
use super::cone::Cone;
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

    pub(super) fn bounds(&self) -> LightBounds {
        let Disc { center, normal, radius, .. } = self.body;
        let beam = Beam { center, radius, axis: normal, cone: self.cone };
        let beam = (!self.cone.is_half()).then_some(beam);
        let weight = self.area * luminance(self.emission);
        LightBounds { beam, ..LightBounds::flat((center, radius), weight, normal, radius * radius) }
    }

    pub(crate) fn power(&self) -> f32 {
        luminance(self.emission) * self.area * self.cone.projected_solid_angle()
    }
}
