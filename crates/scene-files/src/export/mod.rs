//! Export: a scene as the files of another program.

mod bounds;
mod content;
mod estimate;
mod instances;
mod simplify;
mod sources;
mod textures;

use scene::Scene;

use crate::{Format, SceneFileError, gltf, obj, pbrt};
use simplify::without_mixes;

pub use bounds::{AssetSize, Bounds, Estimate};
pub use content::Content;
pub(crate) use content::TextWriter;
pub(crate) use instances::{Instance, Instances, Surface};
pub(crate) use simplify::mean_radiance;
pub use sources::{Exported, ImageSource, MeshSource, Sources};
pub(crate) use textures::{ImageFile, InstanceTextures, MaterialTextures, TextureExporter};

/// Writes a scene in a format. `name` is the name of its files without an extension. A scene that would
/// exceed `bounds` is refused before anything is written.
pub fn export(
    scene: &Scene,
    format: Format,
    name: &str,
    sources: &mut Sources<'_>,
    bounds: &Bounds,
) -> Result<Exported, SceneFileError> {
    if format != Format::Scene
        && let Some(simple) = without_mixes(scene)
    {
        let mut exported = export(&simple, format, name, sources, bounds)?;
        exported.note("of a mix of two materials the one of which there is more is written");
        return Ok(exported);
    }
    // Sizes of assets are checked when they are read.
    bounds.check(&Estimate::of(scene, format, &|_| AssetSize::default()), format)?;
    match format {
        Format::Gltf | Format::Glb => {
            gltf::write(scene, format == Format::Glb, name, sources, bounds)
        }
        Format::Obj => obj::write(scene, name, sources, bounds),
        Format::Pbrt => pbrt::write(scene, name, sources, bounds),
        Format::Ply | Format::Stl => Err(SceneFileError::Unsupported(
            "a .ply or .stl file holds one mesh, not a scene; write .obj, .glb or .pbrt".into(),
        )),
        Format::Scene => {
            let text = serde_json::to_vec_pretty(&scene.to_json());
            let text = text.map_err(|error| SceneFileError::Unsupported(error.to_string()))?;
            Ok(Exported {
                files: vec![(format!("{name}.json"), text.into())],
                ..Exported::default()
            })
        }
    }
}
