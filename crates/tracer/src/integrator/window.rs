//! The input and the output of one sample of a pixel.

use glam::{UVec2, Vec2, Vec3A};

use crate::sampler::Sampler;

/// The result of one sample of a pixel.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PathResult {
    /// Radiance in W/(sr m^2) per channel, always finite.
    pub(super) radiance: Vec3A,
    /// Rays traced, shadow rays included.
    pub(super) rays: u32,
    /// Whether the radiance was not finite and was replaced by 0.
    pub(super) rejected: bool,
}

/// The part of the image plane that a sample is taken from, and the index of the sample there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    /// The column and row of the block that the sample covers.
    pub(crate) place: UVec2,
    /// The index among the samples of that block.
    pub(crate) index: u32,
    /// The size of the image, in pixels.
    pub(crate) size: Vec2,
    /// The top left corner of the block, in pixels.
    pub(crate) corner: Vec2,
    /// The width and height of the block, in pixels.
    pub(crate) block: Vec2,
}

impl Window {
    /// The point of the picture, each coordinate in 0..1, for two random numbers in 0..1.
    pub(super) fn at(&self, x: f32, y: f32) -> Vec2 {
        (self.corner + self.block * Vec2::new(x, y)) / self.size
    }

    /// The random numbers of the camera path.
    pub(super) fn sampler(&self, seed: u64) -> Sampler {
        Sampler::new(seed, self.place.x, self.place.y, self.index)
    }

    /// The random numbers of the light path, from one sequence for the whole picture.
    pub(super) fn sampler_of_picture(&self, seed: u64) -> Sampler {
        let [width, height] = self.size.as_uvec2().to_array().map(u64::from);
        let [x, y] = self.place.to_array().map(u64::from);
        Sampler::of_picture(seed, u64::from(self.index) * width * height + y * width + x)
    }

    pub(super) fn aspect(&self) -> f32 {
        self.size.x / self.size.y
    }
}
