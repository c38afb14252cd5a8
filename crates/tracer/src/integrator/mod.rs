//! Integrators: estimates of the radiance of a pixel.

mod batch;
mod bdpt;
mod choice;
mod features;
mod medium;
mod path;
mod roulette;
mod sample_fn;
mod scene_features;
mod transparent_shadows;
mod vertex;
mod vertex_numbers;
mod window;

pub(crate) use batch::{Batch, Taken};
pub(crate) use bdpt::Splat;
pub use choice::choose_integrator;
pub(crate) use features::{Features, features, hits_object};
pub(crate) use sample_fn::SampleFn;
pub(crate) use window::Window;

use crate::settings::{Integrator, RenderSettings};
use crate::world::World;

/// The integrator of the settings, or [`Integrator::Path`] where the world rules that one out. It is chosen
/// once for many samples, so that no sample checks what the world contains.
pub(crate) fn sample_fn(world: &World, settings: &RenderSettings) -> SampleFn {
    match settings.integrator {
        Integrator::Bdpt if world.is_for(Integrator::Bdpt) => bdpt::sample_all,
        _ => path::stream::sample_fn(world),
    }
}
