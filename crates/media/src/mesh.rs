//! Meshes of triangles as data.

use scene::{Aabb, MAX_COORDINATE};

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
    /// Whether it can be rendered: indices and numbers are in range, lists are of the same length.
    pub fn check(&self) -> Result<(), MeshError> {
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
pub enum MeshError {
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
    #[error("vertex {vertex} lies at {position:?}; coordinates must be within ±{MAX_COORDINATE}")]
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
