//! Reads meshes from PLY, STL, OBJ, glTF and GLB files, and writes PLY.
//!
//! [`read`] parses one file and does no I/O. [`Folder`] reads the meshes and images of a scene file. Sizes
//! that a file states are checked against its length and against [`Limits`] before memory is allocated. A
//! file cannot refer to files outside of its folder.

mod append;
mod error;
mod folder;
mod gltf;
mod limits;
mod obj;
mod ply;
mod stl;
mod write;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

pub use media::MeshData;

pub use error::{MAX_FILE_BYTES, MeshFileError};
pub use folder::{Folder, SceneMedia, read_regular};
pub use gltf::{GltfFile, Matrix, PlacedNode, transform_mesh};
pub use limits::Limits;
pub use obj::{ObjFile, ObjPart};
pub use write::write_ply;

/// A mesh format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Stanford PLY, text or binary.
    Ply,
    /// STL, text or binary.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// glTF 2.0, as JSON or as GLB.
    Gltf,
}

impl Format {
    /// The format of a file by its extension, in upper or lower case.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "ply" => Some(Self::Ply),
            "stl" => Some(Self::Stl),
            "obj" => Some(Self::Obj),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }
}

/// Reads a file that refers to no other files. All its meshes become one, without materials.
pub fn read(bytes: &[u8], format: Format) -> Result<MeshData, MeshFileError> {
    read_within(bytes, format, &Limits::default())
}

/// [`read`] with limits, for untrusted files. The memory it allocates is proportional to the limits and to
/// the length of the file.
pub fn read_within(
    bytes: &[u8],
    format: Format,
    limits: &Limits,
) -> Result<MeshData, MeshFileError> {
    read_with(bytes, format, limits, &mut |name| {
        Err(MeshFileError::malformed(format!(
            "'{name}' must be inside the file, as in a .glb file"
        )))
    })
}

/// [`read`] for a file that may refer to others beside it.
fn read_with(
    bytes: &[u8],
    format: Format,
    limits: &Limits,
    beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, MeshFileError>,
) -> Result<MeshData, MeshFileError> {
    let read = || match format {
        Format::Ply => ply::read(bytes, limits),
        Format::Stl => stl::read(bytes, limits),
        Format::Obj => obj::read(bytes, limits),
        Format::Gltf => gltf::read(bytes, limits, beside),
    };
    guarded(read)
}

/// Turns a panic into an error: some parsers panic on damaged files, for example on index overflows. Their
/// state is dropped.
pub fn guarded<T, E: From<MeshFileError>>(read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(MeshFileError::malformed("the file is damaged beyond reading").into())
    })
}
