//! Fresnel reflectances of metals and dielectrics.

use std::sync::Arc;

use glam::Vec3A;

use super::curve::Curve;
use super::film::Film;
use crate::bsdf::dielectric::fresnel;

/// The reflectance of a metal, by its colour at normal incidence and its tint at about 82 degrees
/// (F82). Kutz, Hasan and Edmondson 2021, "Novel aspects of the Adobe Standard Material".
#[derive(Debug, Clone)]
pub(super) struct MetalReflectance {
    straight: Vec3A,
    /// The depth of the curve's dip near grazing angles.
    dip: Vec3A,
    weight: f32,
    film: Option<Arc<Curve>>,
}

/// The cosine of the angle that the tint belongs to.
const TINT_COSINE: f32 = 1.0 / 7.0;

impl MetalReflectance {
    pub(super) fn new(straight: Vec3A, tint: Vec3A, weight: f32, film: Option<Film>) -> Self {
        let away = 1.0 - TINT_COSINE;
        let schlick = straight + (Vec3A::ONE - straight) * away.powi(5);
        let dip = schlick * (Vec3A::ONE - tint) / (TINT_COSINE * away.powi(6));
        let plain = Self { straight, dip, weight, film: None };
        let film = film.map(|film| {
            let under = |cos: f32| {
                plain
                    .plain_at(cos)
                    .lerp(film.over_metal(cos, |cos| plain.plain_at(cos)), film.weight)
            };
            Arc::new(Curve::new(under))
        });
        Self { film, ..plain }
    }

    pub(super) fn at(&self, cos: f32) -> Vec3A {
        let unweighted = self.film.as_ref().map_or_else(|| self.plain_at(cos), |film| film.at(cos));
        unweighted * self.weight
    }

    fn plain_at(&self, cos: f32) -> Vec3A {
        let away = 1.0 - cos;
        let squared = away * away;
        let fifth = squared * squared * away;
        let curve = self.straight + (Vec3A::ONE - self.straight - self.dip * (cos * away)) * fifth;
        curve.clamp(Vec3A::ZERO, Vec3A::ONE)
    }

    /// The cosine-weighted mean over all directions.
    pub(super) fn mean(&self) -> Vec3A {
        let mean = self.straight + (Vec3A::ONE - self.straight) / 21.0 - self.dip / 126.0;
        let plain = mean.clamp(Vec3A::ZERO, Vec3A::ONE);
        self.film.as_ref().map_or(plain, |film| film.mean()) * self.weight
    }
}

/// The reflectance of a dielectric interface, with or without a thin film.
#[derive(Debug, Clone)]
pub(super) struct Border {
    /// The refractive index behind the interface over that before it.
    pub(super) eta: f32,
    /// The film with its reflectance by the cosine on the outer side.
    film: Option<(Film, Arc<Curve>)>,
    outer: bool,
}

/// The smallest difference of refractive indices. A smaller one refracts invisibly little, but
/// single precision could not invert the refraction.
const MIN_CONTRAST: f32 = 1e-3;

impl Border {
    /// An interface with the refractive index `ior`; `weight` scales its reflectance at normal
    /// incidence. OpenPBR 1.1, section 3.5.
    pub(super) fn new(ior: f32, weight: f32, film: Option<Film>) -> Self {
        let root = (ior - 1.0) / (ior + 1.0) * weight.sqrt();
        let eta = ((1.0 + root) / (1.0 - root)).max(1.0 + MIN_CONTRAST);
        let film = film.map(|film| {
            let under = |cos: f32| {
                let plain = Vec3A::splat(fresnel(cos, eta).0);
                plain.lerp(film.over_dielectric(cos, eta), film.weight)
            };
            (film, Arc::new(Curve::new(under)))
        });
        Self { eta, film, outer: true }
    }

    /// The numbers that the reflectance depends on.
    pub(super) fn signature(&self) -> Vec<u32> {
        let film = self.film.as_ref().map(|(film, _)| [film.weight, film.thickness, film.ior]);
        let numbers = [self.eta].into_iter().chain(film.unwrap_or_default());
        numbers.map(f32::to_bits).collect()
    }

