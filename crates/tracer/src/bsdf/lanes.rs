//! Simple BSDFs at many vertices in vector registers; see [`Simple`].

use std::f32::consts::{FRAC_1_PI, PI};

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, mask32x16};
use glam::Vec3A;

use super::Simple;
use crate::ray::LANES;
use crate::ray_lanes::{Vectors, dot};
use crate::vector::lanes::{
    Stored, StoredVectors, add, bits_of, cosine_hemisphere, cosine_hemisphere_pdf, load,
    load_vectors, mask_of, normalize, scale, select, set_vector, splat, subtract, unit_circle,
};

/// Simple BSDFs side by side.
#[derive(Debug, Default)]
pub(crate) struct SimpleLanes {
    /// Bit masks of the lanes of each kind.
    lambertian: u32,
    mirrors: u32,
    rough_metals: u32,
    dielectrics: u32,
    /// Albedo or tint.
    color: StoredVectors,
    /// The roughness alpha of rough metals.
    alpha: Stored,
    refractive_index: Stored,
}

/// See [`ScatteringSample`](super::ScatteringSample).
pub(crate) struct ScatteringSamples<S: Simd> {
    pub(crate) wi: Vectors<S>,
    pub(crate) weight: Vectors<S>,
    /// Has no meaning for Dirac deltas.
    pub(crate) pdf: f32x16<S>,
    pub(crate) eta_squared: f32x16<S>,
    /// Where the light is not absorbed.
    pub(crate) exists: mask32x16<S>,
}

impl SimpleLanes {
    pub(crate) fn clear(&mut self) {
        (self.lambertian, self.mirrors, self.rough_metals, self.dielectrics) = (0, 0, 0, 0);
    }

    /// Sets the BSDF of a lane that has none.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, bsdf: &Simple) {
        let bit = 1 << lane;
        let color = match bsdf {
            Simple::Lambertian(bsdf) => {
                self.lambertian |= bit;
                bsdf.albedo
            }
            Simple::Mirror(bsdf) => {
                self.mirrors |= bit;
                bsdf.tint
            }
            Simple::RoughMetal(bsdf) => {
                self.rough_metals |= bit;
                self.alpha[lane % LANES] = bsdf.alpha;
                bsdf.tint
            }
            Simple::Dielectric(bsdf) => {
                self.dielectrics |= bit;
                self.refractive_index[lane % LANES] = bsdf.refractive_index;
                Vec3A::ONE
            }
        };
        set_vector(&mut self.color, lane, color);
    }

    /// A bit mask of those that are mainly diffuse.
    pub(crate) fn matte(&self) -> u32 {
        self.lambertian
    }

    /// A bit mask of those with Dirac deltas only.
    pub(crate) fn specular(&self) -> u32 {
        self.mirrors | self.dielectrics
    }

    /// BSDF times cosine and its pdf.
    #[inline(always)]
    pub(crate) fn evaluate<S: Simd>(
        &self,
        simd: S,
        wo: &Vectors<S>,
        wi: &Vectors<S>,
    ) -> (Vectors<S>, f32x16<S>) {
        let zero = f32x16::splat(simd, 0.0);
        let color = load_vectors(simd, &self.color);
        let cos = wi[2].max(zero);
        let matte = mask_of(simd, self.lambertian);
        let mut factor = matte.select(cos * FRAC_1_PI, zero);
        let mut pdf = factor;
        if self.rough_metals != 0 {
            let rough = mask_of(simd, self.rough_metals);
            let lobe = RoughLanes::new(load(simd, &self.alpha));
            let lobe_pdf = rough.select(lobe.pdf(simd, wo, wi), zero);
            factor += rough.select(lobe_pdf * lobe.visible_share(wi), zero);
            pdf += lobe_pdf;
        }
        (scale(&color, factor), pdf)
    }

    /// Samples incoming directions for the viewers at `wo`, those `outside` on the side of the geometric normal.
    #[inline(always)]
    pub(crate) fn sample<S: Simd>(
        &self,
        simd: S,
        wo: &Vectors<S>,
        outside: mask32x16<S>,
        [u, v, choice]: [f32x16<S>; 3],
    ) -> ScatteringSamples<S> {
        let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
        // That of mirrors.
        let mut sample = ScatteringSamples {
            wi: [-wo[0], -wo[1], wo[2]],
            weight: load_vectors(simd, &self.color),
            pdf: zero,
            eta_squared: one,
            exists: mask_of(simd, self.specular()),
        };
        if self.lambertian != 0 {
            let matte = mask_of(simd, self.lambertian);
            let wi = cosine_hemisphere(simd, [u, v]);
            sample.pdf = matte.select(cosine_hemisphere_pdf(simd, wi[2]), zero);
            sample.exists |= matte & wi[2].simd_gt(zero);
            sample.wi = select(matte, &wi, &sample.wi);
        }
        if self.rough_metals != 0 {
            let rough = mask_of(simd, self.rough_metals);
            let lobe = RoughLanes::new(load(simd, &self.alpha));
            let facet = lobe.visible_facet(simd, wo, [u, v]);
            let wi = subtract(&scale(&facet, dot(wo, &facet) * 2.0), wo);
            let weight = scale(&sample.weight, lobe.visible_share(&wi));
            sample.weight = select(rough, &weight, &sample.weight);
            sample.pdf = rough.select(lobe.pdf(simd, wo, &wi), sample.pdf);
            sample.exists |= rough & wi[2].simd_gt(zero) & wo[2].simd_gt(zero);
            sample.wi = select(rough, &wi, &sample.wi);
        }
        if self.dielectrics != 0 {
            let clear = mask_of(simd, self.dielectrics);
            let index = load(simd, &self.refractive_index);
            let eta = outside.select(index, one / index);
            let (reflected, cos_behind) = fresnel(simd, wo[2], eta);
            let refracted = clear & choice.simd_ge(reflected);
            if bits_of(refracted) != 0 {
                let inverse = one / eta;
                let wi = normalize(&[-wo[0] * inverse, -wo[1] * inverse, -cos_behind]);
                // Radiance is compressed into a smaller solid angle inside the denser medium.
                let squared = eta * eta;
                let less = one / squared;
                sample.wi = select(refracted, &wi, &sample.wi);
                sample.weight = select(refracted, &[less, less, less], &sample.weight);
                sample.eta_squared = refracted.select(squared, one);
            }
        }
        sample
    }
}

