//! Meshes of triangles, made ready for rays once and shared by all scenes that show them.

mod block;
mod library;

use std::ops::Range;

use fearless_simd::{Simd, dispatch};
use glam::Vec3A;
use rayon::prelude::*;
use scene::{Aabb, FARTHEST};

use crate::bounds::Bounds;
use crate::bvh::{Bvh, LeafCosts};
use crate::instructions::InstructionSet;
use crate::ray::Ray;

pub(crate) use block::Nearest;
use block::{Block, LANES, Sheared};
pub use library::Meshes;

/// Eight triangles cost about as much as one node of eight boxes.
const COSTS: LeafCosts = LeafCosts { batch: LANES, batch_cost: 1.5, largest: LANES };

/// The most triangles of a mesh: what the places in its tree can count.
pub const MAX_TRIANGLES: usize = 1 << 28;

/// What a mesh is made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshData {
    /// The vertices.
    pub positions: Vec<[f32; 3]>,
    /// The vertices of each triangle, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// A normal for each vertex, of any length, or none for flat triangles. Where given they say
    /// which side is the front.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates of each vertex, or none.
    pub uv: Vec<[f32; 2]>,
}

impl MeshData {
    /// Whether a [`Mesh`] can be built of it.
    pub fn check(&self) -> Result<(), MeshFault> {
        check(self)
    }

    /// The smallest box around all vertices of triangles, which must exist; `None` without any.
    pub fn bounds(&self) -> Option<Aabb> {
        let corners = self.triangles.iter().flatten();
        let points = corners.map(|&vertex| self.positions[vertex as usize].map(f64::from));
        points.map(|point| Aabb { min: point, max: point }).reduce(Aabb::union)
    }
}

/// What is wrong with the data of a mesh.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeshFault {
    /// There is nothing to see.
    #[error("the mesh has no triangles")]
    Empty,
    /// It cannot be counted.
    #[error("the mesh has {0} triangles; at most {MAX_TRIANGLES} are possible")]
    TooLarge(usize),
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are {vertices} vertices")]
    NoSuchVertex {
        /// From 0.
        triangle: usize,
        /// From 0.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A number is not finite or too large.
    #[error("vertex {vertex} lies at {position:?}; coordinates must be within ±{FARTHEST}")]
    OutOfRange {
        /// From 0.
        vertex: usize,
        /// Where it is.
        position: [f32; 3],
    },
    /// Normals or texture coordinates are not one for each vertex.
    #[error("there are {found} {what} for {vertices} vertices")]
    WrongCount {
        /// "normals" or "texture coordinates".
        what: &'static str,
        /// How many are given.
        found: usize,
        /// How many vertices there are.
        vertices: usize,
    },
}

/// A mesh with the tree that finds its triangles. Takes 50 to 90 bytes a triangle for the tree and
/// its copies of the corners, beside 12 bytes a triangle, 12 a vertex, 12 a normal and 8 a pair of
/// texture coordinates: see [`memory`](Self::memory).
#[derive(Debug)]
pub struct Mesh {
    data: MeshData,
    bounds: Bounds,
    bvh: Bvh,
    /// In the order of the tree.
    blocks: Vec<Block>,
}

/// Where a ray meets a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshHit {
    /// In lengths of the direction of the ray.
    pub distance: f32,
    /// The number of the triangle.
    pub triangle: u32,
}

impl Mesh {
    /// Checks the data and builds the tree, on the rayon pool this is called in. The tree is the
    /// same on any number of threads.
    pub fn new(data: MeshData) -> Result<Self, MeshFault> {
        check(&data)?;
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
        let (bvh, order, leaves) = Bvh::build_over_leaves(&boxes, COSTS);
        let block = |leaf: Range<usize>| {
            Block::new(order[leaf].iter().map(|&number| (number, corners(number as usize))))
        };
        let blocks = leaves.into_par_iter().map(block).collect();
        Ok(Self { data, bounds, bvh, blocks })
    }

    /// What the mesh is made of.
    pub fn data(&self) -> &MeshData {
        &self.data
    }