    /// The same interface from behind; its reflectance is that of the reversed ray.
    pub(super) fn seen_from_behind(&self) -> Self {
        Self { eta: 1.0 / self.eta, film: self.film.clone(), outer: !self.outer }
    }

    /// The reflectance at `cos`, and the cosine of the refracted direction, 0 at total internal
    /// reflection.
    pub(super) fn at(&self, cos: f32) -> (Vec3A, f32) {
        let (plain, behind) = fresnel(cos, self.eta);
        let reflected = match &self.film {
            Some((_, film)) if behind > 0.0 => film.at(if self.outer { cos } else { behind }),
            _ => Vec3A::splat(plain),
        };
        (reflected, behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metals_follow_the_f82_tint_model() {
        // Without a tint it is Schlick's curve.
        let plain = MetalReflectance::new(Vec3A::splat(0.5), Vec3A::ONE, 1.0, None);
        for (cos, expected) in [(1.0, 0.5), (0.5, 0.5 + 0.5 / 32.0), (0.0, 1.0)] {
            assert!((plain.at(cos).x - expected).abs() < 1e-6);
        }
        // At a cosine of 1/7 the tint is a factor on it.
        let gold = Vec3A::new(1.0, 0.766, 0.336);
        let tint = Vec3A::new(0.9, 0.8, 0.5);
        let tinted = MetalReflectance::new(gold, tint, 1.0, None).at(TINT_COSINE);
        let schlick = MetalReflectance::new(gold, Vec3A::ONE, 1.0, None).at(TINT_COSINE);
        assert!((tinted - schlick * tint).length() < 1e-6, "{tinted}");
        // At normal incidence the tint has no effect; the weight is a factor everywhere.
        let dim = MetalReflectance::new(gold, tint, 0.5, None);
        assert!((dim.at(1.0) - gold * 0.5).length() < 1e-6);
    }

    #[test]
    fn the_mean_of_a_metal_is_that_of_its_curve() {
        let film = Film { weight: 1.0, thickness: 300.0, ior: 1.6 };
        for film in [None, Some(film)] {
            let metal =
                MetalReflectance::new(Vec3A::new(0.9, 0.5, 0.2), Vec3A::splat(0.7), 0.8, film);
            let count = 20_000;
            let sum: Vec3A = (0..count)
                .map(|step| (step as f32 + 0.5) / count as f32)
                .map(|cos| metal.at(cos) * (2.0 * cos))
                .sum();
            assert!((sum / count as f32 - metal.mean()).length() < 2e-3);
        }
    }

    #[test]
    fn the_specular_weight_scales_what_is_reflected_straight_on() {
        // OpenPBR 1.1: F0 = weight ((ior - 1) / (ior + 1))^2; at 0 the interface vanishes.
        for (ior, weight, expected) in [(1.5, 1.0, 0.04), (1.5, 0.5, 0.02), (2.0, 0.25, 1.0 / 36.0)]
        {
            let reflected = Border::new(ior, weight, None).at(1.0).0.x;
            assert!((reflected - expected).abs() < 1e-6, "{ior} {weight}: {reflected}");
        }
        assert!(Border::new(1.5, 0.0, None).at(1.0).0.x < 1e-6);
    }

    #[test]
    fn both_sides_of_a_border_reflect_the_same_share_of_a_ray() {
        let film = Film { weight: 0.7, thickness: 450.0, ior: 1.7 };
        for film in [None, Some(film)] {
            let border = Border::new(1.5, 1.0, film);
            for cos in [1.0, 0.8, 0.5, 0.2] {
                let (outside, behind) = border.at(cos);
                let (inside, back) = border.seen_from_behind().at(behind);
                assert!((outside - inside).abs().max_element() < 1e-4, "{outside} {inside}");
                assert!((back - cos).abs() < 1e-4);
            }
            // Total internal reflection beyond the critical angle.
            assert_eq!(border.seen_from_behind().at(0.5).0, Vec3A::ONE);
        }
    }
}
