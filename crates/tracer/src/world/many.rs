//! Many rays at once.
//!
//! In a world of few bodies all rays are tested side by side against each body; else each ray is traced
//! through the tree by itself, except rays from the camera: those of a pixel go through it together.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x16, mask32x16, u32x16};

use super::body::{Body, LIGHT_ADVANTAGE};
use super::{Content, World};
use crate::bvh::{Beam, Stacks, TraversalStack};
use crate::lane_mask::lanes_of;
use crate::primitive::{Intersection, Primitive};
use crate::ray::{LANES, Ray};
use crate::ray_lanes::{Met, RayLanes};
use crate::surface_kind::SurfaceKind;

/// For each ray the index of the body that it hits first.
pub(crate) type Nearest = [Option<(usize, Intersection)>; LANES];

impl World {
    /// Whether rays from the camera are traced by [`nearest_of_beam`](Self::nearest_of_beam): where that saves walks
    /// through trees.
    pub(crate) fn has_trees(&self) -> bool {
        self.content.boxes.is_empty() || self.content.has_instances
    }

    /// A body, given by its index.
    #[inline(always)]
    pub(crate) fn body(&self, index: usize) -> (&Primitive, &SurfaceKind) {
        let body = &self.content.bodies[index];
        (&body.primitive, &body.kind)
    }

    /// Finds the first hits of up to [`LANES`] rays, but of those whose bit is set in `known`; see
    /// [`hit`](Self::hit).
    pub(crate) fn nearest_of_many(&self, rays: &[Ray], known: u32, found: &mut Nearest) {
        dispatch!(self.level, simd => self.find_nearest(simd, rays, known, found));
    }

    /// The same first hits of rays that go about the same way.
    pub(crate) fn nearest_of_beam(&self, rays: &[Ray]) -> Nearest {
        let mut found = [None; LANES];
        dispatch!(self.level, simd => self.find_nearest_of_beam(simd, rays, &mut found));
        found
    }

    #[inline(always)]
    fn find_nearest<S: Simd>(&self, simd: S, rays: &[Ray], known: u32, found: &mut Nearest) {
        let unknown = mask_of(rays) & !known;
        if self.content.boxes.is_empty() {
            let mut stacks = Stacks::new();
            for lane in lanes_of(unknown) {
                found[lane] = self.nearest(simd, &mut stacks, &rays[lane]);
            }
        } else if unknown != 0 {
            self.content.find_nearest(simd, rays, unknown, found);
        }
    }

    #[inline(always)]
    fn find_nearest_of_beam<S: Simd>(&self, simd: S, rays: &[Ray], found: &mut Nearest) {
        match Beam::new(simd, rays) {
            Some(beam) => self.content.find_nearest_of_beam(simd, rays, &beam, found),
            None => self.find_nearest(simd, rays, 0, found),
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

/// The first hits of many rays among the bodies met so far.
struct FirstHits<S: Simd> {
    /// The distance times the handicap of the body.
    rank: f32x16<S>,
    distance: f32x16<S>,
    body: u32x16<S>,
    part: u32x16<S>,
}

impl<S: Simd> FirstHits<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        let none = f32x16::splat(simd, f32::INFINITY);
        let (body, part) = (u32x16::splat(simd, u32::MAX), u32x16::splat(simd, 0));
        Self { rank: none, distance: none, body, part }
    }

    /// Up to where hits count. A light slightly behind the nearest hit may still win.
    #[inline(always)]
    fn limit(&self) -> f32x16<S> {
        self.rank * (1.0 + 2.0 * LIGHT_ADVANTAGE)
    }

    /// Of bodies at one distance the first of the world counts, in whichever order they are met.
    #[inline(always)]
    fn add(&mut self, simd: S, (at, body): (usize, &Body), met: &Met<S>) {
        let rank = met.distance * body.handicap;
        let at = u32x16::splat(simd, at as u32);
        let first = rank.simd_lt(self.rank) | (rank.simd_eq(self.rank) & at.simd_lt(self.body));
        let nearer = met.mask & first;
        self.rank = nearer.select(rank, self.rank);
        self.distance = nearer.select(met.distance, self.distance);
        self.body = nearer.select(at, self.body);
        self.part = nearer.select(met.part, self.part);
    }

    /// Stores those of the rays whose bit is set in `lanes`.
    #[inline(always)]
    fn store(&self, lanes: u32, found: &mut Nearest) {
        let (body, distance, part) =
            (self.body.as_array(), self.distance.as_array(), self.part.as_array());
        for lane in lanes_of(lanes) {
            let intersection = Intersection { distance: distance[lane], part: part[lane] };
            found[lane] = (body[lane] != u32::MAX).then_some((body[lane] as usize, intersection));
        }
    }
}

impl Content {
    #[inline(always)]
    fn find_nearest<S: Simd>(&self, simd: S, rays: &[Ray], unknown: u32, found: &mut Nearest) {
        let lanes = RayLanes::new(simd, rays);
        let stack = &mut TraversalStack::new();
        let mut hits = FirstHits::new(simd);
        for (at, (body, bounds)) in self.bodies.iter().zip(&self.boxes).enumerate() {
            let limit = hits.limit();
            let met = meet(simd, &body.primitive, &lanes).unwrap_or_else(
                #[inline(always)]
                || {
                    let entered = lanes.enter(simd, bounds, limit).to_bitmask() as u32;
                    meet_one_by_one(
                        simd,
                        stack,
                        (&body.primitive, rays),
                        (entered & unknown, limit),
                    )
                },
            );
            hits.add(simd, (at, body), &met);
        }
        hits.store(unknown, found);
    }

    #[inline(always)]
    fn find_nearest_of_beam<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray],
        beam: &Beam<S>,
        found: &mut Nearest,
    ) {
        let mut hits = FirstHits::new(simd);
        let all = mask_of(rays);
        self.bvh.walk_many(
            simd,
            beam,
            f32::INFINITY,
            #[inline(always)]
            |leaf, entering| {
                for at in self.leaves[leaf].all() {
                    let (body, limit) = (&self.bodies[at], hits.limit());
                    let met = meet(simd, &body.primitive, &beam.rays).unwrap_or_else(
                        #[inline(always)]
                        || meet_beam(simd, (&body.primitive, rays), (entering & all, limit)),
                    );
                    hits.add(simd, (at, body), &met);
                }
                hits.limit().as_array()[..rays.len()].iter().copied().fold(0.0, f32::max)
            },
        );
        hits.store(all, found);
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

/// What the rays of the bit mask `entered`, which go about the same way, hit of a primitive before `t_max`.
#[inline(always)]
fn meet_beam<S: Simd>(
    simd: S,
    (primitive, rays): (&Primitive, &[Ray]),
    (entered, t_max): (u32, f32x16<S>),
) -> Met<S> {
    let found = primitive.intersect_beam(simd, rays, entered, t_max.as_array());
    let (mut distances, mut parts, mut met) = ([0.0; LANES], [0; LANES], 0);
    for (lane, hit) in found.iter().enumerate() {
        if let Some(hit) = hit {
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