    /// The smallest box around all vertices of triangles.
    pub fn bounds(&self) -> Aabb {
        let corner = |corner: Vec3A| corner.to_array().map(f64::from);
        Aabb { min: corner(self.bounds.min), max: corner(self.bounds.max) }
    }

    /// Bytes on the heap, the data included.
    pub fn memory(&self) -> usize {
        let MeshData { positions, triangles, normals, uv } = &self.data;
        self.bvh.memory()
            + size_of_val(self.blocks.as_slice())
            + size_of_val(positions.as_slice())
            + size_of_val(triangles.as_slice())
            + size_of_val(normals.as_slice())
            + size_of_val(uv.as_slice())
    }

    /// The first triangle that the ray from `origin` along `direction`, of any length, meets in
    /// `0 < distance < t_max`.
    pub fn intersect(
        &self,
        instructions: InstructionSet,
        origin: [f32; 3],
        direction: [f32; 3],
        t_max: f32,
    ) -> Option<MeshHit> {
        let ray = Ray::new(Vec3A::from_array(origin), Vec3A::from_array(direction));
        let nearest = dispatch!(instructions.level(), simd => self.nearest(simd, &ray, t_max))?;
        Some(MeshHit { distance: nearest.distance, triangle: nearest.triangle })
    }

    /// Whether the ray from `origin` along `direction`, of any length, meets any triangle in
    /// `0 < distance < t_max`.
    pub fn is_met(
        &self,
        instructions: InstructionSet,
        origin: [f32; 3],
        direction: [f32; 3],
        t_max: f32,
    ) -> bool {
        let ray = Ray::new(Vec3A::from_array(origin), Vec3A::from_array(direction));
        dispatch!(instructions.level(), simd => self.blocks(simd, &ray, t_max))
    }

    /// The first triangle the ray meets in `0 < distance < t_max`.
    #[inline(always)]
    pub(crate) fn nearest<S: Simd>(&self, simd: S, ray: &Ray, t_max: f32) -> Option<Nearest> {
        let sheared = Sheared::new(simd, ray);
        let mut nearest = None;
        self.bvh.walk(
            simd,
            ray,
            t_max,
            #[inline(always)]
            |blocks, t_max| match self.blocks[blocks.start].nearest(simd, &sheared, t_max) {
                Some(found) => {
                    nearest = Some(found);
                    found.distance
                }
                None => t_max,
            },
        );
        nearest
    }

    /// Whether the ray meets any triangle in `0 < distance < t_max`.
    #[inline(always)]
    pub(crate) fn blocks<S: Simd>(&self, simd: S, ray: &Ray, t_max: f32) -> bool {
        let sheared = Sheared::new(simd, ray);
        let mut blocked = false;
        self.bvh.walk(
            simd,
            ray,
            t_max,
            #[inline(always)]
            |blocks, t_max| {
                blocked = self.blocks[blocks.start].blocks(simd, &sheared, t_max);
                if blocked { -1.0 } else { t_max }
            },
        );
        blocked
    }
}

fn check(data: &MeshData) -> Result<(), MeshFault> {
    let MeshData { positions, triangles, normals, uv } = data;
    let vertices = positions.len();
    if triangles.is_empty() {
        return Err(MeshFault::Empty);
    }
    if triangles.len() > MAX_TRIANGLES {
        return Err(MeshFault::TooLarge(triangles.len()));
    }
    for (what, found) in [("normals", normals.len()), ("texture coordinates", uv.len())] {
        if found != 0 && found != vertices {
            return Err(MeshFault::WrongCount { what, found, vertices });
        }
    }
    let farthest = FARTHEST as f32;
    let outside = |position: &[f32; 3]| !position.iter().all(|x| x.abs() <= farthest);
    if let Some(vertex) = positions.iter().position(outside) {
        return Err(MeshFault::OutOfRange { vertex, position: positions[vertex] });
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices) {
            return Err(MeshFault::NoSuchVertex { triangle, vertex, vertices });
        }
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests;
