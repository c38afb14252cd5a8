//! How surfaces scatter light.
//!
//! All functions work in the local frame of [`Frame`](crate::frame::Frame) with z along the normal
//! on the side of the viewer, so `wo.z` is never negative. Both directions point away from the
//! surface.

mod dielectric;
mod lambertian;
mod metal;

use glam::Vec3A;
use scene::Material;

pub(crate) use dielectric::Dielectric;
pub(crate) use lambertian::Lambertian;
pub(crate) use metal::{Mirror, RoughMetal};

/// A surface's way of scattering.
#[derive(Debug, Clone)]
pub(crate) enum Bsdf {
    Lambertian(Lambertian),
    Mirror(Mirror),
    RoughMetal(RoughMetal),
    Dielectric(Dielectric),
}

/// What a pair of directions is worth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scattering {
    /// BSDF times the cosine of the incoming direction, per steradian.
    pub(crate) value: Vec3A,
    /// Density with which [`Bsdf::sample`] makes the incoming direction, per steradian.
    pub(crate) pdf: f32,
}

/// A direction to go on in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScatteringSample {
    /// Local, unit length.
    pub(crate) wi: Vec3A,
    /// BSDF times cosine over density.
    pub(crate) weight: Vec3A,
    /// Density per steradian; `None` when all of it is in this one direction.
    pub(crate) pdf: Option<f32>,
    /// The squared ratio of refractive indices crossed, behind over before; 1 for a reflection.
    /// Radiance is `1 / eta_squared` smaller on this side, which is no loss of energy.
    pub(crate) eta_squared: f32,
}

impl Bsdf {
    pub(crate) fn new(material: &Material) -> Self {
        let color = |albedo: scene::Albedo| Vec3A::from_array(albedo.get().map(|x| x as f32));
        match material {
            Material::Lambertian(matte) => {
                Self::Lambertian(Lambertian { albedo: color(matte.albedo) })
            }
            Material::Metal(metal) => {
                let (tint, fuzz) = (color(metal.albedo), metal.fuzz.get() as f32);
                if fuzz < metal::SMALLEST_FUZZ {
                    Self::Mirror(Mirror { tint })
                } else {
                    Self::RoughMetal(RoughMetal { tint, alpha: fuzz * fuzz })
                }
            }
            Material::Dielectric(glass) => Self::Dielectric(Dielectric {
                refractive_index: glass.refractive_index.get() as f32,
            }),
        }
    }

    /// Whether light leaves in single directions only, so that lights need not be sampled.
    pub(crate) fn is_specular(&self) -> bool {
        matches!(self, Self::Mirror(_) | Self::Dielectric(_))
    }

    /// Whether light leaves evenly into the hemisphere.
    pub(crate) fn is_matte(&self) -> bool {
        matches!(self, Self::Lambertian(_))
    }

    /// The share of light that is reflected or let through, roughly, per channel.
    pub(crate) fn albedo(&self) -> Vec3A {
        match self {
            Self::Lambertian(bsdf) => bsdf.albedo,
            Self::Mirror(bsdf) => bsdf.tint,
            Self::RoughMetal(bsdf) => bsdf.tint,
            Self::Dielectric(_) => Vec3A::ONE,
        }
    }

    /// For a given pair of directions. Zero for specular surfaces and below the horizon.
    #[inline]
    pub(crate) fn evaluate(&self, wo: Vec3A, wi: Vec3A) -> Scattering {
        match self {
            Self::Lambertian(bsdf) => bsdf.evaluate(wi),
            Self::RoughMetal(bsdf) => bsdf.evaluate(wo, wi),
            Self::Mirror(_) | Self::Dielectric(_) => Scattering { value: Vec3A::ZERO, pdf: 0.0 },
        }
    }

    /// Chooses a direction for the viewer at `wo`. `outside` says that the viewer is on the side of
    /// the geometric normal. `None` when the light is absorbed.
    #[inline]
    pub(crate) fn sample(
        &self,
        wo: Vec3A,
        outside: bool,
        [u, v, choice]: [f32; 3],
    ) -> Option<ScatteringSample> {
        match self {
            Self::Lambertian(bsdf) => bsdf.sample([u, v]),
            Self::Mirror(bsdf) => Some(bsdf.sample(wo)),
            Self::RoughMetal(bsdf) => bsdf.sample(wo, [u, v]),
            Self::Dielectric(bsdf) => Some(bsdf.sample(wo, outside, choice)),
        }
    }
}

#[cfg(test)]
mod tests;
