//! Light along paths: what one sample of a picture is worth.

mod bdpt;
mod choice;
mod features;
mod medium;
mod panes;
mod path;
mod roulette;
mod scenery;
mod vertex;

use glam::{UVec2, Vec2, Vec3A};

pub(crate) use bdpt::{LightPaths, Splat};
pub use choice::choose_integrator;
pub(crate) use features::{Features, features};

use crate::sampler::Sampler;
use crate::settings::{Integrator, RenderSettings};
use crate::world::World;

/// What the paths of one sample have found.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PathResult {
    /// Radiance in W/(sr m^2) per channel, always finite.
    pub(crate) radiance: Vec3A,
    /// Rays traced, shadow rays included.
    pub(crate) rays: u32,
    /// Whether the radiance was not finite and has been replaced by 0.
    pub(crate) rejected: bool,
}

/// Where a sample looks, and which of the many that look there it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    /// Column and row of the square the sample stands for.
    pub(crate) place: UVec2,
    /// Among the samples of that square.
    pub(crate) index: u32,
    /// Of the picture, in pixels.
    pub(crate) size: Vec2,
    /// Top left corner of the square, in pixels.
    pub(crate) corner: Vec2,
    /// Edges of the square, in pixels.
    pub(crate) block: Vec2,
}

impl Window {
    /// The point of the picture, each coordinate in 0..1, that two numbers in 0..1 stand for.
    fn at(&self, x: f32, y: f32) -> Vec2 {
        (self.corner + self.block * Vec2::new(x, y)) / self.size
    }

    /// The numbers of the path from the camera.
    fn sampler(&self, seed: u64) -> Sampler {
        Sampler::new(seed, self.place.x, self.place.y, self.index)
    }

    /// The numbers of what belongs to the whole picture, which has a square for each pixel.
    fn sampler_of_picture(&self, seed: u64) -> Sampler {
        let [width, height] = self.size.as_uvec2().to_array().map(u64::from);
        let [x, y] = self.place.to_array().map(u64::from);
        Sampler::of_picture(seed, u64::from(self.index) * width * height + y * width + x)
    }

    fn aspect(&self) -> f32 {
        self.size.x / self.size.y
    }
}

/// Makes one sample of a picture. Light that was followed from the sources goes to the light paths.
pub(crate) type SamplePicture = fn(&World, &RenderSettings, &Window, &mut LightPaths) -> PathResult;

/// How samples of a picture are made by the integrator of the settings; [`Integrator::Path`] stands in
/// where the other cannot go. It is chosen once for many samples, so that none of them asks what the
/// world has.
pub(crate) fn way_to_sample(world: &World, settings: &RenderSettings) -> SamplePicture {
    match settings.integrator {
        Integrator::Bdpt if world.is_for(Integrator::Bdpt) => bdpt::sample,
        _ => path::way_to_sample(world),
    }
}
