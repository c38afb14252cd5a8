//! Fuzz: sheen of fibres and dust.

use std::f32::consts::{PI, TAU};

use glam::Vec3A;

use super::curve::Curve;
use crate::sampling::cone;

/// A layer of fibres: microfacets whose normals are denser near the horizon. Estevez and Kulla
/// 2017, "Production Friendly Microfacet Sheen BRDF", with the visibility term of Neubelt and
/// Pettineo 2013. Unlike the sheen that OpenPBR proposes, it is reciprocal.
#[derive(Debug, Clone, Copy)]
pub(super) struct FuzzShape {
    /// The power of the sine in the distribution.
    power: f32,
}

/// The smallest roughness; a smaller one would be a bright line at grazing angles with more than
/// all energy.
const MIN_ROUGHNESS: f32 = 0.25;

/// The pdf of [`sample_fuzz`], per steradian: uniform over the hemisphere.
pub(super) const FUZZ_PDF: f32 = 1.0 / TAU;

/// Samples an incoming direction.
pub(super) fn sample_fuzz(u: [f32; 2]) -> Vec3A {
    cone(u, 1.0)
}

impl FuzzShape {
    pub(super) fn new(roughness: f32) -> Self {
        Self { power: 1.0 / roughness.max(MIN_ROUGHNESS) }
    }

    /// The numbers that the albedo depends on.
    pub(super) fn signature(&self) -> u32 {
        self.power.to_bits()
    }

    /// BSDF of white fuzz times the cosine of `wi`.
    pub(super) fn evaluate(&self, wo: Vec3A, wi: Vec3A) -> f32 {
        let Some(facet) = (wo + wi).try_normalize() else { return 0.0 };
        let sin = (1.0 - facet.z * facet.z).max(0.0).sqrt();
        let distribution = (2.0 + self.power) * sin.powf(self.power) / TAU;
        let visibility = 1.0 / (4.0 * (wo.z + wi.z - wo.z * wi.z)).max(1e-6);
        distribution * visibility * wi.z
    }

    /// The directional albedo of white fuzz.
    pub(super) fn albedo(&self) -> Curve {
        let steps = 48;
        Curve::new(|cos| {
            let wo = Vec3A::new((1.0 - cos * cos).max(0.0).sqrt(), 0.0, cos);
            let mut sum = 0.0;
            for row in 0..steps {
                let z = (row as f32 + 0.5) / steps as f32;
                let flat = (1.0 - z * z).sqrt();
                // Symmetric, so half of the azimuths suffice.
                for column in 0..steps {
                    let (sin, cos) = (PI * (column as f32 + 0.5) / steps as f32).sin_cos();
                    sum += self.evaluate(wo, Vec3A::new(flat * cos, flat * sin, z));
                }
            }
            Vec3A::splat(sum * TAU / (steps * steps) as f32)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuzz_never_sends_back_more_than_it_gets() {
        for roughness in [0.0, 0.2, 0.3, 0.5, 0.8, 1.0] {
            let albedo = FuzzShape::new(roughness).albedo();
            for step in 0..=64 {
                let share = albedo.at(step as f32 / 64.0).x;
                assert!((0.0..=1.0).contains(&share), "{roughness} at {step}/64: {share}");
            }
        }
    }

    #[test]
    fn smooth_fuzz_shines_at_rims() {
        let albedo = FuzzShape::new(0.3).albedo();
        assert!(albedo.at(0.1).x > 3.0 * albedo.at(1.0).x);
    }
}
