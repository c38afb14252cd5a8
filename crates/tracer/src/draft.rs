//! Drafts: the first image after an edit.

use glam::{UVec2, Vec2};
use rayon::prelude::*;

use crate::image::LinearImage;
use crate::integrator::{Batch, Taken, sample_fn};
use crate::settings::{Integrator, RenderSettings};
use crate::world::World;

/// The resolution of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draft {
    /// The width in pixels of the blocks that share one sample; at least 1.
    pub block: u32,
    /// The maximum path length, even if the settings allow longer ones.
    pub max_depth: u32,
}

impl Default for Draft {
    /// A quarter of the samples, and two bounces: enough to show what has changed.
    fn default() -> Self {
        Self { block: 2, max_depth: 4 }
    }
}

/// An image of `width` x `height` pixels from one sample per block, smoothly upscaled; always by
/// [`Integrator::Path`]. `None` when cancelled. Runs on the current rayon pool.
pub fn render_draft(
    world: &World,
    settings: &RenderSettings,
    draft: Draft,
    [width, height]: [u32; 2],
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<LinearImage> {
    let block = draft.block.max(1);
    let (columns, rows) = (width.div_ceil(block), height.div_ceil(block));
    let max_depth = settings.max_depth.min(draft.max_depth);
    let settings = RenderSettings { max_depth, integrator: Integrator::Path, ..*settings };
    let sample = sample_fn(world, &settings);
    let size = Vec2::new(width as f32, height as f32);
    let mut pixels = vec![[0.0; 3]; columns as usize * rows as usize];
    pixels.par_chunks_mut(columns.max(1) as usize).zip(0..rows).try_for_each_init(
        Taken::default,
        |taken, (row, y)| {
            let (world, settings, corner) = (world, &settings, UVec2::new(0, y));
            let (blocks, samples) = (columns, 0..1);
            let batch =
                Batch { world, settings, size, corner, columns, blocks, block, samples, cancelled };
            sample(&batch, &mut Vec::new(), taken)?;
            for (pixel, radiance) in row.iter_mut().zip(&taken.radiance) {
                *pixel = radiance.to_array();
            }
            Some(())
        },
    )?;
    let coarse = LinearImage { width: columns, height: rows, pixels };
    Some(if block == 1 { coarse } else { coarse.upscaled(block, width, height) })
}
