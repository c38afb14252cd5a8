//! What writing a scene comes to.

use std::collections::BTreeSet;

use scene::{Environment, Light, Material, Scene, Shape};

use crate::{Format, ImageSource, MeshSource, SceneFileFault, gltf, obj, pbrt};

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
        if scene.environment.fog().is_some() {
            self.note("other programs see no fog");
        }
        if scene.lights.iter().any(|source| matches!(source.light, Light::AreaDiscSpotLight(_))) {
            self.note("a disc light with a cone shines to its whole side");
        }
    }
}

/// Writes a scene. `name` is what its files are called, without an ending; `meshes` gets the
/// triangles of the meshes its shapes name, `images` the files of the images its materials name.
pub fn export(
    scene: &Scene,
    format: Format,
    name: &str,
    meshes: MeshSource<'_>,
    images: ImageSource<'_>,
) -> Result<Exported, SceneFileFault> {
    if format != Format::Scene
        && let Some(plain) = without_mixes(scene)
    {
        let mut exported = export(&plain, format, name, meshes, images)?;
        exported.note("of a mix of two materials the one of which there is more is written");
        return Ok(exported);
    }
    match format {
        Format::Gltf | Format::Glb => {
            gltf::write(scene, format == Format::Glb, name, (meshes, images))
        }
        Format::Obj => obj::write(scene, name, (meshes, images)),
        Format::Pbrt => pbrt::write(scene, name, (meshes, images)),
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

/// The scene with the larger part of each mix of materials in its place; `None` where there is no mix.
fn without_mixes(scene: &Scene) -> Option<Scene> {
    let is_mix = |material: &Material| matches!(material.resolved(), Material::Mix(_));
    let mut plain =
        scene.shapes.iter().any(|shape| is_mix(&shape.material)).then(|| scene.clone())?;
    for shape in plain.shapes.iter_mut().filter(|shape| is_mix(&shape.material)) {
        let mut changed = Shape::clone(shape);
        changed.material = shape.material.main_part().clone();
        *shape = changed.into();
    }
    Some(plain)
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
