//! Point and spot lights.

use glam::{DVec3, Vec3A};
use scene::PointSpotLight;

use super::bounds::{Beam, LightBounds};
use super::cone::Cone;
use super::{End, LightSample};
use crate::color::channels;
use crate::color::luminance;
use crate::frame::Frame;
use crate::vector::point;
use crate::vector::single;

/// A point light that emits into a cone.
#[derive(Debug, Clone)]
pub(crate) struct PointLight {
    pub(super) center: Vec3A,
    axis: Vec3A,
    cone: Cone,
    /// The intensity along the axis, in W/sr.
    intensity: Vec3A,
}

impl PointLight {
    pub(crate) fn new(light: &PointSpotLight) -> Self {
        Self {
            center: single(point(light.center)),
            axis: single(DVec3::from(light.direction.get()).normalize()),
            cone: Cone::new(light.cutoff_angle, light.falloff_exponent),
            intensity: channels(light.emission.get()),
        }
    }

    pub(crate) fn sample(&self, from: Vec3A) -> Option<LightSample> {
        let to_light = self.center - from;
        let direction = to_light.try_normalize()?;
        let strength = self.cone.strength(-direction.dot(self.axis));
        let radiance = self.intensity * (strength / to_light.length_squared());
        (radiance.is_finite() && radiance != Vec3A::ZERO).then_some(LightSample {
            direction,
            end: End::Point(self.center),
            radiance,
            pdf: None,
        })
    }

    /// Samples an emitted direction in proportion to the intensity.
    pub(super) fn sample_direction(&self, u: [f32; 2]) -> Vec3A {
        Frame::around(self.axis).to_world(self.cone.sample_intensity(u)).normalize()
    }

    /// Density of [`sample_direction`](Self::sample_direction), per steradian.
    pub(super) fn direction_pdf(&self, direction: Vec3A) -> f32 {
        self.cone.intensity_pdf(direction.dot(self.axis))
    }

    /// The intensity along the unit vector `direction`, in W/sr.
    pub(super) fn intensity_along(&self, direction: Vec3A) -> Vec3A {
        self.intensity * self.cone.strength(direction.dot(self.axis))
    }

    pub(super) fn bounds(&self) -> LightBounds {
        let beam = Beam { center: self.center, radius: 0.0, axis: self.axis, cone: self.cone };
        let beam = (!self.cone.is_full()).then_some(beam);
        LightBounds { beam, ..LightBounds::round((self.center, 0.0), luminance(self.intensity)) }
    }

    pub(crate) fn power(&self) -> f32 {
        luminance(self.intensity) * self.cone.solid_angle(-1.0)
    }
}
