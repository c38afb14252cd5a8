//! Results of evaluating and of sampling a BSDF.

use glam::Vec3A;

/// BSDF times cosine and its pdf for a pair of directions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scattering {
    /// BSDF times the cosine of the incoming direction, per steradian.
    pub(crate) value: Vec3A,
    /// Density per steradian with which the BSDF samples the incoming direction.
    pub(crate) pdf: f32,
}

/// A sampled incoming direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScatteringSample {
    /// Local, unit length.
    pub(crate) wi: Vec3A,
    /// BSDF times cosine over density.
    pub(crate) weight: Vec3A,
    /// Density per steradian; `None` for a Dirac delta, as of mirrors and smooth glass.
    pub(crate) pdf: Option<f32>,
    /// The squared ratio of refractive indices crossed, behind over before; 1 for a reflection.
    /// Radiance is `1 / eta_squared` smaller on this side, which is no loss of energy.
    pub(crate) eta_squared: f32,
}

impl ScatteringSample {
    /// Whether the light passes without a change of direction, as through a thin wall or a hole.
    pub(crate) fn goes_straight(&self) -> bool {
        self.pdf.is_none() && self.wi.z < 0.0 && self.eta_squared == 1.0
    }
}
