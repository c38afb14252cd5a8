//! What writing a scene comes to.

use scene::Scene;

use crate::plainer::without_mixes;
use crate::{
    AssetSize, Bounds, Estimate, Exported, Format, SceneFileFault, Sources, gltf, obj, pbrt,
};

/// Writes a scene. `name` is what its files are called, without an ending. What is beyond `bounds` is
/// refused before anything is written.
pub fn export(
    scene: &Scene,
    format: Format,
    name: &str,
    sources: &mut Sources<'_>,
    bounds: &Bounds,
) -> Result<Exported, SceneFileFault> {
    if format != Format::Scene
        && let Some(plain) = without_mixes(scene)
    {
        let mut exported = export(&plain, format, name, sources, bounds)?;
        exported.note("of a mix of two materials the one of which there is more is written");
        return Ok(exported);
    }
    // What is not known of assets is counted when they are there.
    bounds.check(&Estimate::of(scene, format, &|_| AssetSize::default()), format)?;
    match format {
        Format::Gltf | Format::Glb => {
            gltf::write(scene, format == Format::Glb, name, sources, bounds)
        }
        Format::Obj => obj::write(scene, name, sources, bounds),
        Format::Pbrt => pbrt::write(scene, name, sources, bounds),
        Format::Ply => Err(SceneFileFault::Unsupported(
            "a .ply file holds one mesh, not a scene; write .obj, .glb or .pbrt".into(),
        )),
        Format::Scene => {
            let text = serde_json::to_vec_pretty(&scene.to_json());
            let text = text.map_err(|error| SceneFileFault::Unsupported(error.to_string()))?;
            Ok(Exported {
                files: vec![(format!("{name}.json"), text.into())],
                ..Exported::default()
            })
        }
    }
}
