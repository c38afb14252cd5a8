//! Limits on meshes.

use media::MeshData;

use crate::MeshFileError;

/// The longest line of a text file, in bytes. Parsing a line takes about ten times as much memory.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// Limits on the meshes of a file. A small file may describe large meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Vertices of all meshes.
    pub vertices: usize,
    /// Triangles of all meshes.
    pub triangles: usize,
}

impl Default for Limits {
    /// Limits for local files. [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES) implies them for all
    /// formats but glTF, whose nodes may reuse a mesh.
    fn default() -> Self {
        Self { vertices: 1 << 26, triangles: 1 << 26 }
    }
}

impl Limits {
    /// Checks a mesh.
    pub fn check(&self, mesh: &MeshData) -> Result<(), MeshFileError> {
        self.check_vertices(mesh.positions.len())?;
        self.check_triangles(mesh.triangles.len())
    }

    /// The limits minus the size of a mesh.
    #[must_use]
    pub fn without(self, mesh: &MeshData) -> Self {
        Self {
            vertices: self.vertices.saturating_sub(mesh.positions.len()),
            triangles: self.triangles.saturating_sub(mesh.triangles.len()),
        }
    }

    pub(crate) fn check_vertices(&self, count: usize) -> Result<(), MeshFileError> {
        check("vertices", count, self.vertices)
    }

    pub(crate) fn check_triangles(&self, count: usize) -> Result<(), MeshFileError> {
        check("triangles", count, self.triangles)
    }
}

fn check(what: &'static str, count: usize, max: usize) -> Result<(), MeshFileError> {
    if count > max { Err(MeshFileError::TooMuch { what, max }) } else { Ok(()) }
}

/// The error for a line beyond [`MAX_LINE`].
pub(crate) fn line_too_long() -> MeshFileError {
    MeshFileError::malformed(format!("a line has more than {MAX_LINE} bytes"))
}
