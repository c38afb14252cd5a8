//! Reads meshes from PLY, OBJ, glTF and GLB files, and writes PLY.
//!
//! [`read`] turns the bytes of one file into triangles and does no I/O; [`Folder`] finds the files a
//! scene names, images included. What a file says of its own size is checked against the file and against [`Limits`]
//! before anything is allocated for it, and a file never says which other files are read outside of
//! its folder.

mod folder;
mod gltf;
mod limits;
mod obj;
mod ply;
mod write;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use image_files::ImageFault;
use tracer::MeshFault;

pub use tracer::MeshData;

pub use folder::{Folder, read_regular};
pub use gltf::{GltfFile, Matrix, Placed, place};
pub use limits::Limits;
pub use obj::{ObjFile, ObjPart};
pub use write::write_ply;

/// The largest file that is read, in bytes.
pub const LARGEST_FILE: u64 = 1 << 30;

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

/// What is wrong with a mesh file.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// The name does not say what it is.
    #[error("the name must end in .ply, .obj, .gltf or .glb")]
    UnknownFormat,
    /// The name does not say what kind of image it is.
    #[error("the name must end in .png, .jpg, .webp, .hdr or .exr")]
    UnknownImageFormat,
    /// It leads out of the folder.
    #[error("the path leads out of the folder of the scene file; put the file there")]
    Outside,
    /// It is not there.
    #[error("there is no such file beside the scene file")]
    Missing,
    /// It is a folder, a pipe or a device.
    #[error("this is not a regular file")]
    NoFile,
    /// It is there and cannot be read.
    #[error("the file cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It is too large.
    #[error("the file has {0} bytes; at most {LARGEST_FILE} are read")]
    TooLarge(u64),
    /// It means more than is read.
    #[error("the file has more {what} than the {most} that are read")]
    TooMuch {
        /// Of what.
        what: &'static str,
        /// How many are read.
        most: usize,
    },
    /// It is of a glTF version that is not read.
    #[error("this is glTF {0}; only glTF 2.0 is read: save it as that")]
    OldGltf(String),
    /// Nobody waits for it any more.
    #[error("the work was cancelled")]
    Cancelled,
    /// It breaks the rules of its format.
    #[error("{0}")]
    Malformed(String),
    /// It is a good file with a bad mesh.
    #[error(transparent)]
    Mesh(#[from] MeshFault),
    /// It is no good image.
    #[error(transparent)]
    Image(#[from] ImageFault),
}

impl FileFault {
    fn malformed(what: impl std::fmt::Display) -> Self {
        /// The messages of the libraries may go over several lines, and may quote a file's line of
        /// any length.
        const LONGEST: usize = 300;
        let text: String = what.to_string().chars().take(LONGEST).collect();
        Self::Malformed(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// Reads a file of a given format that needs no other files. All meshes in it become one; materials
/// are left out.
pub fn read(bytes: &[u8], format: Format) -> Result<MeshData, FileFault> {
    read_within(bytes, format, &Limits::default())
}

/// As [`read`], up to `limits`: for files of people one does not know. What is allocated on the way is
/// in proportion to the limits and to the file.
pub fn read_within(bytes: &[u8], format: Format, limits: &Limits) -> Result<MeshData, FileFault> {
    read_with(bytes, format, limits, &mut |name| {
        Err(FileFault::malformed(format!("'{name}' must be inside the file, as in a .glb file")))
    })
}

/// As [`read`], for a file that may name others beside it.
fn read_with(
    bytes: &[u8],
    format: Format,
    limits: &Limits,
    beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, FileFault>,
) -> Result<MeshData, FileFault> {
    let read = || match format {
        Format::Ply => ply::read(bytes, limits),
        Format::Obj => obj::read(bytes, limits),
        Format::Gltf => gltf::read(bytes, limits, beside),
    };
    guarded(read)
}

/// Damaged files make some of the libraries panic, e.g. where they count indices: that is a fault of
/// the file. Nothing that was read by then is used any more.
pub fn guarded<T, E: From<FileFault>>(read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(FileFault::malformed("the file is damaged beyond reading").into()))
}

/// Adds a part to a mesh. Normals and texture coordinates are only kept as long as every part has
/// them.
fn append(mesh: &mut MeshData, part: MeshData) -> Result<(), FileFault> {
    let first = mesh.positions.len();
    if u32::try_from(first + part.positions.len()).is_err() {
        return Err(FileFault::malformed("the file has more vertices than can be counted"));
    }
    // Checked before the shift: afterwards a vertex of another part would be meant.
    let vertices = part.positions.len();
    for (triangle, corners) in part.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices) {
            return Err(MeshFault::NoSuchVertex { triangle, vertex, vertices }.into());
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
