//! How surfaces scatter light.
//!
//! All functions work in the local frame of [`Frame`](crate::frame::Frame) with z along the normal
//! on the side of the viewer, so `wo.z` is never negative. Both directions point away from the
//! surface.

mod dielectric;
mod lambertian;
mod metal;
mod principled;
mod varied;

use std::sync::Arc;

use glam::Vec3A;
use scene::{Material, Textured, Variable};

pub(crate) use dielectric::Dielectric;
pub(crate) use lambertian::Lambertian;
pub(crate) use metal::{Mirror, RoughMetal};
pub(crate) use principled::Principled;
pub(crate) use varied::{Looks, Varied};

use self::principled::Parameters;
use crate::texture::channels;

/// A surface's way of scattering.
#[derive(Debug, Clone)]
pub(crate) enum Bsdf {
    Lambertian(Lambertian),
    Mirror(Mirror),
    RoughMetal(RoughMetal),
    Dielectric(Dielectric),
    /// Shared, since it is much larger than the others.
    Principled(Arc<Principled>),
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

/// The one value that stands for a property of the document, in the precision of the tracer.
fn typical<T: Variable>(value: &Textured<T>) -> Vec3A {
    channels(value.typical().channels())
}

impl Bsdf {
    /// What `material` does with light, apart from any it emits; of what varies over the surface, the
    /// typical value counts.
    pub(crate) fn new(material: &Material) -> Self {
        match material {
            Material::Preset(preset) => Self::new(preset.material()),
            Material::Principled(material) => {
                Self::Principled(Arc::new(Principled::new(&Parameters::typical(material))))
            }
            // Takes all light; whoever asks for more than its glow sees black.
            Material::Emissive(_) => Self::Lambertian(Lambertian { albedo: Vec3A::ZERO }),
            Material::Lambertian(matte) => {
                Self::Lambertian(Lambertian { albedo: typical(&matte.albedo) })
            }
            Material::Metal(metal) => {
                let (tint, fuzz) = (typical(&metal.albedo), typical(&metal.fuzz).x);
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
        match self {
            Self::Mirror(_) | Self::Dielectric(_) => true,
            Self::Lambertian(_) | Self::RoughMetal(_) => false,
            Self::Principled(bsdf) => bsdf.is_specular(),
        }
    }

    /// Whether light leaves about evenly into the hemisphere.
    pub(crate) fn is_matte(&self) -> bool {
        match self {
            Self::Lambertian(_) => true,
            Self::Principled(bsdf) => bsdf.is_matte(),
            Self::Mirror(_) | Self::RoughMetal(_) | Self::Dielectric(_) => false,
        }
    }

    /// Whether light is let through into other than single directions.
    pub(crate) fn is_translucent(&self) -> bool {
        matches!(self, Self::Principled(bsdf) if bsdf.is_translucent())
    }

    /// Whether what is seen in it lies behind it.
    pub(crate) fn is_clear(&self) -> bool {
        match self {
            Self::Dielectric(_) => true,
            Self::Principled(bsdf) => bsdf.is_clear(),
            Self::Lambertian(_) | Self::Mirror(_) | Self::RoughMetal(_) => false,
        }
    }

    /// Whether directions around the normal are told apart.
    pub(crate) fn is_brushed(&self) -> bool {
        matches!(self, Self::Principled(bsdf) if bsdf.is_brushed())
    }

    /// Whether the third number for a sample chooses a part of the surface, and the fourth of the set
    /// is free instead.
    pub(crate) fn has_parts(&self) -> bool {
        matches!(self, Self::Principled(_))
    }

    /// What is absorbed behind the surface, per metre and channel; `None` when nothing is.
    pub(crate) fn absorption(&self) -> Option<Vec3A> {
        match self {
            Self::Principled(bsdf) => bsdf.absorption(),
            _ => None,
        }
    }

    /// How much less radiance there is on this side of light that is let through from the local
    /// direction `wi`: the squared ratio of the refractive indices, 1 for a reflection.
    #[inline]
    pub(crate) fn compression(&self, wi: Vec3A, outside: bool) -> f32 {
        match self {
            Self::Principled(bsdf) if wi.z < 0.0 => bsdf.compression(outside),
            _ => 1.0,
        }
    }

    /// The share of light that is reflected or let through, roughly, per channel.
    pub(crate) fn albedo(&self) -> Vec3A {
        match self {
            Self::Lambertian(bsdf) => bsdf.albedo,
            Self::Mirror(bsdf) => bsdf.tint,
            Self::RoughMetal(bsdf) => bsdf.tint,
            Self::Dielectric(_) => Vec3A::ONE,
            Self::Principled(bsdf) => bsdf.albedo(),
        }
    }

    /// For a given pair of directions. Zero for specular surfaces and, where no light is let through,
    /// below the horizon. `outside` says that z is the side of the geometric normal.
    #[inline]
    pub(crate) fn evaluate(&self, wo: Vec3A, wi: Vec3A, outside: bool) -> Scattering {
        match self {
            Self::Lambertian(bsdf) => bsdf.evaluate(wi),
            Self::RoughMetal(bsdf) => bsdf.evaluate(wo, wi),
            Self::Mirror(_) | Self::Dielectric(_) => Scattering { value: Vec3A::ZERO, pdf: 0.0 },
            Self::Principled(bsdf) => bsdf.evaluate(wo, wi, outside),
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
            Self::Principled(bsdf) => bsdf.sample(wo, outside, [u, v, choice]),
            Self::Lambertian(bsdf) => bsdf.sample([u, v]),
            Self::Mirror(bsdf) => Some(bsdf.sample(wo)),
            Self::RoughMetal(bsdf) => bsdf.sample(wo, [u, v]),
            Self::Dielectric(bsdf) => Some(bsdf.sample(wo, outside, choice)),
        }
    }
}

#[cfg(test)]
mod tests;
