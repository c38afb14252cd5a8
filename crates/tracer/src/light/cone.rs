//! Spot lights.

use glam::Vec3A;
use scene::{ConeAngle, Exponent};

use crate::sampling::unit_circle;

/// The angular falloff of a spot light around its axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cone {
    /// The cosine of the half-angle; below -1 for no cutoff.
    pub(super) cos_cutoff: f32,
    pub(super) exponent: f32,
}

impl Cone {
    pub(super) fn new(cutoff: ConeAngle, exponent: Exponent) -> Self {
        let cutoff = cutoff.get();
        let cos_cutoff = if cutoff >= 180.0 { -2.0 } else { cutoff.to_radians().cos() as f32 };
        Self { cos_cutoff, exponent: exponent.get() as f32 }
    }

    /// Whether the strength is 1 in all directions.
    pub(super) fn is_full(self) -> bool {
        self.cos_cutoff < -1.0 && self.exponent == 0.0
    }

    /// Whether the strength is 1 wherever a flat light emits to.
    pub(super) fn is_half(self) -> bool {
        self.cos_cutoff <= 0.0 && self.exponent == 0.0
    }

    /// `max(0, cos)^exponent` inside the cone, 0 outside.
    pub(super) fn strength(self, cos: f32) -> f32 {
        if cos < self.cos_cutoff {
            0.0
        } else if self.exponent == 0.0 {
            1.0
        } else {
            cos.max(0.0).powf(self.exponent)
        }
    }

    /// Samples a direction around +z in proportion to strength.
    pub(super) fn sample_intensity(self, u: [f32; 2]) -> Vec3A {
        let power = self.exponent + 1.0;
        let lowest = if self.exponent > 0.0 { 0.0 } else { -1.0 };
        self.sample_power(u, self.cos_cutoff.max(lowest), power)
    }

    /// The pdf of [`sample_intensity`](Self::sample_intensity), per steradian.
    pub(super) fn intensity_pdf(self, cos: f32) -> f32 {
        self.strength(cos) / self.solid_angle(-1.0)
    }

    /// Samples a direction around +z in proportion to strength times cosine.
    pub(super) fn sample_flux(self, u: [f32; 2]) -> Vec3A {
        self.sample_power(u, self.cos_cutoff.max(0.0), self.exponent + 2.0)
    }

    /// The pdf of [`sample_flux`](Self::sample_flux), per steradian.
    pub(super) fn flux_pdf(self, cos: f32) -> f32 {
        self.strength(cos) * cos.max(0.0) / self.projected_solid_angle()
    }

    /// Samples a direction around +z whose cosine to the power `power` is uniform above that of
    /// `lowest`.
    fn sample_power(self, u: [f32; 2], lowest: f32, power: f32) -> Vec3A {
        // Negative cosines only occur with the power 1.
        let cos = if power == 1.0 {
            1.0 - u[0] * (1.0 - lowest)
        } else {
            (1.0 - u[0] * (1.0 - lowest.powf(power))).powf(1.0 / power)
        };
        let flat = (1.0 - cos * cos).max(0.0).sqrt() * unit_circle(u[1]);
        Vec3A::new(flat.x, flat.y, cos)
    }

    /// The integral of strength over the directions with cosine above `lowest`.
    pub(super) fn solid_angle(self, lowest: f32) -> f32 {
        let from = self.cos_cutoff.max(lowest).clamp(-1.0, 1.0);
        let from = if self.exponent > 0.0 { from.max(0.0) } else { from };
        let power = self.exponent + 1.0;
        std::f32::consts::TAU * (1.0 - from.signum() * from.abs().powf(power)) / power
    }

    /// The integral of strength times cosine over the hemisphere.
    pub(super) fn projected_solid_angle(self) -> f32 {
        let power = self.exponent + 2.0;
        std::f32::consts::TAU * (1.0 - self.cos_cutoff.max(0.0).powf(power)) / power
    }
}
