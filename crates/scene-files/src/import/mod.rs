//! Import: a scene from the file of another program.

mod axes;
mod builder;
mod file_source;
mod image_cache;

use mesh_files::Limits;

use crate::{Cancelled, Format, SceneFileError, gltf, obj, pbrt};

pub use axes::{Axes, UpAxis};
pub(crate) use builder::SceneBuilder;
pub use builder::{Imported, NamedImage, NamedMesh};
pub use file_source::FileSource;
pub(crate) use image_cache::ImageCache;

/// Reads a scene from a file.
///
/// - `name`, the file name without its extension, names objects that have no name in the file.
/// - `files` reads the files that the file names.
/// - `limits` bound the meshes. Sizes that the file states are checked against them, and against the
///   length of the file, before memory is allocated.
/// - `cancelled` is polled; once it returns true, the import ends with [`SceneFileError::Cancelled`].
pub fn import(
    bytes: &[u8],
    format: Format,
    name: &str,
    limits: &Limits,
    files: FileSource<'_>,
    cancelled: Cancelled<'_>,
) -> Result<Imported, SceneFileError> {
    mesh_files::guarded(|| match format {
        Format::Gltf | Format::Glb => gltf::read(bytes, name, limits, files, cancelled),
        Format::Obj => obj::read(bytes, name, limits, files, cancelled),
        Format::Ply => obj::read_mesh(bytes, mesh_files::Format::Ply, name, limits, cancelled),
        Format::Stl => obj::read_mesh(bytes, mesh_files::Format::Stl, name, limits, cancelled),
        Format::Pbrt => pbrt::read(bytes, limits, files, cancelled),
        Format::Scene => Err(SceneFileError::Unsupported(
            "this is a scene file already: it needs no import".into(),
        )),
    })
}
