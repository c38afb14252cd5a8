//! Parts of a scene that no other format holds, in a simpler form.

use scene::{Environment, Material, Scene, Shape};

/// The scene with each mix of materials replaced by the larger share; `None` if there are no mixes.
pub(crate) fn without_mixes(scene: &Scene) -> Option<Scene> {
    let is_mix = |material: &Material| matches!(material.resolved(), Material::Mix(_));
    let mut simple =
        scene.shapes.iter().any(|shape| is_mix(&shape.material)).then(|| scene.clone())?;
    for shape in simple.shapes.iter_mut().filter(|shape| is_mix(&shape.material)) {
        let mut changed = Shape::clone(shape);
        changed.material = shape.material.main_part().clone();
        *shape = changed.into();
    }
    Some(simple)
}

/// The mean radiance of the environment over all directions; an estimate for images and skies.
pub(crate) fn mean_radiance(environment: &Environment) -> [f64; 3] {
    match environment {
        Environment::Gradient(gradient) => {
            let (top, bottom) = (gradient.top_color.get(), gradient.bottom_color.get());
            std::array::from_fn(|at| f64::midpoint(top[at], bottom[at]))
        }
        Environment::Uniform(uniform) => uniform.emission.get(),
        Environment::Darkness(_) => [0.0; 3],
        // The image is not loaded.
        Environment::ImageEnvironment(image) => [0.5 * image.strength.get(); 3],
        // About that of a clear sky by day.
        Environment::Sky(_) => [0.5, 0.6, 0.75],
    }
}
