//! What of a scene is written in a plainer form.

use scene::{Environment, Material, Scene, Shape};

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
