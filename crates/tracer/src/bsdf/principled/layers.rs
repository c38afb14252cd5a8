//! The layers over the base: a clear coat, and fuzz over that.
//!
//! The transmittance of a layer is what it does not reflect. For two crossings, on the way in and
//! on the way out, the smaller of both transmittances counts, which is reciprocal. The energy that
//! is missing then is reflected back and forth below the layer; the base adds it to the energy that
//! its facets lose, and reflects it diffusely.

use std::sync::Arc;

use glam::Vec3A;

use super::albedo::{self, Albedo};
use super::cover::Cover;
use super::curve::Curve;
use super::fresnel::Border;
use super::fuzz::FuzzShape;
use super::ggx::Ggx;
use super::parameters::Parameters;

/// The optional layers.
#[derive(Debug, Clone)]
pub(super) struct Layers {
    pub(super) fuzz: Option<Fuzz>,
    pub(super) coat: Option<Coat>,
}

/// A layer of fibres or dust.
#[derive(Debug, Clone)]
pub(super) struct Fuzz {
    pub(super) shape: FuzzShape,
    /// The share of the surface it covers.
    pub(super) weight: f32,
    albedo: Arc<Curve>,
}

/// A clear coat.
#[derive(Debug, Clone)]
pub(super) struct Coat {
    pub(super) weight: f32,
    pub(super) border: Border,
    /// `None` for a mirror.
    pub(super) ggx: Option<Ggx>,
    /// The reflectance of the facets with full coverage, below the fuzz; `None` for a mirror.
    sent_back: Option<Arc<Albedo>>,
    /// The internal reflectance, for light from a mirror and from a diffuse base.
    inside: [f32; 2],
    /// The weight of the darkening.
    amount: f32,
}

impl Layers {
    /// `None` when there is no layer.
    pub(super) fn new(parameters: &Parameters) -> Option<Self> {
        let fuzz = Fuzz::new(parameters);
        let coat = Coat::new(parameters, fuzz.as_ref());
        (fuzz.is_some() || coat.is_some()).then_some(Self { fuzz, coat })
    }

    /// The transmittance of the fuzz along `w`.
    pub(super) fn passing_fuzz(&self, w: Vec3A) -> f32 {
        self.fuzz.as_ref().map_or(1.0, |fuzz| 1.0 - fuzz.reflected(w))
    }

    /// The tint of light that crosses the coat along both directions; `color` is the tint at normal
    /// incidence.
    pub(super) fn tint(&self, color: Vec3A, a: Vec3A, b: Vec3A) -> Vec3A {
        self.coat.as_ref().map_or(Vec3A::ONE, |coat| {
            coat.tint(color, 0.5 * (coat.length_along(a) + coat.length_along(b)))
        })
    }

    /// The tint of light that crosses the coat once.
    pub(super) fn tint_once(&self, color: Vec3A, w: Vec3A) -> Vec3A {
        self.coat.as_ref().map_or(Vec3A::ONE, |coat| coat.tint(color, 0.5 * coat.length_along(w)))
    }
}

impl Cover for &Layers {
    fn passing(self, w: Vec3A) -> f32 {
        let below_fuzz = self.passing_fuzz(w);
        below_fuzz - self.coat.as_ref().map_or(0.0, |coat| coat.sent_back(w, below_fuzz))
    }

    fn signature(self) -> Vec<u32> {
        let fuzz = self.fuzz.as_ref().map_or([0; 2], Fuzz::numbers);
        let coat = self.coat.as_ref().map_or_else(Vec::new, Coat::numbers);
        [&fuzz[..], &coat[..]].concat()
    }
}

impl Cover for &Fuzz {
    fn passing(self, w: Vec3A) -> f32 {
        1.0 - self.reflected(w)
    }

    fn signature(self) -> Vec<u32> {
        self.numbers().to_vec()
    }
}

impl Fuzz {
    fn new(parameters: &Parameters) -> Option<Self> {
        let weight = parameters.fuzz_weight;
        let shape = FuzzShape::new(parameters.fuzz_roughness);
        (weight > 0.0).then(|| Self { weight, albedo: albedo::of_fuzz(&shape), shape })
    }

    /// The reflectance of the layers along `w`.
    pub(super) fn reflected(&self, w: Vec3A) -> f32 {
        self.weight * self.albedo.at(w.z.abs()).x
    }

