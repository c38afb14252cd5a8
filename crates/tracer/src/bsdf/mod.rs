//! BSDFs: how surfaces scatter light.
//!
//! All functions work in the local frame of [`Frame`](crate::frame::Frame) with z along the normal
//! on the side of the viewer, so `wo.z` is never negative. Both directions point away from the
//! surface.

mod dielectric;
mod lambertian;
mod lanes;
mod metal;
mod mix;
mod principled;
mod scattering;
mod scatters;
mod simple;
mod varied;

use std::sync::Arc;

use glam::Vec3A;
use scene::{Material, Textured, Variable};

pub(crate) use dielectric::Dielectric;
pub(crate) use lambertian::Lambertian;
pub(crate) use lanes::SimpleLanes;
pub(crate) use metal::{Mirror, RoughMetal};
pub(crate) use mix::Mix;
pub(crate) use principled::Principled;
pub(crate) use scattering::{Scattering, ScatteringSample};
pub(crate) use scatters::Scatters;
pub(crate) use simple::Simple;
pub(crate) use varied::{ShadingArena, Varied};

use self::principled::Parameters;
use crate::color::channels;

/// The BSDF of a surface.
#[derive(Debug, Clone)]
pub(crate) enum Bsdf {
    Simple(Simple),
    /// Shared, since it is much larger than the others.
    Principled(Arc<Principled>),
    /// Shared, for the same reason.
    Mix(Arc<Mix<Bsdf>>),
}

/// The typical value of a property of the document, in single precision.
fn typical<T: Variable>(value: &Textured<T>) -> Vec3A {
    channels(value.typical().channels())
}

impl Bsdf {
    /// The BSDF of `material` without its emission, with typical values for textures.
    pub(crate) fn new(material: &Material) -> Self {
        match material {
            Material::Preset(preset) => Self::new(preset.material()),
            Material::Mix(mix) => {
                let [first, second] = mix.parts().map(Self::new);
                let weight = typical(&mix.weight).x;
                Self::Mix(Arc::new(Mix { first, second, weight }))
            }
            Material::Principled(material) => {
                Self::Principled(Arc::new(Principled::new(&Parameters::typical(material))))
            }
            // It absorbs all light; its emission is handled elsewhere.
            Material::Emissive(_) => {
                Self::Simple(Simple::Lambertian(Lambertian { albedo: Vec3A::ZERO }))
            }
            Material::Lambertian(matte) => {
                Self::Simple(Simple::Lambertian(Lambertian { albedo: typical(&matte.albedo) }))
            }
            Material::Metal(metal) => {
                Self::Simple(Simple::metal(typical(&metal.albedo), typical(&metal.fuzz).x))
            }
            Material::Dielectric(glass) => Self::Simple(Simple::Dielectric(Dielectric {
                refractive_index: glass.refractive_index.get() as f32,
            })),
        }
    }

    /// The simple BSDF, if it is one.
    #[inline(always)]
    pub(crate) fn simple(&self) -> Option<&Simple> {
        match self {
            Self::Simple(bsdf) => Some(bsdf),
            Self::Principled(_) | Self::Mix(_) => None,
        }
    }

    /// Whether it transmits light.
    fn lets_light_through(&self) -> bool {
        match self {
            Self::Simple(bsdf) => bsdf.is_clear(),
            Self::Principled(bsdf) => bsdf.lets_light_through(),
            Self::Mix(bsdf) => bsdf.any(Self::lets_light_through),
        }
    }

    /// Whether most of what is visible in it lies behind it.
    pub(crate) fn is_clear(&self) -> bool {
        match self {
            Self::Simple(bsdf) => bsdf.is_clear(),
            Self::Principled(bsdf) => bsdf.is_clear(),
            Self::Mix(bsdf) => bsdf.main_part().is_clear(),
        }
    }

    /// Whether it transmits light without a change of direction, as thin walls and partial coverage
    /// do.
    pub(crate) fn is_straight(&self) -> bool {
        match self {
            Self::Principled(bsdf) => bsdf.is_straight(),
            Self::Mix(bsdf) => bsdf.any(Self::is_straight),
            _ => false,
        }
    }

