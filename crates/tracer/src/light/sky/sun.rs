//! Distant lights: suns.

use glam::{DVec3, Vec3A};

use crate::color::channels;
use crate::color::luminance;
use crate::frame::Frame;
use crate::sampling::cone;
use crate::vector::single;

/// The sampled share of the disc. Its rim is excluded, so that sampled directions hit the disc
/// despite rounding.
const SAMPLED: f32 = 0.9995;

/// A distant light: an emissive disc at infinity.
#[derive(Debug, Clone)]
pub(crate) struct Sun {
    /// The unit vector towards the centre of the disc.
    towards: Vec3A,
    /// 1 - cos of its angular radius.
    one_minus_cos: f32,
    radiance: Vec3A,
    /// The irradiance on a surface that faces it.
    irradiance: Vec3A,
}

impl Sun {
    /// A sun with an angular `diameter` in radians and an `irradiance` in W/m^2 on a surface that
    /// faces it.
    pub(crate) fn new(towards: Vec3A, diameter: f32, irradiance: Vec3A) -> Self {
        // 1 - cos(d / 2), without cancellation.
        let sin = (0.25 * diameter).sin();
        let one_minus_cos = 2.0 * sin * sin;
        // The integral of the cosine over the cone: pi sin^2(d / 2).
        let projected = std::f32::consts::PI * one_minus_cos * (2.0 - one_minus_cos);
        Self { towards, one_minus_cos, radiance: irradiance / projected, irradiance }
    }

    /// The sun for a light of the document; `None` for lights with a position.
    pub(crate) fn of(light: &scene::Light) -> Option<Self> {
        let scene::Light::DirectionalLight(light) = light else { return None };
        let towards = single(-DVec3::from(light.direction.get()).normalize());
        let diameter = light.angular_diameter.get().to_radians() as f32;
        Some(Self::new(towards, diameter, channels(light.emission.get())))
    }

    /// Whether the unit vector `direction` hits the disc.
    fn is_seen(&self, direction: Vec3A) -> bool {
        // The squared distance of two unit vectors is 2 (1 - cos).
        (direction - self.towards).length_squared() <= 2.0 * self.one_minus_cos
    }

    pub(crate) fn radiance(&self, direction: Vec3A) -> Vec3A {
        if self.is_seen(direction) { self.radiance } else { Vec3A::ZERO }
    }

    /// Samples a direction towards the sun, uniform over its disc.
    pub(crate) fn sample(&self, u: [f32; 2]) -> Vec3A {
        let local = cone(u, self.one_minus_cos * SAMPLED);
        Frame::around(self.towards).to_world(local).normalize()
    }

    /// Density of [`sample`](Self::sample), per steradian.
    pub(crate) fn pdf(&self, direction: Vec3A) -> f32 {
        let solid_angle = std::f32::consts::TAU * self.one_minus_cos * SAMPLED;
        if self.is_seen(direction) { 1.0 / solid_angle } else { 0.0 }
    }

    /// The irradiance, as luminance, of a surface that faces `normal`. Zero only where nothing arrives.
    pub(crate) fn importance(&self, normal: Vec3A) -> f32 {
        let reach = (2.0 * self.one_minus_cos).sqrt();
        luminance(self.irradiance) * (normal.dot(self.towards) + reach).clamp(0.0, 1.0)
    }

    /// Luminance, integrated over its disc.
    pub(crate) fn total(&self) -> f32 {
        luminance(self.radiance) * std::f32::consts::TAU * self.one_minus_cos
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chi_square::{Random, check_directions};

    #[test]
    fn what_is_sampled_is_seen_and_gives_the_irradiance() {
        let mut random = Random(44);
        for degrees in [0.05_f32, 0.53, 5.0, 60.0] {
            let towards = random.direction();
            let sun = Sun::new(towards, degrees.to_radians(), Vec3A::new(3.0, 2.0, 1.0));
            let (mut sum, count) = (Vec3A::ZERO, 20_000);
            for _ in 0..count {
                let direction = sun.sample([random.next(), random.next()]);
                assert!(sun.pdf(direction) > 0.0, "{degrees}");
                sum += sun.radiance(direction) / sun.pdf(direction) * direction.dot(towards);
            }
            let error = (sum / count as f32 / Vec3A::new(3.0, 2.0, 1.0) - 1.0).abs();
            assert!(error.max_element() < 5e-3, "{degrees}: {error}");
            assert_eq!(sun.pdf(-towards), 0.0);
        }
    }

    #[test]
    fn a_wide_sun_is_sampled_evenly() {
        let sun = Sun::new(Vec3A::Y, 2.0, Vec3A::ONE);
        check_directions("sun", |u| Some(sun.sample(u)), |direction| sun.pdf(direction));
    }
}
