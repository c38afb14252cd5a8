//! Triangle meshes with their BVH, shared by scenes.

mod block;
mod library;

use std::ops::Range;

use fearless_simd::{Simd, dispatch};
use glam::Vec3A;
use media::{MeshData, MeshError};
use rayon::prelude::*;
use scene::Aabb;

use crate::bounds::Bounds;
use crate::bvh::{Beam, Bvh, LeafCosts, TraversalStack};
use crate::instructions::InstructionSet;
use crate::lane_mask::lanes_of;
use crate::ray::{LANES as RAYS, Ray};

pub(crate) use block::Nearest;
use block::{Block, LANES, Sheared};
pub use library::{Meshes, form_triangles};

/// Testing eight triangles costs about as much as a node of eight boxes.
const COSTS: LeafCosts = LeafCosts { batch: LANES, batch_cost: 1.5, largest: LANES };

/// A mesh with its BVH. Takes 50 to 90 bytes per triangle for the tree and its copies of the
/// corners, and 12 bytes per triangle, 12 per vertex, 12 per normal and 8 per pair of UV
/// coordinates: see [`memory`](Self::memory).
#[derive(Debug)]
pub struct Mesh {
    data: MeshData,
    bounds: Bounds,
    bvh: Bvh,
    /// In the order of the tree.
    blocks: Vec<Block>,
}

/// A hit of a ray on a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshHit {
    /// In multiples of the ray direction's length.
    pub distance: f32,
    /// The index of the triangle.
    pub triangle: u32,
}

impl Mesh {
    /// Validates the data and builds the BVH on the current rayon pool. The result does not depend
    /// on the number of threads.
    pub fn new(data: MeshData) -> Result<Self, MeshError> {
        data.check()?;
        let corners = |triangle: usize| {
            data.triangles[triangle].map(|vertex| data.positions[vertex as usize])
        };
        let boxes: Vec<Bounds> = (0..data.triangles.len())
            .into_par_iter()
            .map(|triangle| {
                let points = corners(triangle).map(Vec3A::from_array);
                points.into_iter().fold(Bounds::EMPTY, Bounds::with_point)
            })
            .collect();
        let bounds = boxes.iter().copied().fold(Bounds::EMPTY, Bounds::union);
        let (bvh, order, leaves) = Bvh::build(&boxes, COSTS);
        let block = |leaf: Range<usize>| {
            Block::new(order[leaf].iter().map(|&number| (number, corners(number as usize))))
        };
        let blocks = leaves.into_par_iter().map(block).collect();
        Ok(Self { data, bounds, bvh, blocks })
    }

    /// The vertices and triangles.
    pub fn data(&self) -> &MeshData {
        &self.data
    }

    /// The bounding box of all vertices of triangles.
    pub fn bounds(&self) -> Aabb {
        let corner = |corner: Vec3A| corner.to_array().map(f64::from);
        Aabb { min: corner(self.bounds.min), max: corner(self.bounds.max) }
    }

    /// The bytes on the heap, including the data.
    pub fn memory(&self) -> usize {
        let MeshData { positions, triangles, normals, uv } = &self.data;
        self.bvh.memory()
            + size_of_val(self.blocks.as_slice())
            + size_of_val(positions.as_slice())
            + size_of_val(triangles.as_slice())
            + size_of_val(normals.as_slice())
            + size_of_val(uv.as_slice())
    }

    /// The first triangle hit by the ray from `origin` along `direction`, of any length, in `0 <
    /// distance < t_max`.
    pub fn intersect(
        &self,
        instructions: InstructionSet,
        origin: [f32; 3],
        direction: [f32; 3],
        t_max: f32,
    ) -> Option<MeshHit> {
        let ray = Ray::new(Vec3A::from_array(origin), Vec3A::from_array(direction));
        let nearest = dispatch!(instructions.level(), simd => {
            self.nearest(simd, &mut TraversalStack::new(), &ray, t_max)
        })?;
        Some(MeshHit { distance: nearest.distance, triangle: nearest.triangle })
    }

