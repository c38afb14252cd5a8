//! Walks through the tree by many rays at once that go about the same way, such as those of a pixel from the camera.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, f32x16};
use glam::Vec3A;

use super::node::{Child, Node};
use super::{Bvh, splat};
use crate::lane_mask::lanes_of;
use crate::ray::Ray;
use crate::ray_lanes::RayLanes;

/// Covers the roundings of box tests.
const SLACK: f32 = 16.0 * f32::EPSILON;

/// Up to [`LANES`](crate::ray::LANES) rays, whose directions have the same sign on each axis, with bounds of their
/// origins and directions.
pub(crate) struct Beam<S: Simd> {
    pub(crate) rays: RayLanes<S>,
    /// Per axis the origin that is nearest to the planes ahead, and the one that is farthest from them.
    nearest: [f32x8<S>; 3],
    farthest: [f32x8<S>; 3],
    /// Bounds of the reciprocals of the directions.
    lowest: [f32x8<S>; 3],
    highest: [f32x8<S>; 3],
    /// For each axis, which plane the rays hit first.
    first: [usize; 3],
}

// As in `bvh`: no closures around vectors.
impl<S: Simd> Beam<S> {
    /// `None` for rays of different signs, and for none.
    #[inline(always)]
    pub(crate) fn new(simd: S, rays: &[Ray]) -> Option<Self> {
        let first = rays.first()?;
        let mut low = [first.origin, first.inverse()];
        let mut high = low;
        for ray in rays {
            let inverse = ray.inverse();
            low = [low[0].min(ray.origin), low[1].min(inverse)];
            high = [high[0].max(ray.origin), high[1].max(inverse)];
        }
        let backwards = low[1].cmplt(Vec3A::ZERO);
        if backwards != high[1].cmplt(Vec3A::ZERO) {
            return None;
        }
        Some(Self {
            rays: RayLanes::new(simd, rays),
            nearest: splat(simd, Vec3A::select(backwards, low[0], high[0])),
            farthest: splat(simd, Vec3A::select(backwards, high[0], low[0])),
            lowest: splat(simd, low[1]),
            highest: splat(simd, high[1]),
            first: [0, 1, 2].map(|axis| usize::from(backwards.test(axis))),
        })
    }

    /// Lower bounds of the distances at which the rays enter the boxes, and a bit mask of the boxes that any of them
    /// may enter before `t_max`.
    #[inline(always)]
    fn enter(&self, simd: S, node: &Node, t_max: f32) -> (f32x8<S>, u32) {
        let mut near = f32x8::splat(simd, 0.0);
        let mut far = f32x8::splat(simd, t_max);
        for axis in 0..3 {
            let [first, last] = [self.first[axis] & 1, (self.first[axis] ^ 1) & 1];
            let ahead = f32x8::load_array_ref(simd, &node.planes[axis][first]) - self.nearest[axis];
            let behind =
                f32x8::load_array_ref(simd, &node.planes[axis][last]) - self.farthest[axis];
            near = near.max((ahead * self.lowest[axis]).min(ahead * self.highest[axis]));
            far = far.min((behind * self.lowest[axis]).max(behind * self.highest[axis]));
        }
        let near = near * (1.0 - SLACK);
        (near, near.simd_le(far * (1.0 + SLACK)).to_bitmask() as u32)
    }
}

/// A child that is still to be visited.
struct Pending {
    child: Child,
    /// No ray enters it before this distance.
    near: f32,
    /// The rays that may enter it.
    lanes: u32,
}

impl Bvh {
    /// As [`walk`](Self::walk) for many rays: `visit` gets a bit mask of those that may enter the leaf, and returns the
    /// largest of their limits.
    #[inline(always)]
    pub(crate) fn walk_many<S: Simd>(
        &self,
        simd: S,
        beam: &Beam<S>,
        mut t_max: f32,
        mut visit: impl FnMut(usize, u32) -> f32,
    ) {
        let mut pending = Vec::with_capacity(64);
        if !self.nodes.is_empty() {
            pending.push(Pending { child: Child::ROOT, near: 0.0, lanes: u32::MAX });
        }
        while let Some(Pending { child, near, lanes }) = pending.pop() {
            if near > t_max {
                continue;
            }
            if child.is_leaf() {
                t_max = visit(child.index(), lanes);
                continue;
            }
            let node = &self.nodes[child.index()];
            let (near, entered) = beam.enter(simd, node, t_max);
            let (near, bottom) = (near.as_array(), pending.len());
            for at in lanes_of(entered) {
                let (child, near) = (node.children[at], near[at]);
                let mut lanes = u32::MAX;
                if child.is_leaf() {
                    let limit = f32x16::splat(simd, t_max * (1.0 + SLACK));
                    lanes = beam.rays.enter(simd, &node.bounds(at), limit).to_bitmask() as u32;
                    if lanes == 0 {
                        continue;
                    }
                }
                let mut place = pending.len();
                pending.push(Pending { child, near, lanes });
                while place > bottom && pending[place - 1].near < pending[place].near {
                    pending.swap(place - 1, place);
                    place -= 1;
                }
            }
        }
    }
}
