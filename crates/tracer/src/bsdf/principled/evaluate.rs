//! Evaluation of the BSDF and its pdf for a pair of directions.

use std::f32::consts::FRAC_1_PI;

use glam::Vec3A;

use super::cover::Cover;
use super::fuzz::FUZZ_PDF;
use super::{Principled, Side, slanted};
use crate::bsdf::Scattering;

/// The probabilities of sampling each lobe, seen from one direction; their sum is 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chances {
    pub(super) fuzz: f32,
    pub(super) coat: f32,
    /// The microfacets of the base, reflection and transmission.
    pub(super) facets: f32,
    /// The diffuse lobe on this side.
    pub(super) even: f32,
    /// The diffuse lobe on the other side.
    pub(super) even_through: f32,
}

/// The reflectance and the transmittance of one microfacet.
#[derive(Debug, Clone, Copy)]
pub(super) struct AtFacet {
    pub(super) reflected: Vec3A,
    pub(super) through: Vec3A,
}

impl AtFacet {
    /// The probability of sampling the reflection.
    pub(super) fn chance(&self) -> f32 {
        let (reflected, through) = (self.reflected.max_element(), self.through.max_element());
        if through == 0.0 { 1.0 } else { reflected / (reflected + through) }
    }
}

impl Principled {
    /// BSDF times cosine and its pdf for a pair of directions; `outside` says that `wo.z > 0` is
    /// the outside.
    #[inline(never)]
    pub(crate) fn evaluate(&self, wo: Vec3A, wi: Vec3A, outside: bool) -> Scattering {
        if wo.z < 0.0 {
            let flip = Vec3A::new(1.0, 1.0, -1.0);
            return self.evaluate(wo * flip, wi * flip, !outside);
        }
        let nothing = Scattering { value: Vec3A::ZERO, pdf: 0.0 };
        if wo.z == 0.0 || wi.z == 0.0 {
            return nothing;
        }
        let side = self.side(outside);
        let Some(chances) = self.chances(side, wo) else { return nothing };
        let Scattering { value, pdf } = if wi.z > 0.0 {
            self.sent_back(side, &chances, wo, wi)
        } else if self.is_translucent() {
            self.let_through(side, &chances, wo, wi)
        } else {
            nothing
        };
        Scattering { value: value * self.opacity, pdf: pdf * self.opacity }
    }

    /// Sampling probabilities in proportion to the approximate albedo of each lobe, seen from `wo`;
    /// `None` for a black surface.
    pub(super) fn chances(&self, side: &Side, wo: Vec3A) -> Option<Chances> {
        let (metal, dielectric) = (self.metalness, 1.0 - self.metalness);
        let (clear, matte) =
            (dielectric * self.transmission, dielectric * (1.0 - self.transmission));
        let mut chances =
            Chances { fuzz: 0.0, coat: 0.0, facets: 0.0, even: 0.0, even_through: 0.0 };
        if let Some(layers) = &side.layers {
            if let Some(fuzz) = &layers.fuzz {
                let brightest = (self.fuzz_color * fuzz.weight).max_element();
                chances.fuzz = fuzz.reflected(wo) * brightest.max(0.01);
            }
            if let Some(coat) = &layers.coat {
                chances.coat = coat.sent_back(wo, layers.passing_fuzz(wo));
            }
        }
        let passing = side.passing(wo);
        let border = side.reflected(wo).max_element();
        chances.facets = metal * passing * self.metal.at(wo.z).max_element()
            + dielectric * border
            + clear * (passing - border);
        chances.even = matte * self.ground.max_element() * (passing - border).max(0.0);
        if let Some(missing) = &side.lost_by_mirrors {
            let again = self.metal_again(side).max_element();
            chances.even += metal * again * missing.at(wo).max_element();
        }
        if let Some(missing) = &side.missing {
            let lost = clear * missing.at(wo).max_element();
            let through = side.missing_through.x;
            chances.even += lost * (1.0 - through);
            chances.even_through = lost * through;
        }
        let sum =
            chances.fuzz + chances.coat + chances.facets + chances.even + chances.even_through;
        (sum > 0.0).then(|| Chances {
            fuzz: chances.fuzz / sum,
            coat: chances.coat / sum,
            facets: chances.facets / sum,
            even: chances.even / sum,
            even_through: chances.even_through / sum,
        })
    }

    /// The reflectance and the transmittance of a microfacet of the base at `cos`.
    pub(super) fn at_facet(&self, side: &Side, cos: f32) -> AtFacet {
        let dielectric = 1.0 - self.metalness;
        let clear = dielectric * self.transmission;
        let glass = side.glass.shares(cos, self.tint);
        let mut reflected = self.specular_color * glass.reflected * clear;
        // From inside, the diffuse base has no interface.
        if side.outside && clear < dielectric {
            reflected += self.specular_color * side.border.at(cos).0 * (dielectric - clear);
        }
        if self.metalness > 0.0 {
            reflected += self.metal.at(cos) * self.metalness;
        }
        let through = glass.through * clear;
        if self.ggx.is_none() && !side.outside {
            // The layers' reflectance for light that leaves through a smooth interface.
            let outer = slanted(side.glass.outer_cosine(cos));
            reflected += through * (1.0 - self.front.passing(outer));
        }
        AtFacet { reflected, through }
    }

    fn metal_again(&self, side: &Side) -> Vec3A {
        self.metal_again[usize::from(!side.outside)]
    }