    /// Whether the ray from `origin` along `direction`, of any length, hits any triangle in `0 <
    /// distance < t_max`.
    pub fn is_met(
        &self,
        instructions: InstructionSet,
        origin: [f32; 3],
        direction: [f32; 3],
        t_max: f32,
    ) -> bool {
        let ray = Ray::new(Vec3A::from_array(origin), Vec3A::from_array(direction));
        dispatch!(instructions.level(), simd => {
            self.blocks(simd, &mut TraversalStack::new(), &ray, t_max)
        })
    }

    /// The first triangle that the ray hits in `0 < distance < t_max`.
    #[inline(always)]
    pub(crate) fn nearest<S: Simd>(
        &self,
        simd: S,
        stack: &mut TraversalStack,
        ray: &Ray,
        t_max: f32,
    ) -> Option<Nearest> {
        let sheared = Sheared::new(simd, ray);
        let mut nearest = None;
        self.bvh.walk(
            simd,
            stack,
            ray,
            t_max,
            #[inline(always)]
            |block, t_max| self.keep_nearest(simd, block, &sheared, t_max, &mut nearest),
        );
        nearest
    }

    /// Keeps the nearer of `nearest` and the nearest triangle of a block, in `0 < distance < t_max`; returns the new
    /// limit.
    #[inline(always)]
    fn keep_nearest<S: Simd>(
        &self,
        simd: S,
        block: usize,
        ray: &Sheared<S>,
        t_max: f32,
        nearest: &mut Option<Nearest>,
    ) -> f32 {
        // One at the same distance may come first.
        let limit = match nearest {
            Some(nearest) => nearest.distance.next_up(),
            None => t_max,
        };
        let Some(mut found) = self.blocks[block].nearest(simd, ray, limit) else { return t_max };
        found.place += (block * LANES) as u32;
        match nearest {
            Some(nearest) if !found.is_before(nearest) => {}
            _ => *nearest = Some(found),
        }
        found.distance
    }

    /// The index and the corners of the triangle at a [place](Nearest::place), which the walk that found it has left in
    /// the cache.
    #[inline(always)]
    pub(crate) fn triangle_at(&self, place: u32) -> (u32, [[f32; 3]; 3]) {
        let place = place as usize;
        self.blocks[place / LANES].triangle(place % LANES)
    }

    /// [`nearest`](Self::nearest) of those of the rays whose bit is set in `lanes`, up to their `limits`.
    #[inline(always)]
    pub(crate) fn nearest_of_many<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray],
        lanes: u32,
        limits: &[f32; RAYS],
    ) -> [Option<Nearest>; RAYS] {
        let mut nearest = [None; RAYS];
        let Some(beam) = Beam::new(simd, rays) else {
            let stack = &mut TraversalStack::new();
            for lane in lanes_of(lanes) {
                nearest[lane] = self.nearest(simd, stack, &rays[lane], limits[lane]);
            }
            return nearest;
        };
        let mut limits = *limits;
        let farthest = farthest_of(&limits, lanes);
        self.bvh.walk_many(
            simd,
            &beam,
            farthest,
            #[inline(always)]
            |block, entering| {
                for lane in lanes_of(entering & lanes) {
                    let ray = Sheared::new(simd, &rays[lane]);
                    let (limit, nearest) = (&mut limits[lane], &mut nearest[lane]);
                    *limit = self.keep_nearest(simd, block, &ray, *limit, nearest);
                }
                farthest_of(&limits, lanes)
            },
        );
        nearest
    }

    /// Whether the ray hits any triangle in `0 < distance < t_max`.
    #[inline(always)]
    pub(crate) fn blocks<S: Simd>(
        &self,
        simd: S,
        stack: &mut TraversalStack,
        ray: &Ray,
        t_max: f32,
    ) -> bool {
        let sheared = Sheared::new(simd, ray);
        let mut blocked = false;
        self.bvh.walk(
            simd,
            stack,
            ray,
            t_max,
            #[inline(always)]
            |block, t_max| {
                blocked = self.blocks[block].blocks(simd, &sheared, t_max);
                if blocked { -1.0 } else { t_max }
            },
        );
        blocked
    }
}

/// The largest of the limits of `lanes`.
#[inline(always)]
fn farthest_of(limits: &[f32; RAYS], lanes: u32) -> f32 {
    lanes_of(lanes).map(|lane| limits[lane]).fold(0.0, f32::max)
}

#[cfg(test)]
pub(crate) mod tests;
