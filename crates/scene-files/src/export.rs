//! What writing a scene comes to.

use std::collections::BTreeSet;

use scene::{Environment, Light, Material, Scene};
use serde_json::Value;

use crate::{Format, MeshSource, SceneFileFault, gltf, obj, pbrt};

/// A written scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exported {
    /// The names and contents of the files; the first is the scene, the others it names.
    pub files: Vec<(String, Vec<u8>)>,
    /// What the format has no place for, one sentence each.
    pub notes: BTreeSet<String>,
}

impl Exported {
    pub(crate) fn note(&mut self, note: &str) {
        self.notes.insert(note.to_owned());
    }

    /// Notes what no format but ours can say of lights and materials.
    pub(crate) fn note_losses(&mut self, scene: &Scene) {
        if scene.shapes.iter().any(|shape| is_textured(&shape.material)) {
            self.note("a material with textures has one colour there, the middle of theirs");
        }
        if scene.lights.iter().any(|source| matches!(source.light, Light::AreaDiscSpotLight(_))) {
            self.note("a disc light with a cone shines to its whole side");
        }
    }
}

/// Writes a scene. `name` is what its files are called, without an ending; `meshes` gets the
/// triangles of the meshes its shapes name.
pub fn export(
    scene: &Scene,
    format: Format,
    name: &str,
    meshes: MeshSource<'_>,
) -> Result<Exported, SceneFileFault> {
    match format {
        Format::Gltf | Format::Glb => gltf::write(scene, format == Format::Glb, name, meshes),
        Format::Obj => obj::write(scene, name, meshes),
        Format::Pbrt => pbrt::write(scene, name, meshes),
        Format::Ply => Err(SceneFileFault::Unsupported(
            "a .ply file holds one mesh, not a scene; write .obj, .glb or .pbrt".into(),
        )),
        Format::Scene => {
            let text = serde_json::to_vec_pretty(&scene.to_json());
            let text = text.map_err(|error| SceneFileFault::Unsupported(error.to_string()))?;
            Ok(Exported { files: vec![(format!("{name}.json"), text)], ..Exported::default() })
        }
    }
}

/// Whether a property of a material varies over the surface.
fn is_textured(material: &Material) -> bool {
    let properties = material.resolved().to_json();
    properties.as_object().is_some_and(|properties| properties.values().any(Value::is_object))
}

/// The colour of the surroundings in the mean over all directions.
pub(crate) fn mean_radiance(environment: &Environment) -> [f64; 3] {
    match environment {
        Environment::Gradient(gradient) => {
            let (top, bottom) = (gradient.top_color.get(), gradient.bottom_color.get());
            std::array::from_fn(|at| f64::midpoint(top[at], bottom[at]))
        }
        Environment::Uniform(uniform) => uniform.emission.get(),
        Environment::Darkness(_) => [0.0; 3],
        // What the image shows is not known here.
        Environment::ImageEnvironment(image) => [0.5 * image.strength.get(); 3],
        // A clear sky by day, about.
        Environment::Sky(_) => [0.5, 0.6, 0.75],
    }
}
