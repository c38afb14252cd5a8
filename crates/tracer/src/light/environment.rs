//! Light from infinitely far away.

use std::f32::consts::PI;

use glam::Vec3A;

use super::{End, LightSample, color, luminance};
use crate::frame::Frame;
use crate::sampling::{cosine_hemisphere, cosine_hemisphere_pdf};

/// Radiance `middle + slope * d.y` along the unit vector d: a gradient, or even when the slope is 0.
#[derive(Debug, Clone)]
pub(crate) struct Environment {
    pub(super) middle: Vec3A,
    pub(super) slope: Vec3A,
}

impl Environment {
    pub(crate) fn new(environment: &scene::Environment) -> Self {
        let (bottom, top) = match environment {
            scene::Environment::Gradient(sky) => (color(sky.bottom_color), color(sky.top_color)),
            scene::Environment::Uniform(sky) => (color(sky.emission), color(sky.emission)),
            scene::Environment::Darkness(_) => (Vec3A::ZERO, Vec3A::ZERO),
        };
        Self { middle: (bottom + top) * 0.5, slope: (top - bottom) * 0.5 }
    }

    pub(crate) fn radiance(&self, direction: Vec3A) -> Vec3A {
        // At the poles rounding could make a channel slightly negative.
        (self.middle + self.slope * direction.y).max(Vec3A::ZERO)
    }

    /// Samples the sky above a surface that faces `normal` by the cosine law: for a gradient close
    /// to the product of light and matte reflection.
    pub(crate) fn sample(&self, normal: Vec3A, u: [f32; 2]) -> Option<LightSample> {
        let local = cosine_hemisphere(u);
        let direction = Frame::around(normal).to_world(local);
        let radiance = self.radiance(direction);
        (local.z > 0.0 && radiance != Vec3A::ZERO).then_some(LightSample {
            direction,
            end: End::Infinity,
            radiance,
            pdf: Some(cosine_hemisphere_pdf(local.z)),
        })
    }

    /// Density of [`sample`](Self::sample), per steradian.
    pub(crate) fn pdf(&self, normal: Vec3A, direction: Vec3A) -> f32 {
        cosine_hemisphere_pdf(normal.dot(direction))
    }

    /// The irradiance, as luminance, on an unshadowed surface that faces `normal`: the integral of
    /// `(middle + slope d.y) cos` over the hemisphere.
    pub(crate) fn importance(&self, normal: Vec3A) -> f32 {
        luminance(PI * (self.middle + self.slope * (2.0 / 3.0 * normal.y))).max(0.0)
    }

    pub(crate) fn is_dark(&self) -> bool {
        self.middle == Vec3A::ZERO
    }
}
