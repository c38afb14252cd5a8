//! Merging of meshes.

use media::{MeshData, MeshError};

use crate::error::MeshFileError;

/// Appends a part to a mesh. The mesh has normals and UV coordinates only if every part has them.
pub(crate) fn append(mesh: &mut MeshData, part: MeshData) -> Result<(), MeshFileError> {
    let first = mesh.positions.len();
    if u32::try_from(first + part.positions.len()).is_err() {
        return Err(too_many());
    }
    // After the shift an invalid index would refer to a vertex of another part.
    let vertices = part.positions.len();
    for (triangle, corners) in part.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices) {
            return Err(MeshError::NoSuchVertex { triangle, vertex, vertices }.into());
        }
    }
    let keeps = |mesh: usize, part: usize| mesh == first && part == vertices;
    if keeps(mesh.normals.len(), part.normals.len()) {
        mesh.normals.extend(part.normals);
    } else {
        mesh.normals.clear();
    }
    if keeps(mesh.uv.len(), part.uv.len()) {
        mesh.uv.extend(part.uv);
    } else {
        mesh.uv.clear();
    }
    mesh.positions.extend(part.positions);
    let shift = first as u32;
    mesh.triangles.extend(part.triangles.iter().map(|corners| corners.map(|at| at + shift)));
    Ok(())
}

/// The index of the next vertex of a mesh.
pub(crate) fn next_vertex(mesh: &MeshData) -> Result<u32, MeshFileError> {
    u32::try_from(mesh.positions.len()).map_err(|_| too_many())
}

fn too_many() -> MeshFileError {
    MeshFileError::malformed("the file has more vertices than can be counted")
}
