//! Sampling of the BSDF.

use glam::Vec3A;

use super::evaluate::Chances;
use super::fuzz::sample_fuzz;
use super::{Principled, Side};
use crate::bsdf::ScatteringSample;
use crate::sampling::cosine_hemisphere;

/// A number in [0, 1) that selects lobes repeatedly.
struct Choice(f32);

impl Choice {
    /// Whether the number is below `share`; rescales it for the next selection.
    fn falls_into(&mut self, share: f32) -> bool {
        let inside = self.0 < share;
        self.0 = if inside { self.0 / share } else { (self.0 - share) / (1.0 - share) };
        self.0 = self.0.clamp(0.0, 1.0 - f32::EPSILON);
        inside
    }
}

impl Principled {
    /// Samples a direction for the viewer at `wo`; `None` if the light is absorbed.
    #[inline(never)]
    pub(crate) fn sample(
        &self,
        wo: Vec3A,
        outside: bool,
        [u, v, choice]: [f32; 3],
    ) -> Option<ScatteringSample> {
        let mut choice = Choice(choice);
        if self.opacity < 1.0 && choice.falls_into(1.0 - self.opacity) {
            return Some(ScatteringSample {
                wi: -wo,
                weight: Vec3A::ONE,
                pdf: None,
                eta_squared: 1.0,
            });
        }
        if wo.z <= 0.0 {
            return None;
        }
        let side = self.side(outside);
        let chances = self.chances(side, wo)?;
        let mut left = 1.0;
        let mut takes = |chance: f32| {
            let takes = chance > 0.0 && choice.falls_into(chance / left);
            left = (left - chance).max(f32::MIN_POSITIVE);
            takes
        };
        let wi = if takes(chances.even) {
            cosine_hemisphere([u, v])
        } else if takes(chances.fuzz) {
            sample_fuzz([u, v])
        } else if takes(chances.even_through) {
            -cosine_hemisphere([u, v])
        } else if takes(chances.coat) {
            match self.sample_coat(side, &chances, wo, [u, v])? {
                LobeSample::Direction(wi) => wi,
                LobeSample::Delta(sample) => return Some(sample),
            }
        } else if chances.facets > 0.0 {
            match self.sample_facets(side, &chances, wo, [u, v], &mut choice)? {
                LobeSample::Direction(wi) => wi,
                LobeSample::Delta(sample) => return Some(sample),
            }
        } else {
            return None;
        };
        let scattering = self.evaluate(wo, wi, outside);
        let through = wi.z < 0.0;
        let eta_squared = if through { side.glass.bend().powi(2) } else { 1.0 };
        (scattering.pdf > 0.0).then(|| ScatteringSample {
            wi,
            // The opacity is in both value and pdf, and this lobe has been selected already.
            weight: scattering.value / scattering.pdf,
            pdf: Some(scattering.pdf),
            eta_squared,
        })
    }

    fn sample_coat(
        &self,
        side: &Side,
        chances: &Chances,
        wo: Vec3A,
        u: [f32; 2],
    ) -> Option<LobeSample> {
        let layers = side.layers.as_ref()?;
        let coat = layers.coat.as_ref()?;
        let Some(ggx) = &coat.ggx else {
            let reflected = coat.border.at(wo.z).0 * (coat.weight * layers.passing_fuzz(wo));
            return Some(LobeSample::Delta(mirrored(wo, reflected / chances.coat)));
        };
        reflected_by(ggx.sample_visible(wo, u), wo)
    }

    fn sample_facets(
        &self,
        side: &Side,
        chances: &Chances,
        wo: Vec3A,
        u: [f32; 2],
        choice: &mut Choice,
    ) -> Option<LobeSample> {
        let facet = self.ggx.as_ref().map_or(Vec3A::Z, |ggx| ggx.sample_visible(wo, u));
        let cos = wo.dot(facet);
        let at_facet = self.at_facet(side, cos);
        let chance = at_facet.chance();
        let reflects = choice.falls_into(chance);
        if reflects {
            if self.ggx.is_some() {
                return reflected_by(facet, wo);
            }
            let weight = self.below_layers(side, wo, wo) * at_facet.reflected;
            return Some(LobeSample::Delta(mirrored(wo, weight / (chances.facets * chance))));
        }
        let eta = side.glass.bend();
        let wi = side.glass.through(wo, facet)?.normalize();
        if self.ggx.is_some() {
            return Some(LobeSample::Direction(wi));
        }
        let eta_squared = eta * eta;
        let weight = self.layers_once(side, wo, wi) * at_facet.through
            / (chances.facets * (1.0 - chance) * eta_squared);
        Some(LobeSample::Delta(ScatteringSample { wi, weight, pdf: None, eta_squared }))
    }
}

/// The outcome of sampling a lobe.
enum LobeSample {
    /// A direction with a density.
    Direction(Vec3A),
    /// A Dirac delta.
    Delta(ScatteringSample),
}

fn reflected_by(facet: Vec3A, wo: Vec3A) -> Option<LobeSample> {
    let wi = 2.0 * wo.dot(facet) * facet - wo;
    (wi.z > 0.0).then(|| LobeSample::Direction(wi.normalize()))
}

fn mirrored(wo: Vec3A, weight: Vec3A) -> ScatteringSample {
    let wi = Vec3A::new(-wo.x, -wo.y, wo.z);
    ScatteringSample { wi, weight, pdf: None, eta_squared: 1.0 }
}
