//! Diffuse surfaces.

use std::f32::consts::FRAC_1_PI;

use glam::Vec3A;

use super::{Scattering, ScatteringSample};
use crate::sampling::{cosine_hemisphere, cosine_hemisphere_pdf};

/// A Lambertian BRDF: albedo / pi.
#[derive(Debug, Clone)]
pub(crate) struct Lambertian {
    pub(crate) albedo: Vec3A,
}

impl Lambertian {
    #[inline]
    pub(crate) fn evaluate(&self, wi: Vec3A) -> Scattering {
        Scattering {
            value: self.albedo * (wi.z.max(0.0) * FRAC_1_PI),
            pdf: cosine_hemisphere_pdf(wi.z),
        }
    }

    #[inline]
    pub(crate) fn sample(&self, u: [f32; 2]) -> Option<ScatteringSample> {
        let wi = cosine_hemisphere(u);
        (wi.z > 0.0).then(|| ScatteringSample {
            wi,
            weight: self.albedo,
            pdf: Some(cosine_hemisphere_pdf(wi.z)),
            eta_squared: 1.0,
        })
    }
}
