//! Passes over a film.

use std::sync::atomic::{AtomicU64, Ordering};

use glam::Vec2;
use rayon::prelude::*;

use crate::film::{Film, Tile};
use crate::integrator::sample_picture;
use crate::sampler::Sampler;
use crate::settings::RenderSettings;
use crate::world::World;

/// Samples of one pixel between two looks at the cancel flag: at most some tenths of a millisecond.
const SAMPLES_PER_LOOK: u32 = 64;

/// How a pass ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassOutcome {
    /// Every pixel has the samples asked for.
    Completed(PassStatistics),
    /// Stopped early. Tiles that were done by then are in the film, the others are as they were; a
    /// later pass goes on from there to the same picture.
    Cancelled,
}

/// What a pass has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PassStatistics {
    /// Camera samples taken.
    pub samples: u64,
    /// Rays traced, shadow rays included.
    pub rays: u64,
    /// Samples that were not finite and count as black. Anything but 0 is a defect.
    pub rejected: u64,
}

/// Brings every pixel of `film` to `target` samples; pixels that have as many or more are left
/// alone. Runs on the rayon pool it is called in.
///
/// `cancelled` is asked often, from all threads: within less than a millisecond of work. It should
/// cost no more than reading an atomic.
pub fn render_pass(
    world: &World,
    settings: &RenderSettings,
    film: &mut Film,
    target: u32,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> PassOutcome {
    let size = Vec2::new(film.width() as f32, film.height() as f32);
    let totals = Totals::default();
    let completed = film.tiles.par_iter_mut().with_max_len(1).try_for_each(|tile| {
        if tile.samples < target {
            let (done, statistics) = advance(world, settings, size, tile, target, cancelled)?;
            *tile = done;
            totals.add(statistics);
        }
        Some(())
    });
    match completed {
        Some(()) => PassOutcome::Completed(totals.get()),
        None => PassOutcome::Cancelled,
    }
}

/// The tile with `target` samples per pixel; `None` when cancelled.
fn advance(
    world: &World,
    settings: &RenderSettings,
    size: Vec2,
    tile: &Tile,
    target: u32,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<(Tile, PassStatistics)> {
    let mut done = tile.clone();
    let mut statistics = PassStatistics::default();
    for (at, pixel) in (0..).zip(&mut done.pixels) {
        let (x, y) = (tile.x + at % tile.width, tile.y + at / tile.width);
        let corner = Vec2::new(x as f32, y as f32);
        for index in tile.samples..target {
            if (index - tile.samples).is_multiple_of(SAMPLES_PER_LOOK) && cancelled() {
                return None;
            }
            let sampler = Sampler::new(settings.seed, x, y, index);
            let result = sample_picture(world, settings, size, [corner, Vec2::ONE], sampler);
            pixel.add(result.radiance);
            statistics.samples += 1;
            statistics.rays += u64::from(result.rays);
            statistics.rejected += u64::from(result.rejected);
        }
    }
    done.samples = target;
    Some((done, statistics))
}

/// Sums over tiles from all threads; whole numbers, so the order does not matter.
#[derive(Default)]
struct Totals {
    samples: AtomicU64,
    rays: AtomicU64,
    rejected: AtomicU64,
}

impl Totals {
    fn add(&self, statistics: PassStatistics) {
        self.samples.fetch_add(statistics.samples, Ordering::Relaxed);
        self.rays.fetch_add(statistics.rays, Ordering::Relaxed);
        self.rejected.fetch_add(statistics.rejected, Ordering::Relaxed);
    }

    fn get(self) -> PassStatistics {
        PassStatistics {
            samples: self.samples.into_inner(),
            rays: self.rays.into_inner(),
            rejected: self.rejected.into_inner(),
        }
    }
}
