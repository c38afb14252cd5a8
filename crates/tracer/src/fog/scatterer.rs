//! The phase function of droplets.

use std::f32::consts::PI;

use glam::Vec3A;

use crate::frame::Frame;
use crate::sampling::unit_circle;

/// How droplets scatter light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scatterer {
    /// The single-scattering albedo, per channel.
    pub(crate) albedo: Vec3A,
    /// The asymmetry parameter: the mean cosine of the scattering angle.
    pub(crate) asymmetry: f32,
}

impl Scatterer {
    /// The phase function from the direction of travel `before` to `after`, per steradian. Henyey
    /// and Greenstein 1941.
    pub(crate) fn phase(&self, before: Vec3A, after: Vec3A) -> f32 {
        let g = self.asymmetry;
        let squared = (1.0 + g * g - 2.0 * g * before.dot(after)).max(1e-6);
        (1.0 - g * g) / (4.0 * PI * squared * squared.sqrt())
    }

    /// Samples a direction of travel after `before`, with the pdf [`phase`](Self::phase).
    pub(crate) fn sample_phase(&self, before: Vec3A, [u, v]: [f32; 2]) -> Vec3A {
        let g = self.asymmetry;
        let cos = if g.abs() < 1e-3 {
            1.0 - 2.0 * u
        } else {
            let part = (1.0 - g * g) / (1.0 + g - 2.0 * g * u);
            (1.0 + g * g - part * part) / (2.0 * g)
        };
        let cos = cos.clamp(-1.0, 1.0);
        let flat = (1.0 - cos * cos).sqrt() * unit_circle(v);
        Frame::around(before).to_world(Vec3A::new(flat.x, flat.y, cos)).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chi_square::{Random, check_directions};

    #[test]
    fn directions_are_scattered_as_the_phase_function_says() {
        let mut random = Random(5);
        for asymmetry in [-0.9, -0.3, 0.0, 0.0005, 0.5, 0.8] {
            let fog = Scatterer { albedo: Vec3A::ONE, asymmetry };
            let before = random.direction();
            let sample = |u| Some(fog.sample_phase(before, u));
            check_directions("fog", sample, |after| fog.phase(before, after));
        }
    }
}
