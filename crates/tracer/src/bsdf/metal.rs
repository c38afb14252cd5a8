//! Metals: a tinted mirror, or GGX microfacets.

use std::f32::consts::PI;

use glam::Vec3A;

use super::{Scattering, ScatteringSample};
use crate::sampling::unit_circle;

/// The smallest fuzz of a rough metal. Below it the lobe is narrower than 0.01 degrees: it looks
/// like a mirror, and single precision cannot evaluate it.
pub(crate) const MIN_FUZZ: f32 = 0.01;

/// A perfect mirror.
#[derive(Debug, Clone)]
pub(crate) struct Mirror {
    pub(crate) tint: Vec3A,
}

impl Mirror {
    pub(crate) fn sample(&self, wo: Vec3A) -> ScatteringSample {
        ScatteringSample {
            wi: Vec3A::new(-wo.x, -wo.y, wo.z),
            weight: self.tint,
            pdf: None,
            eta_squared: 1.0,
        }
    }
}

/// Reflection by GGX microfacets without a Fresnel term.
///
/// Single scattering only: the energy of shadowed light is lost. At normal incidence, a white metal
/// reflects 0.99 at fuzz 0.3, 0.91 at 0.5, 0.70 at 0.7 and 0.31 at 1. Shadowing and masking are
/// independent (Smith's separable form), as in Mitsuba's `roughconductor`.
#[derive(Debug, Clone)]
pub(crate) struct RoughMetal {
    pub(crate) tint: Vec3A,
    /// The GGX roughness alpha.
    pub(crate) alpha: f32,
}

impl RoughMetal {
    /// The GGX distribution of microfacet normals. Walter et al. 2007, equation 33; in slopes,
    /// which keeps narrow lobes exact.
    fn distribution(&self, m: Vec3A) -> f32 {
        let alpha_squared = self.alpha * self.alpha;
        let shape = (m.x * m.x + m.y * m.y) / alpha_squared + m.z * m.z;
        1.0 / (PI * alpha_squared * shape * shape)
    }

    /// Smith's masking function G1 for GGX. Walter et al. 2007, equation 34.
    fn visible_share(&self, w: Vec3A) -> f32 {
        let flat = self.alpha * self.alpha * (w.x * w.x + w.y * w.y);
        2.0 * w.z / (w.z + (flat + w.z * w.z).sqrt())
    }

    #[inline]
    pub(crate) fn evaluate(&self, wo: Vec3A, wi: Vec3A) -> Scattering {
        if wi.z <= 0.0 || wo.z <= 0.0 {
            return Scattering { value: Vec3A::ZERO, pdf: 0.0 };
        }
        let facet = (wo + wi).normalize();
        let pdf = self.distribution(facet) * self.visible_share(wo) / (4.0 * wo.z);
        Scattering { value: self.tint * (pdf * self.visible_share(wi)), pdf }
    }

    #[inline]
    pub(crate) fn sample(&self, wo: Vec3A, u: [f32; 2]) -> Option<ScatteringSample> {
        if wo.z <= 0.0 {
            return None;
        }
        let facet = self.visible_facet(wo, u);
        let wi = 2.0 * wo.dot(facet) * facet - wo;
        if wi.z <= 0.0 {
            return None;
        }
        let pdf = self.evaluate(wo, wi).pdf;
        Some(ScatteringSample {
            wi,
            weight: self.tint * self.visible_share(wi),
            pdf: Some(pdf),
            eta_squared: 1.0,
        })
    }

    /// Samples a visible microfacet normal. Dupuy and Benyoub 2023, "Sampling Visible GGX Normals
    /// with Spherical Caps".
    fn visible_facet(&self, wo: Vec3A, u: [f32; 2]) -> Vec3A {
        let stretched = Vec3A::new(wo.x * self.alpha, wo.y * self.alpha, wo.z).normalize();
        let z = (1.0 - u[0]) * (1.0 + stretched.z) - stretched.z;
        let flat = (1.0 - z * z).max(0.0).sqrt() * unit_circle(u[1]);
        let half = Vec3A::new(flat.x, flat.y, z) + stretched;
        Vec3A::new(half.x * self.alpha, half.y * self.alpha, half.z.max(0.0))
            .try_normalize()
            .unwrap_or(Vec3A::Z)
    }
}
