//! Triangle meshes in memory.

use scene::{Aabb, MAX_COORDINATE};

/// Triangles of a mesh, as many as its BVH can index.
pub const MAX_TRIANGLES: usize = 1 << 28;

/// A triangle mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshData {
    /// The vertices.
    pub positions: Vec<[f32; 3]>,
    /// Vertex indices, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// One normal for each vertex, of any length; empty for flat shading. Normals decide which side is
    /// the front.
    pub normals: Vec<[f32; 3]>,
    /// UV coordinates for each vertex; may be empty.
    pub uv: Vec<[f32; 2]>,
}

impl MeshData {
    /// Checks that indices and coordinates are in range, and that lists have the right lengths.
    pub fn check(&self) -> Result<(), MeshError> {
        check(self)
    }

    /// The bounding box of all triangles, whose indices must be valid; `None` without triangles.
    pub fn bounds(&self) -> Option<Aabb> {
        let corners = self.triangles.iter().flatten();
        let points = corners.map(|&vertex| self.positions[vertex as usize].map(f64::from));
        points.map(|point| Aabb { min: point, max: point }).reduce(Aabb::union)
    }
}

/// An invalid mesh.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// There are no triangles.
    #[error("the mesh has no triangles")]
    Empty,
    /// There are more than [`MAX_TRIANGLES`].
    #[error("the mesh has {0} triangles; at most {MAX_TRIANGLES} are possible")]
    TooLarge(usize),
    /// A vertex index is out of range.
    #[error("triangle {triangle} names vertex {vertex}, but there are {vertices} vertices")]
    NoSuchVertex {
        /// From 0.
        triangle: usize,
        /// From 0.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A coordinate is not finite or too large.
    #[error("vertex {vertex} lies at {position:?}; coordinates must be within ±{MAX_COORDINATE}")]
    OutOfRange {
        /// From 0.
        vertex: usize,
        /// Where it is.
        position: [f32; 3],
    },
    /// There is not one normal, or one pair of UV coordinates, for each vertex.
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

fn check(data: &MeshData) -> Result<(), MeshError> {
    let MeshData { positions, triangles, normals, uv } = data;
    let vertices = positions.len();
    if triangles.is_empty() {
        return Err(MeshError::Empty);
    }
    if triangles.len() > MAX_TRIANGLES {
        return Err(MeshError::TooLarge(triangles.len()));
    }
    for (what, found) in [("normals", normals.len()), ("texture coordinates", uv.len())] {
        if found != 0 && found != vertices {
            return Err(MeshError::WrongCount { what, found, vertices });
        }
    }
    let farthest = MAX_COORDINATE as f32;
    let outside = |position: &[f32; 3]| !position.iter().all(|x| x.abs() <= farthest);
    if let Some(vertex) = positions.iter().position(outside) {
        return Err(MeshError::OutOfRange { vertex, position: positions[vertex] });
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices) {
            return Err(MeshError::NoSuchVertex { triangle, vertex, vertices });
        }
    }
    Ok(())
}