    /// The transmittance without a change of direction to the viewer at `wo`, per channel.
    pub(crate) fn straight(&self, wo: Vec3A, outside: bool) -> Vec3A {
        match self {
            Self::Principled(bsdf) => bsdf.straight(wo, outside),
            Self::Mix(bsdf) => bsdf.mean(|part| part.straight(wo, outside)),
            _ => Vec3A::ZERO,
        }
    }

    /// The factor by which radiance from the local direction `wi` shrinks on this side: the squared
    /// ratio of the refractive indices, 1 for a reflection.
    #[inline]
    pub(crate) fn compression(&self, wi: Vec3A, outside: bool) -> f32 {
        match self {
            Self::Principled(bsdf) if wi.z < 0.0 => bsdf.compression(outside),
            Self::Mix(bsdf) => bsdf.clear_part().map_or(1.0, |part| part.compression(wi, outside)),
            _ => 1.0,
        }
    }

    /// The approximate albedo, transmission included, per channel.
    pub(crate) fn albedo(&self) -> Vec3A {
        match self {
            Self::Simple(bsdf) => bsdf.albedo(),
            Self::Principled(bsdf) => bsdf.albedo(),
            Self::Mix(bsdf) => bsdf.mean(Self::albedo),
        }
    }
}

impl Mix<Bsdf> {
    /// The part that transmits light, if one does.
    fn clear_part(&self) -> Option<&Bsdf> {
        self.parts().into_iter().find(|part| part.lets_light_through())
    }
}

impl Scatters for Bsdf {
    fn is_specular(&self) -> bool {
        match self {
            Self::Simple(bsdf) => bsdf.is_specular(),
            Self::Principled(bsdf) => bsdf.is_specular(),
            Self::Mix(bsdf) => bsdf.all(Self::is_specular),
        }
    }

    fn is_matte(&self) -> bool {
        match self {
            Self::Simple(bsdf) => bsdf.is_matte(),
            Self::Principled(bsdf) => bsdf.is_matte(),
            Self::Mix(bsdf) => bsdf.main_part().is_matte(),
        }
    }

    #[inline(always)]
    fn evaluate(&self, wo: Vec3A, wi: Vec3A, outside: bool) -> Scattering {
        match self {
            Self::Simple(bsdf) => bsdf.evaluate(wo, wi, outside),
            Self::Principled(bsdf) => bsdf.evaluate(wo, wi, outside),
            Self::Mix(bsdf) => bsdf.evaluate(wo, wi, outside),
        }
    }

    #[inline(always)]
    fn sample(&self, wo: Vec3A, outside: bool, numbers: [f32; 3]) -> Option<ScatteringSample> {
        match self {
            Self::Simple(bsdf) => bsdf.sample(wo, outside, numbers),
            Self::Principled(bsdf) => bsdf.sample(wo, outside, numbers),
            Self::Mix(bsdf) => bsdf.sample(wo, outside, numbers),
        }
    }

    fn has_parts(&self) -> bool {
        self.simple().is_none()
    }

    fn is_translucent(&self) -> bool {
        match self {
            Self::Simple(_) => false,
            Self::Principled(bsdf) => bsdf.is_translucent(),
            Self::Mix(bsdf) => bsdf.any(Self::is_translucent),
        }
    }

    fn is_thin(&self) -> bool {
        match self {
            Self::Simple(_) => false,
            Self::Principled(bsdf) => bsdf.is_thin(),
            Self::Mix(bsdf) => bsdf.clear_part().is_some_and(Self::is_thin),
        }
    }

    fn is_brushed(&self) -> bool {
        match self {
            Self::Simple(_) => false,
            Self::Principled(bsdf) => bsdf.is_brushed(),
            Self::Mix(bsdf) => bsdf.any(Self::is_brushed),
        }
    }

    fn absorbing(&self) -> Option<&Principled> {
        match self {
            Self::Principled(bsdf) => bsdf.absorption().map(|_| &**bsdf),
            Self::Mix(bsdf) => bsdf.clear_part().and_then(Self::absorbing),
            Self::Simple(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
