//! The interface of BSDFs.

use glam::Vec3A;

use super::principled::Principled;
use super::scattering::{Scattering, ScatteringSample};

/// The interface of BSDFs to the integrators.
///
/// The default methods describe an opaque, isotropic surface of a single lobe. In a world of such
/// surfaces only, the code for everything else is compiled to nothing.
pub(crate) trait Scatters {
    /// Whether all lobes are Dirac deltas, so that lights need not be sampled.
    fn is_specular(&self) -> bool;

    /// Whether reflection is mainly diffuse.
    fn is_matte(&self) -> bool;

    /// BSDF times cosine and its pdf for a pair of directions. Zero for specular surfaces and,
    /// where no light is transmitted, below the horizon. `outside` says that z is the side of the
    /// geometric normal.
    fn evaluate(&self, wo: Vec3A, wi: Vec3A, outside: bool) -> Scattering;

    /// Samples an incoming direction for the viewer at `wo`. `outside` says that the viewer is on the side
    /// of the geometric normal. `None` when the light is absorbed.
    fn sample(&self, wo: Vec3A, outside: bool, numbers: [f32; 3]) -> Option<ScatteringSample>;

    /// Whether `sample` uses the third number to choose a lobe, so that the fourth of the set is free
    /// instead.
    #[inline(always)]
    fn has_parts(&self) -> bool {
        false
    }

    /// Whether it transmits light other than by a Dirac delta.
    #[inline(always)]
    fn is_translucent(&self) -> bool {
        false
    }

    /// Whether it is a thin wall: it has no inside.
    #[inline(always)]
    fn is_thin(&self) -> bool {
        false
    }

    /// Whether it is anisotropic.
    #[inline(always)]
    fn is_brushed(&self) -> bool {
        false
    }

    /// The part whose inside absorbs light, if there is one.
    #[inline(always)]
    fn absorbing(&self) -> Option<&Principled> {
        None
    }
}
