//! Render passes over a film.

use std::sync::atomic::{AtomicU64, Ordering};

use glam::{UVec2, Vec2};
use rayon::prelude::*;

use crate::film::{Film, FilmPart, PartTile, Tile};
use crate::integrator::{Batch, SampleFn, Splat, Taken, features, hits_object, sample_fn};
use crate::settings::{Integrator, RenderSettings};
use crate::world::World;

/// The samples per pixel of a tile between two updates of the film, which a cancelled pass may
/// lose.
const SAMPLES_PER_STEP: u32 = 16;

/// The outcome of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassOutcome {
    /// Every pixel has the requested samples, or is below the noise threshold.
    Completed(PassStatistics),
    /// It was cancelled. Some tiles may have more samples; a later pass continues from there to the
    /// same image.
    Cancelled,
}

/// Statistics of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PassStatistics {
    /// Camera samples taken.
    pub samples: u64,
    /// Rays traced, shadow rays included.
    pub rays: u64,
    /// Samples that were not finite and count as black. Anything but 0 is a bug.
    pub rejected: u64,
}

/// Brings every pixel of `film` to `target` samples, except pixels with as many already and those
/// below [`noise_threshold`](RenderSettings::noise_threshold): the image is finished when a pass
/// takes no samples. Runs on the current rayon pool.
///
/// `cancelled` is polled from all threads, at least once per millisecond of work. It should cost no
/// more than reading an atomic.
pub fn render_pass(
    world: &World,
    settings: &RenderSettings,
    film: &mut Film,
    target: u32,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> PassOutcome {
    let size = [film.width(), film.height()];
    let totals = Totals::default();
    let settled = settled_tiles(settings, film);
    let step = Step::new(world, settings, size, cancelled);
    let (tiles, splats) = film.parts(settings.integrator == Integrator::Bdpt);
    let completed = tiles.par_iter_mut().with_max_len(1).enumerate().try_for_each_init(
        Buffers::default,
        |buffers, (at, tile)| {
            if settled.get(at).is_some_and(|settled| *settled) {
                return Some(());
            }
            step.bring(tile, target, buffers, &totals, |splat| splats.add(splat))
        },
    );
    outcome(completed, totals)
}

/// Brings every tile of `part` to `target` samples, except those with as many already; a noise
/// threshold is left to whoever chose the tiles. After a cancel the part must not be merged.
/// Otherwise like [`render_pass`].
pub fn render_part(
    world: &World,
    settings: &RenderSettings,
    part: &mut FilmPart,
    target: u32,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> PassOutcome {
    let totals = Totals::default();
    let step = Step::new(world, settings, part.size, cancelled);
    let completed = part.tiles.par_iter_mut().with_max_len(1).try_for_each_init(
        Buffers::default,
        |buffers, PartTile { tile, splats, .. }| {
            step.bring(tile, target, buffers, &totals, |splat| splats.push(*splat))
        },
    );
    outcome(completed, totals)
}

/// For each tile whether it gets no more samples, since it is below the noise threshold; empty
/// without one. A pass decides this once, at its start.
pub fn settled_tiles(settings: &RenderSettings, film: &Film) -> Vec<bool> {
    let by_tile = settings.integrator == Integrator::Path;
    match settings.noise_threshold {
        Some(threshold) => film.settled(threshold, by_tile),
        None => Vec::new(),
    }
}

fn outcome(completed: Option<()>, totals: Totals) -> PassOutcome {
    match completed {
        Some(()) => PassOutcome::Completed(totals.get()),
        None => PassOutcome::Cancelled,
    }
}

/// What a thread keeps from tile to tile.
#[derive(Default)]
struct Buffers {
    splats: Vec<Splat>,
    taken: Taken,
}

struct Step<'a> {
    world: &'a World,
    settings: &'a RenderSettings,
    sample: SampleFn,
    /// Of the image, in pixels.
    size: Vec2,
    cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Step<'a> {
    fn new(
        world: &'a World,
        settings: &'a RenderSettings,
        [width, height]: [u32; 2],
        cancelled: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        let size = Vec2::new(width as f32, height as f32);
        Self { world, settings, sample: sample_fn(world, settings), size, cancelled }
    }

    /// Brings a tile to `target` samples per pixel; `None` when cancelled. `add` gets the splats.
    fn bring(
        &self,
        tile: &mut Tile,
        target: u32,
        Buffers { splats, taken }: &mut Buffers,
        totals: &Totals,
        mut add: impl FnMut(&Splat),
    ) -> Option<()> {
        while tile.samples < target {
            let end = target.min(tile.samples + SAMPLES_PER_STEP);
            splats.clear();
            let (done, statistics) = self.advance(tile, end, splats, taken)?;
            *tile = done;
            splats.iter().for_each(&mut add);
            totals.add(statistics);
        }
        Some(())
    }

    /// The tile with `target` samples per pixel; `None` when cancelled.
    fn advance(
        &self,
        tile: &Tile,
        target: u32,
        splats: &mut Vec<Splat>,
        taken: &mut Taken,
    ) -> Option<(Tile, PassStatistics)> {
        let Self { world, settings, sample, size, cancelled } = *self;
        let (corner, samples) = (UVec2::new(tile.x, tile.y), tile.samples..target);
        let (columns, blocks) = (tile.width, tile.pixels.len() as u32);
        let batch =
            Batch { world, settings, size, corner, columns, blocks, block: 1, samples, cancelled };
        sample(&batch, splats, taken)?;
        let mut done = tile.clone();
        done.samples = target;
        let of_pixel = batch.samples.len();
        for (pixel, radiance) in done.pixels.iter_mut().zip(taken.radiance.chunks(of_pixel)) {
            radiance.iter().for_each(|radiance| pixel.add(*radiance));
        }
        let mut windows = batch.windows();
        for sums in &mut done.features {
            if cancelled() {
                return None;
            }
            windows.by_ref().take(of_pixel).for_each(|window| {
                sums.add(&features(world, settings, &window));
            });
        }
        let mut windows = batch.windows();
        for hits in &mut done.hits {
            if cancelled() {
                return None;
            }
            let of_pixel = windows.by_ref().take(of_pixel);
            *hits += of_pixel.filter(|window| hits_object(world, settings, window)).count() as u32;
        }
        let (samples, rays, rejected) = (batch.len() as u64, taken.rays, taken.rejected);
        Some((done, PassStatistics { samples, rays, rejected }))
    }
}

/// Totals over all threads; integers, so the order does not matter.
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
