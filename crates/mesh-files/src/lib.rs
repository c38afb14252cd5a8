//! Reads meshes from PLY, OBJ, glTF and GLB files, and writes PLY.
//!
//! [`read`] turns the bytes of one file into triangles and does no I/O; [`Folder`] finds the files a
//! scene names, images included. What a file says of its own size is checked against the file and against [`Limits`]
//! before anything is allocated for it, and a file never says which other files are read outside of
//! its folder.

mod append;
mod error;
mod folder;
mod gltf;
mod limits;
mod obj;
mod ply;
mod write;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

pub use media::MeshData;

pub use error::{MAX_FILE_BYTES, MeshFileError};
pub use folder::{Folder, SceneMedia, read_regular};
pub use gltf::{GltfFile, Matrix, Placed, place};
pub use limits::Limits;
pub use obj::{ObjFile, ObjPart};
pub use write::write_ply;

/// What kind of file holds a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Stanford polygons, text or binary.
    Ply,
    /// Wavefront.
    Obj,
    /// glTF 2.0, as JSON or as GLB.
    Gltf,
}

impl Format {
    /// By the ending of a name, in any case.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "ply" => Some(Self::Ply),
            "obj" => Some(Self::Obj),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }
}

/// Reads a file of a given format that needs no other files. All meshes in it become one; materials
/// are left out.
pub fn read(bytes: &[u8], format: Format) -> Result<MeshData, MeshFileError> {
    read_within(bytes, format, &Limits::default())
}

/// As [`read`], up to `limits`: for files of people one does not know. What is allocated on the way is
/// in proportion to the limits and to the file.
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

/// As [`read`], for a file that may name others beside it.
fn read_with(
    bytes: &[u8],
    format: Format,
    limits: &Limits,
    beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, MeshFileError>,
) -> Result<MeshData, MeshFileError> {
    let read = || match format {
        Format::Ply => ply::read(bytes, limits),
        Format::Obj => obj::read(bytes, limits),
        Format::Gltf => gltf::read(bytes, limits, beside),
    };
    guarded(read)
}

/// Damaged files make some of the libraries panic, e.g. where they count indices: that is a error of
/// the file. Nothing that was read by then is used any more.
pub fn guarded<T, E: From<MeshFileError>>(read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(MeshFileError::malformed("the file is damaged beyond reading").into())
    })
}
