//! Watertight intersection of a ray with eight triangles: a ray through a shared edge hits one of
//! its two triangles. Woop, Benthin, Wald 2013, "Watertight Ray/Triangle Intersection".

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

use crate::lane_mask::least_of;
use crate::ray::Ray;

/// The number of triangles of a block.
pub(super) const LANES: usize = 8;

/// Up to eight triangles in SoA layout.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct Block {
    /// By corner and axis; NaN for missing triangles.
    corners: [[[f32; LANES]; 3]; 3],
    triangles: [u32; LANES],
}

/// The nearest triangle of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Nearest {
    pub(crate) distance: f32,
    pub(crate) triangle: u32,
    /// Where the triangle is in the order of the tree: lane by lane, block by block.
    pub(crate) place: u32,
}

impl Nearest {
    /// Whether it is before `other`. Of triangles at one distance the first of the mesh is, so that the order in which
    /// they are met does not matter.
    #[inline(always)]
    pub(super) fn is_before(&self, other: &Self) -> bool {
        self.distance < other.distance
            || self.distance == other.distance && self.triangle < other.triangle
    }
}

/// A ray prepared for triangle tests: translated to the origin and sheared along the axis of its
/// largest component.
pub(super) struct Sheared<S: Simd> {
    /// The order of the axes; the largest is last.
    axes: [usize; 3],
    origin: [f32x8<S>; 3],
    /// The shear of the other two axes per unit along the largest one.
    shear: [f32x8<S>; 2],
    /// The factor from units along the largest axis to distances.
    scale: f32x8<S>,
}

// As in `bvh`: no closures around vectors.
impl<S: Simd> Sheared<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, ray: &Ray) -> Self {
        let longest = ray.direction.abs().max_position();
        let [x, y, z] = [(longest + 1) % 3, (longest + 2) % 3, longest];
        let (origin, direction) = (ray.origin.to_array(), ray.direction.to_array());
        let scale = 1.0 / direction[z];
        Self {
            axes: [x, y, z],
            origin: [
                f32x8::splat(simd, origin[x]),
                f32x8::splat(simd, origin[y]),
                f32x8::splat(simd, origin[z]),
            ],
            shear: [
                f32x8::splat(simd, -(direction[x] * scale)),
                f32x8::splat(simd, -(direction[y] * scale)),
            ],
            scale: f32x8::splat(simd, scale),
        }
    }

    /// A corner of the block's triangles in the sheared space.
    #[inline(always)]
    fn see(&self, simd: S, corner: &[[f32; LANES]; 3]) -> [f32x8<S>; 3] {
        let x = self.offset(simd, corner, 0);
        let y = self.offset(simd, corner, 1);
        let z = self.offset(simd, corner, 2);
        [z.mul_add(self.shear[0], x), z.mul_add(self.shear[1], y), z]
    }

    #[inline(always)]
    fn offset(&self, simd: S, corner: &[[f32; LANES]; 3], place: usize) -> f32x8<S> {
        f32x8::load_array_ref(simd, &corner[self.axes[place] % 3]) - self.origin[place]
    }
}

impl Block {
    /// A block of `triangles`, given by their index and corners; at most [`LANES`].
    pub(super) fn new(triangles: impl Iterator<Item = (u32, [[f32; 3]; 3])>) -> Self {
        let mut block = Self { corners: [[[f32::NAN; LANES]; 3]; 3], triangles: [u32::MAX; LANES] };
        for (lane, (number, corners)) in triangles.enumerate() {
            block.triangles[lane] = number;
            for (corner, point) in corners.iter().enumerate() {
                for (axis, coordinate) in point.iter().enumerate() {
                    block.corners[corner][axis][lane] = *coordinate;
                }
            }
        }
        block
    }

    /// The distances to the planes of the triangles, and a bit mask of those that are hit in `0 <
    /// distance < t_max`.
    ///
    /// The products of an edge function are rounded before the subtraction, not fused: only then do
    /// both triangles of an edge get opposite signs, which makes the test watertight.
    #[inline(always)]
    fn meet<S: Simd>(&self, simd: S, ray: &Sheared<S>, t_max: f32) -> (f32x8<S>, u32) {
        let a = ray.see(simd, &self.corners[0]);
        let b = ray.see(simd, &self.corners[1]);
        let c = ray.see(simd, &self.corners[2]);
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        let zero = f32x8::splat(simd, 0.0);
        let inside = u.min(v).min(w).simd_ge(zero) | u.max(v).max(w).simd_le(zero);
        if !inside.any_true() {
            return (zero, 0);
        }
        let along = u.mul_add(a[2], v.mul_add(b[2], w * c[2])) * ray.scale;
        // A triangle seen edge-on gives NaN, for which all comparisons are false.
        let distance = along / (u + v + w);
        let ahead = distance.simd_gt(zero) & distance.simd_lt(f32x8::splat(simd, t_max));
        (distance, (inside & ahead).to_bitmask() as u32)
    }

    /// The nearest triangle that the ray hits in `0 < distance < t_max`; the first of equal ones. Its place is that in
    /// the block.
    #[inline(always)]
    pub(super) fn nearest<S: Simd>(
        &self,
        simd: S,
        ray: &Sheared<S>,
        t_max: f32,
    ) -> Option<Nearest> {
        let (distances, met) = self.meet(simd, ray, t_max);
        let distances = distances.as_array();
        let lane = least_of(distances, met)?;
        let (distance, triangle) = (distances[lane], self.triangles[lane]);
        Some(Nearest { distance, triangle, place: lane as u32 })
    }

    /// A triangle's index and its corners.
    #[inline(always)]
    pub(super) fn triangle(&self, lane: usize) -> (u32, [[f32; 3]; 3]) {
        let lane = lane % LANES;
        (self.triangles[lane], self.corners.map(|corner| corner.map(|axis| axis[lane])))
    }

    /// Whether the ray hits any triangle in `0 < distance < t_max`.
    #[inline(always)]
    pub(super) fn blocks<S: Simd>(&self, simd: S, ray: &Sheared<S>, t_max: f32) -> bool {
        self.meet(simd, ray, t_max).1 != 0
    }
}
