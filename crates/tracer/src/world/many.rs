//! Many rays at once.
//!
//! In a world of few bodies all rays are tested side by side against each body; else each ray is traced
//! through the tree by itself.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x16, mask32x16, u32x16};

use super::body::LIGHT_ADVANTAGE;
use super::{Content, World};
use crate::bvh::{Stacks, TraversalStack};
use crate::lane_mask::lanes_of;
use crate::primitive::{Intersection, Primitive};
use crate::ray::{LANES, Ray};
use crate::ray_lanes::{Met, RayLanes};

/// For each ray the index of the body that it hits first.
pub(crate) type Nearest = [Option<(usize, Intersection)>; LANES];

impl World {
    /// The first hits of up to [`LANES`] rays; see [`hit`](Self::hit).
    pub(crate) fn nearest_of_many(&self, rays: &[Ray]) -> Nearest {
        let mut found = [None; LANES];
        dispatch!(self.level, simd => self.find_nearest(simd, rays, &mut found));
        found
    }

    #[inline(always)]
    fn find_nearest<S: Simd>(&self, simd: S, rays: &[Ray], found: &mut Nearest) {
        if self.content.boxes.is_empty() {
            let mut stacks = Stacks::new();
            for (found, ray) in found.iter_mut().zip(rays) {
                *found = self.nearest(simd, &mut stacks, ray);
            }
        } else if !rays.is_empty() {
            self.content.find_nearest(simd, rays, found);
        }
    }

    /// A bit mask of the rays, up to [`LANES`], that hit anything before their distance.
    pub(crate) fn blocked_of_many(&self, rays: &[Ray], distances: &[f32; LANES]) -> u32 {
        dispatch!(self.level, simd => self.find_blocked(simd, rays, distances))
    }

    #[inline(always)]
    fn find_blocked<S: Simd>(&self, simd: S, rays: &[Ray], distances: &[f32; LANES]) -> u32 {
        let mut blocked = 0;
        if self.content.boxes.is_empty() {
            let mut stacks = Stacks::new();
            for (lane, (ray, distance)) in rays.iter().zip(distances).enumerate() {
                let is_blocked = self.is_blocked_with(simd, &mut stacks, ray, *distance);
                blocked |= u32::from(is_blocked) << lane;
            }
        } else if !rays.is_empty() {
            blocked = self.content.find_blocked(simd, rays, distances);
        }
        blocked
    }
}

impl Content {
    #[inline(always)]
    fn find_nearest<S: Simd>(&self, simd: S, rays: &[Ray], found: &mut Nearest) {
        let lanes = RayLanes::new(simd, rays);
        let stack = &mut TraversalStack::new();
        let mut nearest_rank = f32x16::splat(simd, f32::INFINITY);
        let mut distance = nearest_rank;
        let (mut index, mut part) = (u32x16::splat(simd, u32::MAX), u32x16::splat(simd, 0));
        for (at, (body, bounds)) in (0..).zip(self.bodies.iter().zip(&self.boxes)) {
            // A light slightly behind the nearest hit may still win.
            let t_max = nearest_rank * (1.0 + 2.0 * LIGHT_ADVANTAGE);
            let met = meet(simd, &body.primitive, &lanes).unwrap_or_else(
                #[inline(always)]
                || {
                    let entered = lanes.enter(simd, bounds, t_max).to_bitmask() as u32;
                    meet_one_by_one(simd, stack, (&body.primitive, rays), (entered, t_max))
                },
            );
            let rank = met.distance * body.handicap;
            let nearer = met.mask & rank.simd_lt(nearest_rank);
            nearest_rank = nearer.select(rank, nearest_rank);
            distance = nearer.select(met.distance, distance);
            index = nearer.select(u32x16::splat(simd, at), index);
            part = nearer.select(met.part, part);
        }
        let (index, distance, part) = (index.as_array(), distance.as_array(), part.as_array());
        for (lane, found) in found.iter_mut().enumerate().take(rays.len()) {
            let intersection = Intersection { distance: distance[lane], part: part[lane] };
            *found = (index[lane] != u32::MAX).then_some((index[lane] as usize, intersection));
        }
    }

    #[inline(always)]
    fn find_blocked<S: Simd>(&self, simd: S, rays: &[Ray], distances: &[f32; LANES]) -> u32 {
        let lanes = RayLanes::new(simd, rays);
        let distances = f32x16::load_array_ref(simd, distances);
        let stack = &mut TraversalStack::new();
        let all = mask_of(rays);
        let mut blocked = 0;
        for (body, bounds) in self.bodies.iter().zip(&self.boxes) {
            if let Some(met) = meet(simd, &body.primitive, &lanes) {
                blocked |= (met.mask & met.distance.simd_lt(distances)).to_bitmask() as u32;
                continue;
            }
            let entered = lanes.enter(simd, bounds, distances).to_bitmask() as u32;
            for lane in lanes_of(entered & all & !blocked) {
                let (ray, distance) = (&rays[lane], distances.as_array()[lane]);
                let is_blocked = body.primitive.blocks_with(simd, stack, ray, distance);
                blocked |= u32::from(is_blocked) << lane;
            }
        }
        blocked & all
    }
}

/// A bit for each ray.
#[inline(always)]
fn mask_of(rays: &[Ray]) -> u32 {
    (1 << rays.len()) - 1
}

/// What the rays hit of a primitive in `0 < distance`; `None` for kinds that they meet one by one.
#[inline(always)]
fn meet<S: Simd>(simd: S, primitive: &Primitive, lanes: &RayLanes<S>) -> Option<Met<S>> {
    Some(match primitive {
        Primitive::Sphere(shape) => shape.meet(simd, lanes),
        Primitive::Cuboid(shape) => shape.meet(simd, lanes),
        Primitive::Quad(shape) => shape.meet(simd, lanes),
        Primitive::Disc(shape) => shape.meet(simd, lanes),
        _ => return None,
    })
}

/// What the rays of the bit mask `entered` hit of a primitive before `t_max`, met one by one.
#[inline(always)]
fn meet_one_by_one<S: Simd>(
    simd: S,
    stack: &mut TraversalStack,
    (primitive, rays): (&Primitive, &[Ray]),
    (entered, t_max): (u32, f32x16<S>),
) -> Met<S> {
    let (mut distances, mut parts, mut met) = ([0.0; LANES], [0; LANES], 0);
    for lane in lanes_of(entered & mask_of(rays)) {
        let t_max = t_max.as_array()[lane];
        if let Some(hit) = primitive.intersect_with(simd, stack, &rays[lane], t_max) {
            (distances[lane], parts[lane]) = (hit.distance, hit.part);
            met |= 1 << lane;
        }
    }
    Met {
        distance: f32x16::load_array(simd, distances),
        part: u32x16::load_array(simd, parts),
        mask: mask32x16::from_bitmask(simd, met),
    }
}
