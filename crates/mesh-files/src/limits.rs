//! How much is read of a file at most.

use media::MeshData;

use crate::MeshFileError;

/// The longest line of a text file, in bytes: reading one takes some ten times as much.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// How much is read of a file at most: a file may be small and mean much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Vertices, in all meshes of the file together.
    pub vertices: usize,
    /// Triangles, in all meshes of the file together.
    pub triangles: usize,
}

impl Default for Limits {
    /// For files on one's own disk: [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES) holds no more anyway, but
    /// for glTF, whose nodes may show the same numbers over and over.
    fn default() -> Self {
        Self { vertices: 1 << 26, triangles: 1 << 26 }
    }
}

impl Limits {
    /// Whether a mesh is within the limits.
    pub fn check(&self, mesh: &MeshData) -> Result<(), MeshFileError> {
        self.check_vertices(mesh.positions.len())?;
        self.check_triangles(mesh.triangles.len())
    }

    /// What is left when a mesh has been taken.
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

fn check(what: &'static str, count: usize, most: usize) -> Result<(), MeshFileError> {
    if count > most { Err(MeshFileError::TooMuch { what, most }) } else { Ok(()) }
}

/// A line of a text file that is not read.
pub(crate) fn too_long_a_line() -> MeshFileError {
    MeshFileError::malformed(format!("a line has more than {MAX_LINE} bytes"))
}