    fn numbers(&self) -> [u32; 2] {
        [self.weight.to_bits(), self.shape.signature()]
    }
}

impl Coat {
    fn new(parameters: &Parameters, cover: Option<&Fuzz>) -> Option<Self> {
        let weight = parameters.coat_weight;
        if weight == 0.0 {
            return None;
        }
        let border = Border::new(parameters.coat_ior, 1.0, None);
        let ggx = Ggx::new(parameters.coat_roughness, 0.0);
        Some(Self {
            weight,
            sent_back: ggx.as_ref().map(|ggx| albedo::of_border(ggx, &border, cover)),
            inside: sent_back_inside(&border),
            amount: parameters.coat_darkening * weight,
            border,
            ggx,
        })
    }

    /// The darkening of the base by internal reflections of the coat. `base` is the approximate
    /// albedo of the base, `base_roughness` 0 for a mirror and 1 for a diffuse base.
    pub(super) fn darkening(&self, base: Vec3A, base_roughness: f32) -> Vec3A {
        Vec3A::ONE.lerp(darkening(self.inside, base, base_roughness), self.amount)
    }

    /// The reflectance of the coat along `w`, where `below_fuzz` is the share of light that reaches
    /// it.
    pub(super) fn sent_back(&self, w: Vec3A, below_fuzz: f32) -> f32 {
        let facets = self.sent_back.as_ref().map(|facets| facets.at(w).x);
        self.weight * facets.unwrap_or_else(|| self.border.at(w.z.abs()).0.x * below_fuzz)
    }

    fn numbers(&self) -> Vec<u32> {
        let alpha = self.ggx.as_ref().map_or(0.0, |ggx| ggx.alpha.x);
        let numbers = [self.weight, alpha].map(f32::to_bits);
        [self.border.signature(), numbers.to_vec()].concat()
    }

    /// The length of the path through the coat along `w`, relative to normal incidence.
    fn length_along(&self, w: Vec3A) -> f32 {
        let eta = self.border.eta;
        1.0 / (1.0 - (1.0 - w.z * w.z) / (eta * eta)).sqrt()
    }

    fn tint(&self, color: Vec3A, length: f32) -> Vec3A {
        if color == Vec3A::ONE {
            return Vec3A::ONE;
        }
        Vec3A::ONE.lerp(color.powf(length), self.weight)
    }
}

/// The internal reflectance of a coat, at normal incidence and averaged over all directions.
fn sent_back_inside(border: &Border) -> [f32; 2] {
    let straight = border.at(1.0).0.x;
    let mean = Curve::new(|cos| border.at(cos).0).mean().x;
    [straight, 1.0 - (1.0 - mean) / (border.eta * border.eta)]
}

/// The darkening of a base by multiple reflections between it and a coat of internal reflectance K:
/// (1 - K) / (1 - base K). OpenPBR 1.1, section 3.9.4.
fn darkening([straight, scattered]: [f32; 2], base: Vec3A, base_roughness: f32) -> Vec3A {
    let inside = straight + (scattered - straight) * base_roughness;
    (1.0 - inside) / (Vec3A::ONE - base * inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coat_darkens_what_light_goes_to_and_fro_over() {
        // The same as a series: light enters, the base reflects it, the coat reflects it back, and
        // so on.
        let coat = sent_back_inside(&Border::new(1.6, 1.0, None));
        for base in [0.1_f32, 0.5, 0.9] {
            let mean = 0.101; // Of the Fresnel equations at 1.6, over all directions.
            let inside = 1.0 - (1.0 - mean) / (1.6_f32 * 1.6);
            let series: f32 =
                (0..200).map(|order| (base * inside).powi(order)).sum::<f32>() * (1.0 - inside);
            let got = darkening(coat, Vec3A::splat(base), 1.0).x;
            assert!((got - series).abs() < 0.01, "{base}: {got} is not {series}");
        }
        // White stays white, and under a mirror there is only specular internal reflection.
        assert!((darkening(coat, Vec3A::ONE, 1.0).x - 1.0).abs() < 1e-6);
        let mirror = darkening(coat, Vec3A::splat(0.5), 0.0).x;
        let straight = (0.6_f32 / 2.6).powi(2);
        assert!((mirror - (1.0 - straight) / (1.0 - 0.5 * straight)).abs() < 1e-5);
    }
}