/// See [`RoughMetal`](super::RoughMetal).
struct RoughLanes<S: Simd> {
    alpha: f32x16<S>,
}

impl<S: Simd> RoughLanes<S> {
    #[inline(always)]
    fn new(alpha: f32x16<S>) -> Self {
        Self { alpha }
    }

    #[inline(always)]
    fn distribution(&self, m: &Vectors<S>) -> f32x16<S> {
        let alpha_squared = self.alpha * self.alpha;
        let shape = (m[0] * m[0] + m[1] * m[1]) / alpha_squared + m[2] * m[2];
        1.0 / (alpha_squared * PI * shape * shape)
    }

    #[inline(always)]
    fn visible_share(&self, w: &Vectors<S>) -> f32x16<S> {
        let flat = self.alpha * self.alpha * (w[0] * w[0] + w[1] * w[1]);
        w[2] * 2.0 / (w[2] + (flat + w[2] * w[2]).sqrt())
    }

    #[inline(always)]
    fn pdf(&self, simd: S, wo: &Vectors<S>, wi: &Vectors<S>) -> f32x16<S> {
        let zero = f32x16::splat(simd, 0.0);
        let facet = normalize(&add(wo, wi));
        let pdf = self.distribution(&facet) * self.visible_share(wo) / (wo[2] * 4.0);
        (wi[2].simd_gt(zero) & wo[2].simd_gt(zero)).select(pdf, zero)
    }

    #[inline(always)]
    fn visible_facet(&self, simd: S, wo: &Vectors<S>, [u, v]: [f32x16<S>; 2]) -> Vectors<S> {
        let zero = f32x16::splat(simd, 0.0);
        let stretched = normalize(&[wo[0] * self.alpha, wo[1] * self.alpha, wo[2]]);
        let z = (1.0 - u) * (stretched[2] + 1.0) - stretched[2];
        let flat = (1.0 - z * z).max(zero).sqrt();
        let [x, y] = unit_circle(simd, v);
        let half = add(&[flat * x, flat * y, z], &stretched);
        let facet = [half[0] * self.alpha, half[1] * self.alpha, half[2].max(zero)];
        let has_length = dot(&facet, &facet).simd_gt(zero);
        select(has_length, &normalize(&facet), &splat(simd, Vec3A::Z))
    }
}

/// See [`fresnel`](super::dielectric::fresnel).
#[inline(always)]
fn fresnel<S: Simd>(simd: S, cos: f32x16<S>, eta: f32x16<S>) -> (f32x16<S>, f32x16<S>) {
    let one = f32x16::splat(simd, 1.0);
    let sin_squared_behind = (one - cos * cos) / (eta * eta);
    let is_total = sin_squared_behind.simd_ge(one);
    let behind = (one - sin_squared_behind).max(f32x16::splat(simd, 0.0)).sqrt();
    let parallel = (eta * cos - behind) / (eta * cos + behind);
    let perpendicular = (cos - eta * behind) / (cos + eta * behind);
    let reflected = (parallel * parallel + perpendicular * perpendicular) * 0.5;
    (is_total.select(one, reflected), behind)
}
