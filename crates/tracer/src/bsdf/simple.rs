//! Simple BSDFs: isotropic, of a single lobe, without an absorbing inside.

use glam::Vec3A;

use super::metal::MIN_FUZZ;
use super::{Dielectric, Lambertian, Mirror, RoughMetal, Scattering, ScatteringSample, Scatters};

/// The BSDFs that most scenes need. The path tracer is specialised for worlds that have no others.
#[derive(Debug, Clone)]
pub(crate) enum Simple {
    Lambertian(Lambertian),
    Mirror(Mirror),
    RoughMetal(RoughMetal),
    Dielectric(Dielectric),
}

impl Simple {
    /// A metal with `fuzz` in 0..=1; a mirror for tiny values.
    pub(super) fn metal(tint: Vec3A, fuzz: f32) -> Self {
        if fuzz < MIN_FUZZ {
            Self::Mirror(Mirror { tint })
        } else {
            Self::RoughMetal(RoughMetal { tint, alpha: fuzz * fuzz })
        }
    }

    /// Whether it transmits light.
    pub(super) fn is_clear(&self) -> bool {
        matches!(self, Self::Dielectric(_))
    }

    /// See [`Bsdf::albedo`](super::Bsdf::albedo).
    pub(super) fn albedo(&self) -> Vec3A {
        match self {
            Self::Lambertian(bsdf) => bsdf.albedo,
            Self::Mirror(bsdf) => bsdf.tint,
            Self::RoughMetal(bsdf) => bsdf.tint,
            Self::Dielectric(_) => Vec3A::ONE,
        }
    }
}

impl Scatters for Simple {
    #[inline(always)]
    fn is_specular(&self) -> bool {
        matches!(self, Self::Mirror(_) | Self::Dielectric(_))
    }

    #[inline(always)]
    fn is_matte(&self) -> bool {
        matches!(self, Self::Lambertian(_))
    }

    #[inline(always)]
    fn evaluate(&self, wo: Vec3A, wi: Vec3A, _: bool) -> Scattering {
        match self {
            Self::Lambertian(bsdf) => bsdf.evaluate(wi),
            Self::RoughMetal(bsdf) => bsdf.evaluate(wo, wi),
            Self::Mirror(_) | Self::Dielectric(_) => Scattering { value: Vec3A::ZERO, pdf: 0.0 },
        }
    }

    #[inline(always)]
    fn sample(
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
