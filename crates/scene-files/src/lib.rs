//! Reads and writes scene files of other programs.
//!
//! [`import`] makes a scene of a glTF, OBJ, PLY, STL or PBRT file; [`export`] writes a scene as glTF, OBJ or
//! PBRT. Both list what the other side cannot hold in notes, one sentence for each loss.
//!
//! Each format has a reader and a writer in its own folder. Readers fill a `SceneBuilder`; writers
//! go through `Instances` (meshes with materials) and `TextureExporter` (images and baked textures).
//! `ImageTexture` is the one model of an image on a surface between all of them.
//!
//! There is no I/O here: closures get the files that a file names, and [`mesh_files::Limits`] bound
//! what an import may hold.

mod cancel;
mod error;
mod export;
mod gltf;
mod image_texture;
mod import;
mod mesh_transform;
mod obj;
mod pbrt;
mod uv_transform;

use std::path::Path;

pub use cancel::Cancelled;
pub use error::SceneFileError;
pub use export::{
    AssetSize, Bounds, Content, Estimate, Exported, ImageSource, MeshSource, Sources, export,
};
pub use import::{Axes, FileSource, Imported, NamedImage, NamedMesh, UpAxis, import};

/// A format of scene files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The JSON of this program.
    Scene,
    /// glTF 2.0 as JSON.
    Gltf,
    /// glTF 2.0 as one binary file.
    Glb,
    /// Wavefront OBJ with an MTL file beside it.
    Obj,
    /// Stanford PLY: one mesh.
    Ply,
    /// STL: one mesh.
    Stl,
    /// PBRT, version 4.
    Pbrt,
}

impl Format {
    /// All formats with their file extensions.
    pub const ALL: [(&'static str, Self); 7] = [
        ("json", Self::Scene),
        ("gltf", Self::Gltf),
        ("glb", Self::Glb),
        ("obj", Self::Obj),
        ("ply", Self::Ply),
        ("stl", Self::Stl),
        ("pbrt", Self::Pbrt),
    ];

    /// Whether a file of this format holds one mesh and no scene. Such files are read only.
    pub fn is_mesh(self) -> bool {
        matches!(self, Self::Ply | Self::Stl)
    }

    /// The format of a file by its extension, in upper or lower case.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.iter().find(|(known, _)| *known == extension).map(|(_, format)| *format)
    }
}
