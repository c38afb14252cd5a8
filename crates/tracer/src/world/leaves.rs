//! The leaves of the tree over the bodies of a world.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

use super::body::Body;
use crate::bvh::LeafCosts;
use crate::lane_mask::least_of;
use crate::primitive::{Primitive, Sphere};
use crate::ray::Ray;

/// The number of bodies up to which a tree does not pay.
pub(super) const MAX_BODIES_WITHOUT_TREE: usize = 48;

/// The spheres that are tested at once.
const LANES: usize = 8;

/// Analytic intersections cost several box tests, which are done eight at once.
const COSTS: LeafCosts = LeafCosts { batch: 1, batch_cost: 4.0, largest: 4 };
/// Where nearly all bodies are spheres: eight of them cost little more than a node of eight boxes.
const COSTS_OF_SPHERES: LeafCosts = LeafCosts { batch: LANES, batch_cost: 2.0, largest: LANES };

/// The costs by which the tree over bodies is built.
pub(super) fn costs(bodies: &[Body]) -> LeafCosts {
    let spheres = bodies.iter().filter(|body| sphere_of(body).is_some()).count();
    if 20 * spheres > 19 * bodies.len() { COSTS_OF_SPHERES } else { COSTS }
}

/// Sorts the bodies of a leaf, given by their indices.
pub(super) fn spheres_first(bodies: &[Body], leaf: &mut [u32]) {
    leaf.sort_by_key(|index| sphere_of(&bodies[*index as usize]).is_none());
}

fn sphere_of(body: &Body) -> Option<&Sphere> {
    match &body.primitive {
        Primitive::Sphere(sphere) => Some(sphere),
        _ => None,
    }
}

/// The bodies of a leaf.
#[derive(Debug)]
pub(super) struct Leaf {
    /// The first of them; `None` where they are few.
    pub(super) spheres: Option<Box<Spheres>>,
    /// The others.
    pub(super) bodies: Range<usize>,
}

impl Leaf {
    /// The leaf of the bodies at `range`, in which spheres [come first](spheres_first).
    pub(super) fn new(bodies: &[Body], range: Range<usize>) -> Self {
        let here = bodies[range.clone()].iter();
        let spheres: Vec<(&Sphere, f32)> =
            here.map_while(|body| Some((sphere_of(body)?, body.handicap))).collect();
        if !(2..=LANES).contains(&spheres.len()) {
            return Self { spheres: None, bodies: range };
        }
        let others = range.start + spheres.len()..range.end;
        let spheres = Spheres::new(range.start, &spheres);
        Self { spheres: Some(Box::new(spheres)), bodies: others }
    }

    /// All its bodies, spheres among them.
    pub(super) fn all(&self) -> Range<usize> {
        self.spheres.as_ref().map_or(self.bodies.start, |spheres| spheres.first)..self.bodies.end
    }
}

/// Up to eight spheres side by side.
#[derive(Debug)]
pub(super) struct Spheres {
    center: [[f32; LANES]; 3],
    squared_radius: [f32; LANES],
    /// See [`Body::handicap`].
    handicap: [f32; LANES],
    /// The index of the first one.
    first: usize,
}

/// The nearest of the spheres that a ray hits.
pub(super) struct NearestSphere {
    pub(super) body: usize,
    pub(super) distance: f32,
    pub(super) rank: f32,
}

impl Spheres {
    fn new(first: usize, spheres: &[(&Sphere, f32)]) -> Self {
        // No ray hits a sphere whose radius is not a number.
        let mut all = Self {
            center: [[0.0; LANES]; 3],
            squared_radius: [f32::NAN; LANES],
            handicap: [1.0; LANES],
            first,
        };
        for (lane, (sphere, handicap)) in spheres.iter().enumerate() {
            for (axis, coordinate) in sphere.center.to_array().into_iter().enumerate() {
                all.center[axis][lane] = coordinate;
            }
            all.squared_radius[lane] = sphere.radius * sphere.radius;
            all.handicap[lane] = *handicap;
        }
        all
    }

    /// The distances, and a bit mask of the spheres that are hit in `0 < distance < t_max`; see
    /// [`Sphere::intersect`].
    #[inline(always)]
    fn meet<S: Simd>(&self, simd: S, ray: &Ray, t_max: f32) -> (f32x8<S>, u32) {
        let zero = f32x8::splat(simd, 0.0);
        let squared_radius = f32x8::load_array_ref(simd, &self.squared_radius);
        let ([x, y, z], direction) = (ray.origin.to_array(), ray.direction);
        let x = x - f32x8::load_array_ref(simd, &self.center[0]);
        let y = y - f32x8::load_array_ref(simd, &self.center[1]);
        let z = z - f32x8::load_array_ref(simd, &self.center[2]);
        let along = -(x * direction.x + y * direction.y + z * direction.z);
        let across_x = x + along * direction.x;
        let across_y = y + along * direction.y;
        let across_z = z + along * direction.z;
        let across = across_x * across_x + across_y * across_y + across_z * across_z;
        let discriminant = squared_radius - across;
        let reached = discriminant.simd_ge(zero);
        if !reached.any_true() {
            return (zero, 0);
        }
        let c = x * x + y * y + z * z - squared_radius;
        let larger = along + discriminant.sqrt().copysign(along);
        let (outside, ahead) = (c.simd_gt(zero), along.simd_gt(zero));
        let distance = (!outside & ahead).select(larger, c / larger);
        let within = distance.simd_gt(zero) & distance.simd_lt(f32x8::splat(simd, t_max));
        (distance, (reached & (!outside | ahead) & within).to_bitmask() as u32)
    }

    /// The first sphere that the ray hits in `0 < distance < t_max`.
    #[inline(always)]
    pub(super) fn nearest<S: Simd>(&self, simd: S, ray: &Ray, t_max: f32) -> Option<NearestSphere> {
        let (distances, met) = self.meet(simd, ray, t_max);
        let ranks = distances * f32x8::load_array_ref(simd, &self.handicap);
        let (distances, ranks) = (distances.as_array(), ranks.as_array());
        let lane = least_of(ranks, met)?;
        Some(NearestSphere {
            body: self.first + lane,
            distance: distances[lane],
            rank: ranks[lane],
        })
    }

    /// Whether the ray hits any of them in `0 < distance < t_max`.
    #[inline(always)]
    pub(super) fn block<S: Simd>(&self, simd: S, ray: &Ray, t_max: f32) -> bool {
        self.meet(simd, ray, t_max).1 != 0
    }
}