    /// The transmittance of the layers over the base along `wi` and `wo`, both on the same side.
    pub(super) fn below_layers(&self, side: &Side, wo: Vec3A, wi: Vec3A) -> Vec3A {
        let passing = side.layers.as_ref().passing_both(wo, wi);
        self.colored_by_layers(side, wo, wi) * passing
    }

    /// The tint by the layers along both directions.
    fn colored_by_layers(&self, side: &Side, wo: Vec3A, wi: Vec3A) -> Vec3A {
        side.layers
            .as_ref()
            .map_or(Vec3A::ONE, |layers| layers.tint(self.coat_color, wo, wi) * self.darkening)
    }

    fn sent_back(&self, side: &Side, chances: &Chances, wo: Vec3A, wi: Vec3A) -> Scattering {
        let (mut value, mut pdf) = (Vec3A::ZERO, 0.0);
        let facet = (wo + wi).normalize();
        let cos = wo.dot(facet);
        if let Some(layers) = &side.layers {
            if let Some(fuzz) = &layers.fuzz {
                value += self.fuzz_color * (fuzz.weight * fuzz.shape.evaluate(wo, wi));
                pdf += chances.fuzz * FUZZ_PDF;
            }
            if let Some(coat) = &layers.coat
                && let Some(ggx) = &coat.ggx
            {
                let density = ggx.visible_pdf(wo, facet) / (4.0 * cos);
                let passing = layers.passing_fuzz(wo).min(layers.passing_fuzz(wi));
                let reflected = coat.border.at(cos).0 * coat.weight;
                value += reflected * (passing * density * ggx.leaving(wo, wi));
                pdf += chances.coat * density;
            }
        }
        let below = self.below_layers(side, wo, wi);
        if let Some(ggx) = &self.ggx {
            let at_facet = self.at_facet(side, cos);
            let density = ggx.visible_pdf(wo, facet) / (4.0 * cos);
            value += below * at_facet.reflected * (density * ggx.leaving(wo, wi));
            pdf += chances.facets * at_facet.chance() * density;
        }
        value += self.evenly_back(side, wo, wi) * (wi.z * FRAC_1_PI);
        pdf += chances.even * wi.z * FRAC_1_PI;
        Scattering { value, pdf }
    }

    /// The diffuse lobe on the same side: the base and the energy compensation.
    fn evenly_back(&self, side: &Side, wo: Vec3A, wi: Vec3A) -> Vec3A {
        let dielectric = 1.0 - self.metalness;
        let matte = dielectric * (1.0 - self.transmission);
        let mut even = Vec3A::ZERO;
        if matte > 0.0 {
            let reaching = side.reaching_ground(wo) * side.reaching_ground(wi);
            even += self.ground * reaching * side.ground_scale * matte;
        }
        if let Some(missing) = &side.lost_by_mirrors {
            let lost = missing.at(wo) * missing.at(wi) / missing.mean;
            even += self.metal_again(side) * lost * self.metalness;
        }
        if let Some(missing) = &side.missing {
            let lost = missing.at(wo) * missing.at(wi) / missing.mean;
            let share = dielectric * self.transmission;
            even += lost * (Vec3A::ONE - side.missing_through) * share;
        }
        even * self.colored_by_layers(side, wo, wi)
    }

    /// The transmittance of the layers for light through the interface, which crosses them once, on
    /// the outer side.
    pub(super) fn layers_once(&self, side: &Side, wo: Vec3A, wi: Vec3A) -> Vec3A {
        let outer = if side.outside { wo } else { wi };
        self.colored_once(side, wo, wi) * self.front.passing(outer)
    }

    /// The tint by the layers of light that crosses them once.
    fn colored_once(&self, side: &Side, wo: Vec3A, wi: Vec3A) -> Vec3A {
        let outer = if side.outside { wo } else { wi };
        self.front
            .layers
            .as_ref()
            .map_or(Vec3A::ONE, |layers| layers.tint_once(self.coat_color, outer))
    }

    /// Rough transmission. Walter et al. 2007, "Microfacet Models for Refraction through Rough
    /// Surfaces", equation 21; for radiance, which is smaller in the thinner medium by the squared
    /// index.
    fn let_through(&self, side: &Side, chances: &Chances, wo: Vec3A, wi: Vec3A) -> Scattering {
        let nothing = Scattering { value: Vec3A::ZERO, pdf: 0.0 };
        let Some(ggx) = &self.ggx else { return nothing };
        let eta = side.glass.bend();
        let layers = self.layers_once(side, wo, wi);
        let clear = (1.0 - self.metalness) * self.transmission;
        let (mut value, mut pdf) = (Vec3A::ZERO, 0.0);
        if let Some((facet, spread)) = side.glass.facet_between(wo, wi) {
            let at_facet = self.at_facet(side, wo.dot(facet));
            let density = ggx.visible_pdf(wo, facet) * spread;
            value += at_facet.through * layers * (density * ggx.leaving(wo, wi) / (eta * eta));
            pdf += chances.facets * (1.0 - at_facet.chance()) * density;
        }
        let other = self.side(!side.outside);
        if let (Some(here), Some(there)) = (&side.missing, &other.missing) {
            let lost = here.at(wo) * there.at(wi) / there.mean;
            let share = side.missing_through * (clear / (eta * eta));
            let color = self.tint * self.colored_once(side, wo, wi);
            value += color * lost * share * (wi.z.abs() * FRAC_1_PI);
            pdf += chances.even_through * wi.z.abs() * FRAC_1_PI;
        }
        Scattering { value, pdf }
    }
}
