//! The samples that an integrator takes at once, and what they bring.

use std::ops::Range;

use glam::{UVec2, Vec2, Vec3A};

use super::window::{PathResult, Window};
use crate::settings::RenderSettings;
use crate::world::World;

/// Some samples of each block of a rectangle of the image.
pub(crate) struct Batch<'a> {
    pub(crate) world: &'a World,
    pub(crate) settings: &'a RenderSettings,
    /// The size of the image, in pixels.
    pub(crate) size: Vec2,
    /// The column and row of the rectangle's first block.
    pub(crate) corner: UVec2,
    /// The blocks per row of the rectangle.
    pub(crate) columns: u32,
    pub(crate) blocks: u32,
    /// The width and height of a block, in pixels.
    pub(crate) block: u32,
    /// The indices of the samples of each block.
    pub(crate) samples: Range<u32>,
    /// Asked at least once per millisecond of work.
    pub(crate) cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl Batch<'_> {
    /// The number of samples.
    pub(crate) fn len(&self) -> usize {
        self.blocks as usize * self.samples.len()
    }

    /// The window of a sample: block by block.
    #[inline]
    pub(crate) fn window(&self, at: usize) -> Window {
        let (of_block, at) = (self.samples.len() as u32, at as u32);
        let (block, index) = (at / of_block, self.samples.start + at % of_block);
        let place = self.corner + UVec2::new(block % self.columns, block / self.columns);
        let block = Vec2::splat(self.block as f32);
        Window { place, index, size: self.size, corner: place.as_vec2() * block, block }
    }

    pub(crate) fn windows(&self) -> impl Iterator<Item = Window> {
        (0..self.len()).map(|at| self.window(at))
    }
}

/// What the samples of a batch bring.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// Of each sample, in W/(sr m^2) per channel, always finite.
    pub(crate) radiance: Vec<Vec3A>,
    /// Rays traced, shadow rays included.
    pub(crate) rays: u64,
    /// The samples whose radiance was not finite and was replaced by 0.
    pub(crate) rejected: u64,
}

impl Taken {
    /// Makes room for `count` samples.
    pub(super) fn reset(&mut self, count: usize) {
        self.radiance.clear();
        self.radiance.resize(count, Vec3A::ZERO);
        (self.rays, self.rejected) = (0, 0);
    }

    pub(super) fn set(&mut self, at: usize, result: PathResult) {
        self.radiance[at] = result.radiance;
        self.rays += u64::from(result.rays);
        self.rejected += u64::from(result.rejected);
    }
}
