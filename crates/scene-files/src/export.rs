//! What writing a scene comes to.

use std::collections::BTreeSet;

use scene::{Environment, Light, Material, Scene, Shape};

use crate::{
    AssetSize, Bounds, Cancelled, Content, Estimate, Format, ImageSource, MeshSource,
    SceneFileFault, gltf, go_on, obj, pbrt,
};

/// A written scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exported {
    /// The names and contents of the files; the first is the scene, the others it names.
    pub files: Vec<(String, Content)>,
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

/// What an export draws on.
pub struct Sources<'a> {
    /// Gets the triangles of the meshes that shapes name.
    pub meshes: MeshSource<'a>,
    /// Gets the files of the images that materials name.
    pub images: ImageSource<'a>,
    /// Asked often; once it is true, nobody waits for the files any more.
    pub cancelled: Cancelled<'a>,
}

impl std::fmt::Debug for Sources<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sources").finish_non_exhaustive()
    }
}

impl Sources<'_> {
    /// Ends the work when nobody waits for it any more.
    pub(crate) fn check(&self) -> Result<(), SceneFileFault> {
        go_on(self.cancelled)
    }

    /// As [`check`](Self::check), in a loop with quick steps that are counted by `step`.
    pub(crate) fn check_now_and_then(&self, step: usize) -> Result<(), SceneFileFault> {
        if step.is_multiple_of(4096) { self.check() } else { Ok(()) }
    }
}

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

/// The scene with the larger part of each mix of materials in its place; `None` where there is no mix.
pub(crate) fn without_mixes(scene: &Scene) -> Option<Scene> {
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
