//! Shading normals, without light leaks and without black rims.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, mask32x16};
use glam::Vec3A;

use crate::frame::Frame;
use crate::ray_lanes::{Vectors, dot};
use crate::vector::lanes::{
    Frames, add, bits_of, equal, mask_of, negate, normalize, scale, select, subtract,
};

/// The smallest cosine between the shading normal and the direction to the viewer.
const MIN_COSINE: f32 = 0.01;

/// The shading frame and the geometric normal of a surface, both on the viewer's side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shading {
    /// The frame around the shading normal.
    pub(crate) frame: Frame,
    facing: Vec3A,
    smooth: bool,
}

impl Shading {
    /// `facing` is the geometric normal on the side of the viewer in the direction `wo`, `normal`
    /// the one for shading on either side.
    ///
    /// At silhouettes, where the viewer would see the back of the smooth surface, the normal is
    /// bent until they see its front.
    /// The frame of a `brushed` (anisotropic) surface is aligned with its horizontal grooves.
    #[inline(always)]
    pub(crate) fn new(facing: Vec3A, normal: Vec3A, wo: Vec3A, brushed: bool) -> Self {
        let frame = |normal| {
            if brushed { Frame::across_level(normal) } else { Frame::around(normal) }
        };
        if normal == facing || normal == -facing {
            return Self { frame: frame(facing), facing, smooth: false };
        }
        let normal = if normal.dot(facing) < 0.0 { -normal } else { normal };
        let cosine = normal.dot(wo);
        let bent = if cosine < MIN_COSINE {
            (normal + wo * (MIN_COSINE - cosine)).try_normalize().unwrap_or(facing)
        } else {
            normal
        };
        Self { frame: frame(bent), facing, smooth: true }
    }

    /// Whether the shading normal differs from the geometric one.
    pub(crate) fn is_smooth(&self) -> bool {
        self.smooth
    }

    /// Whether `direction` is on the same side of the geometric normal as `local`, the same
    /// direction in the shading frame, is of the shading normal. Veach 1997, section 5.3.
    pub(crate) fn agrees(&self, local: Vec3A, direction: Vec3A) -> bool {
        !self.smooth || (local.z < 0.0) == (direction.dot(self.facing) < 0.0)
    }

    /// A specular direction, moved to the right side of the surface if the shading normal leads it
    /// to the wrong one.
    pub(crate) fn forced(&self, local: Vec3A, direction: Vec3A) -> Vec3A {
        if self.agrees(local, direction) {
            return direction;
        }
        let depth = direction.dot(self.facing);
        let within = direction - self.facing * depth;
        // Slightly off the surface, on the side of the local direction.
        (within - self.facing * (depth.signum() * 1e-3)).normalize()
    }
}

/// See [`Shading`]: those of many surfaces, of which none is brushed.
pub(crate) struct ShadingLanes<S: Simd> {
    /// Around the shading normals.
    pub(crate) frames: Frames<S>,
    facing: Vectors<S>,
    /// A bit mask of the surfaces whose shading normals differ from the geometric ones.
    smooth: u32,
}

impl<S: Simd> ShadingLanes<S> {
    #[inline(always)]
    pub(crate) fn new(simd: S, facing: &Vectors<S>, normal: &Vectors<S>, wo: &Vectors<S>) -> Self {
        let smooth = !(equal(normal, facing) | equal(normal, &negate(facing)));
        let smooth_lanes = bits_of(smooth);
        let mut shading = *facing;
        if smooth_lanes != 0 {
            let zero = f32x16::splat(simd, 0.0);
            let behind = dot(normal, facing).simd_lt(zero);
            let normal = select(behind, &negate(normal), normal);
            let missing = MIN_COSINE - dot(&normal, wo);
            let bent = add(&normal, &scale(wo, missing));
            let has_length = dot(&bent, &bent).simd_gt(zero);
            let bent = select(has_length, &normalize(&bent), facing);
            let seen = select(missing.simd_gt(zero), &bent, &normal);
            shading = select(smooth, &seen, facing);
        }
        Self { frames: Frames::around(simd, &shading), facing: *facing, smooth: smooth_lanes }
    }

    /// See [`Shading::agrees`], by the z of local directions.
    #[inline(always)]
    pub(crate) fn agree(
        &self,
        simd: S,
        local_z: f32x16<S>,
        direction: &Vectors<S>,
    ) -> mask32x16<S> {
        let zero = f32x16::splat(simd, 0.0);
        let (above, outside) = (local_z.simd_lt(zero), dot(direction, &self.facing).simd_lt(zero));
        mask_of(simd, !self.smooth) | above.simd_eq(outside)
    }

    /// The directions in the world of local ones, and which are on the right side of their surface. Those of
    /// `specular` surfaces are moved there.
    #[inline(always)]
    pub(crate) fn leave(
        &self,
        simd: S,
        local: &Vectors<S>,
        specular: mask32x16<S>,
    ) -> (Vectors<S>, mask32x16<S>) {
        let direction = normalize(&self.frames.to_world(local));
        let agrees = self.agree(simd, local[2], &direction);
        let astray = specular & !agrees;
        if bits_of(astray) == 0 {
            return (direction, agrees);
        }
        let depth = dot(&direction, &self.facing);
        // Slightly off the surface, on the side of the local direction.
        let side = f32x16::splat(simd, 1e-3).copysign(depth);
        let moved = normalize(&subtract(&direction, &scale(&self.facing, depth + side)));
        (select(astray, &moved, &direction), agrees | specular)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chi_square::Random;

    #[test]
    fn flat_surfaces_are_left_alone() {
        let mut random = Random(51);
        for _ in 0..1000 {
            let (facing, direction) = (random.direction(), random.direction());
            let shading = Shading::new(facing, -facing, facing, false);
            let local = shading.frame.to_local(direction);
            assert_eq!(local, Frame::around(facing).to_local(direction));
            assert!(shading.agrees(local, direction));
            // Even if rounding makes them disagree.
            assert!(shading.agrees(-local, direction));
        }
    }

    #[test]
    fn the_viewer_sees_the_front_and_light_stays_on_its_side() {
        let mut random = Random(52);
        for _ in 0..10_000 {
            let [facing, normal, wo] = [0, 1, 2].map(|_| random.direction());
            let wo = if wo.dot(facing) < 0.0 { -wo } else { wo };
            let shading = Shading::new(facing, normal, wo, false);
            assert!(shading.frame.to_local(wo).z > 0.0);
            let direction = random.direction();
            let local = shading.frame.to_local(direction);
            let above = direction.dot(facing) >= 0.0;
            assert_eq!(shading.agrees(local, direction), above == (local.z >= 0.0));
            let forced = shading.forced(local, direction);
            assert!((forced.length() - 1.0).abs() < 1e-5);
            assert_eq!(forced.dot(facing) >= 0.0, local.z >= 0.0);
        }
    }
}
