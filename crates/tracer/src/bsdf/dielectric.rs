//! Smooth dielectrics: clear glass and liquids.

use glam::Vec3A;

use super::ScatteringSample;

/// A smooth interface between air and a clear medium.
#[derive(Debug, Clone)]
pub(crate) struct Dielectric {
    /// The refractive index behind the geometric normal over that in front of it.
    pub(crate) refractive_index: f32,
}

impl Dielectric {
    #[inline]
    pub(crate) fn sample(&self, wo: Vec3A, outside: bool, choice: f32) -> ScatteringSample {
        let eta = if outside { self.refractive_index } else { 1.0 / self.refractive_index };
        let (reflected, cos_behind) = fresnel(wo.z, eta);
        if choice < reflected {
            return ScatteringSample {
                wi: Vec3A::new(-wo.x, -wo.y, wo.z),
                weight: Vec3A::ONE,
                pdf: None,
                eta_squared: 1.0,
            };
        }
        // Radiance is compressed into a smaller solid angle inside the denser medium.
        let eta_squared = eta * eta;
        ScatteringSample {
            wi: Vec3A::new(-wo.x / eta, -wo.y / eta, -cos_behind).normalize(),
            weight: Vec3A::splat(1.0 / eta_squared),
            pdf: None,
            eta_squared,
        }
    }
}

/// The Fresnel reflectance of a dielectric for unpolarised light at `cos` in 0..=1, and the cosine
/// of the refracted direction; (1, 0) at total internal reflection. `eta` is the index behind the
/// interface over that in front of it. PBR 4e, section 9.3.
pub(super) fn fresnel(cos: f32, eta: f32) -> (f32, f32) {
    let sin_squared_behind = (1.0 - cos * cos) / (eta * eta);
    if sin_squared_behind >= 1.0 {
        return (1.0, 0.0);
    }
    let behind = (1.0 - sin_squared_behind).sqrt();
    let parallel = (eta * cos - behind) / (eta * cos + behind);
    let perpendicular = (cos - eta * behind) / (cos + eta * behind);
    (0.5 * (parallel * parallel + perpendicular * perpendicular), behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_reflectances() {
        let near = |(reflected, _): (f32, f32), expected: f32| {
            assert!((reflected - expected).abs() < 1e-5, "{reflected} is not {expected}");
        };
        near(fresnel(1.0, 1.5), 0.04);
        near(fresnel(1.0, 1.0 / 1.5), 0.04);
        near(fresnel(0.3, 1.0), 0.0);
        near(fresnel(1e-7, 1.5), 1.0);
        // Beyond the critical angle of 41.8 degrees.
        near(fresnel(0.7, 1.0 / 1.5), 1.0);
        // At Brewster's angle only the perpendicular part is reflected.
        let brewster = 1.5_f32.atan().cos();
        near(fresnel(brewster, 1.5), 0.5 * ((2.25_f32 - 1.0) / (2.25 + 1.0)).powi(2));
    }

    #[test]
    fn refraction_follows_snell_and_is_undone_by_the_way_back() {
        let glass = Dielectric { refractive_index: 1.5 };
        let wo = Vec3A::new(0.6, 0.0, 0.8);
        let inside = glass.sample(wo, true, 0.99);
        assert!((inside.wi.x + 0.4).abs() < 1e-6, "sin 0.6 / 1.5");
        assert!(inside.wi.z < 0.0);
        let back = glass.sample(inside.wi * Vec3A::new(1.0, 1.0, -1.0), false, 0.99);
        assert!((back.wi.x - 0.6).abs() < 1e-6);
        assert!(((inside.weight * back.weight).x - 1.0).abs() < 1e-6);
        assert!((inside.eta_squared - 2.25).abs() < 1e-6);
    }
}
