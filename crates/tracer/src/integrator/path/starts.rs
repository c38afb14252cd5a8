//! How the paths of a batch begin.

use super::lane::{FirstHit, Start};
use crate::integrator::batch::Batch;
use crate::integrator::window::Window;
use crate::ray::LANES;
use crate::sampler::Numbers;

/// The starts of the paths of a batch.
pub(super) struct Starts<'a> {
    batch: &'a Batch<'a>,
    next: usize,
    /// Of the [`LANES`] paths that the next one is among.
    ready: Vec<Start>,
}

impl<'a> Starts<'a> {
    pub(super) fn new(batch: &'a Batch<'a>) -> Self {
        Self { batch, next: 0, ready: Vec::with_capacity(LANES) }
    }

    pub(super) fn batch(&self) -> &'a Batch<'a> {
        self.batch
    }

    /// The place of the next path in the batch and its start; `None` after the last.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(usize, Start)> {
        let at = self.next;
        if at.is_multiple_of(LANES) {
            self.prepare();
        }
        let start = *self.ready.get(at % LANES)?;
        self.next += 1;
        Some((at, start))
    }

    #[inline(never)]
    fn prepare(&mut self) {
        let (batch, next) = (self.batch, self.next);
        let world = batch.world;
        self.ready.clear();
        let count = batch.len().saturating_sub(next).min(LANES);
        if count == 0 {
            return;
        }
        let windows: [Window; LANES] =
            std::array::from_fn(|lane| batch.window(next + lane.min(count - 1)));
        let samplers = windows.each_ref().map(|window| window.sampler(batch.settings.seed));
        let [numbers] =
            Numbers::of::<1, 4>(samplers.map(|sampler| (sampler, 0)).into_iter(), world.level());
        for (lane, (window, sampler)) in windows.iter().zip(samplers).enumerate().take(count) {
            let [x, y, lens @ ..] = numbers.of_lane(lane);
            let ray = world.camera.ray(window.at(x, y), window.aspect(), lens);
            self.ready.push(Start { sampler, ray, first: FirstHit::Unknown });
        }
        if world.has_trees() {
            self.trace();
        }
    }

    /// Traces the rays together: they go about the same way.
    fn trace(&mut self) {
        let mut rays = [self.ready[0].ray; LANES];
        for (ray, start) in rays.iter_mut().zip(&self.ready) {
            *ray = start.ray;
        }
        let found = self.batch.world.nearest_of_beam(&rays[..self.ready.len()]);
        for (start, found) in self.ready.iter_mut().zip(found) {
            start.first = FirstHit::Known(found);
        }
    }
}
