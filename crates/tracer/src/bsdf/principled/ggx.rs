//! Rough interfaces: the GGX microfacet distribution.

use std::f32::consts::PI;

use glam::{Vec2, Vec3A};

use crate::sampling::unit_circle;

/// The GGX distribution of microfacet normals, elongated along x if anisotropic, with Smith's
/// height-correlated masking and shadowing. Heitz 2014, "Understanding the Masking-Shadowing
/// Function in Microfacet-Based BRDFs".
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ggx {
    /// The roughness alpha along x and y.
    pub(super) alpha: Vec2,
}

/// The smallest alpha. A narrower lobe looks like a mirror, and single precision cannot evaluate
/// it.
const MIN_ALPHA: f32 = 1e-4;

impl Ggx {
    /// The distribution by OpenPBR's roughness and anisotropy, each in 0..=1; `None` for a mirror.
    /// OpenPBR 1.1, section 3.3.
    pub(super) fn new(roughness: f32, anisotropy: f32) -> Option<Self> {
        let squared = roughness * roughness;
        let rest = 1.0 - anisotropy;
        let along = squared * (2.0 / (1.0 + rest * rest)).sqrt();
        let alpha = Vec2::new(along.min(1.0), rest * along);
        (alpha.x >= MIN_ALPHA).then(|| Self { alpha: alpha.max(Vec2::splat(MIN_ALPHA)) })
    }

    pub(super) fn is_even(&self) -> bool {
        self.alpha.x == self.alpha.y
    }

    /// The distribution D of normals, in slopes, which keeps narrow lobes exact.
    pub(super) fn distribution(&self, m: Vec3A) -> f32 {
        let (x, y) = (m.x / self.alpha.x, m.y / self.alpha.y);
        let shape = x * x + y * y + m.z * m.z;
        1.0 / (PI * self.alpha.x * self.alpha.y * shape * shape)
    }

    /// Smith's function Lambda for `w` on either side.
    pub(super) fn hidden(&self, w: Vec3A) -> f32 {
        let (x, y, z) = (w.x * self.alpha.x, w.y * self.alpha.y, w.z.abs());
        ((z * z + x * x + y * y).sqrt() - z) / (2.0 * z)
    }

    /// The probability that light from a facet visible from `wo` is not shadowed along `wi`: G2 /
    /// G1.
    pub(super) fn leaving(&self, wo: Vec3A, wi: Vec3A) -> f32 {
        let hidden = self.hidden(wo);
        (1.0 + hidden) / (1.0 + hidden + self.hidden(wi))
    }

    /// The pdf of [`sample_visible`](Self::sample_visible), per steradian.
    pub(super) fn visible_pdf(&self, wo: Vec3A, m: Vec3A) -> f32 {
        self.distribution(m) * wo.dot(m).max(0.0) / (wo.z * (1.0 + self.hidden(wo)))
    }

    /// Samples a visible normal as seen from `wo`. Dupuy and Benyoub 2023, "Sampling Visible GGX
    /// Normals with Spherical Caps".
    pub(super) fn sample_visible(&self, wo: Vec3A, u: [f32; 2]) -> Vec3A {
        let stretch = self.alpha.extend(1.0);
        let stretch = Vec3A::new(stretch.x, stretch.y, 1.0);
        let stretched = (wo * stretch).normalize();
        let z = (1.0 - u[0]) * (1.0 + stretched.z) - stretched.z;
        let flat = (1.0 - z * z).max(0.0).sqrt() * unit_circle(u[1]);
        let half = Vec3A::new(flat.x, flat.y, z) + stretched;
        let half = Vec3A::new(half.x, half.y, half.z.max(0.0)) * stretch;
        half.try_normalize().unwrap_or(Vec3A::Z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chi_square::check_directions;

    #[test]
    fn anisotropy_is_that_of_openpbr() {
        // OpenPBR 1.1: alpha_t = r^2 sqrt(2 / (1 + (1 - a)^2)), alpha_b = (1 - a) alpha_t.
        for (roughness, anisotropy, x, y) in [
            (0.5, 0.0, 0.25, 0.25),
            (0.5, 0.5, 0.316_227_77, 0.158_113_88),
            (0.3, 0.75, 0.123_479, 0.030_869_75),
            (0.8, 1.0, 0.905_096_7, MIN_ALPHA),
        ] {
            let alpha = Ggx::new(roughness, anisotropy).unwrap().alpha;
            assert!((alpha - Vec2::new(x, y)).length() < 1e-6, "{roughness} {anisotropy}: {alpha}");
        }
        assert!(Ggx::new(0.0, 0.5).is_none());
    }

    #[test]
    fn visible_facets_come_with_their_density() {
        for (roughness, anisotropy) in [(0.5, 0.0), (0.6, 0.7), (1.0, 0.3)] {
            let ggx = Ggx::new(roughness, anisotropy).unwrap();
            for wo in [Vec3A::Z, Vec3A::new(0.6, 0.3, 0.5), Vec3A::new(-0.2, 0.9, 0.1)] {
                let wo = wo.normalize();
                check_directions(
                    &format!("{ggx:?} from {wo}"),
                    |u| Some(ggx.sample_visible(wo, u)),
                    |m| if m.z > 0.0 { ggx.visible_pdf(wo, m) } else { 0.0 },
                );
            }
        }
    }
}
