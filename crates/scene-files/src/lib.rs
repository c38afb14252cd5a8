//! Whole scenes from and to the files of other programs.
//!
//! [`import`] makes a scene of a glTF, OBJ, PLY or PBRT file, [`export`] writes one as glTF, OBJ or
//! PBRT. What a format has no place for, and what of a file is not understood, is told in notes:
//! nothing is left out in silence. Pure but for the [`Folder`](mesh_files::Folder) that finds the
//! files a file names, under the limits of [`mesh_files`].

mod bounds;
mod content;
mod draft;
mod estimate;
mod export;
mod fault;
mod gltf;
mod obj;
mod parts;
mod pbrt;
mod pictures;
mod placement;
mod plainer;
mod sources;
mod textures;
mod work;

use std::path::Path;

use mesh_files::Limits;

pub use bounds::{AssetSize, Bounds, Estimate};
pub use content::Content;
pub use draft::{Imported, NamedImage, NamedMesh};
pub use export::export;
pub use fault::SceneFileFault;
pub use sources::{Exported, ImageSource, MeshSource, Sources};
pub use work::{Beside, Cancelled};

/// What kind of file holds a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The scene file of this program.
    Scene,
    /// glTF 2.0 as JSON.
    Gltf,
    /// glTF 2.0 in one binary file.
    Glb,
    /// Wavefront, with its MTL beside it.
    Obj,
    /// Stanford polygons: one mesh.
    Ply,
    /// The text of PBRT, version 4.
    Pbrt,
}

impl Format {
    /// All there are, with the ending of their names.
    pub const ALL: [(&'static str, Self); 6] = [
        ("json", Self::Scene),
        ("gltf", Self::Gltf),
        ("glb", Self::Glb),
        ("obj", Self::Obj),
        ("ply", Self::Ply),
        ("pbrt", Self::Pbrt),
    ];

    /// By the ending of a name, in any case.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.iter().find(|(known, _)| *known == ending).map(|(_, format)| *format)
    }
}

/// Makes a scene of a file.
///
/// `name` is what the file is called, without its ending, for things it gives no name to; `beside`
/// gets the files it names. What a file says of its own size is checked against the file and `limits`
/// before anything is allocated for it. `cancelled` is asked often: once it is true, nobody waits for the
/// scene any more.
pub fn import(
    bytes: &[u8],
    format: Format,
    name: &str,
    limits: &Limits,
    beside: Beside<'_>,
    cancelled: Cancelled<'_>,
) -> Result<Imported, SceneFileFault> {
    mesh_files::guarded(|| match format {
        Format::Gltf | Format::Glb => gltf::read(bytes, name, limits, beside, cancelled),
        Format::Obj => obj::read(bytes, name, limits, beside, cancelled),
        Format::Ply => obj::read_ply(bytes, name, limits, cancelled),
        Format::Pbrt => pbrt::read(bytes, limits, beside, cancelled),
        Format::Scene => Err(SceneFileFault::Unsupported(
            "this is a scene file already: it needs no import".into(),
        )),
    })
}
