//! Ending paths at random without changing what they bring on average.

use crate::bsdf::{ScatteringSample, Scatters};
use crate::sampler::Sampler;

/// Roulette starts at this bounce, mirrors and glass not counted: what is seen in them is mostly a
/// few edges away, and to end such a path early is noise where there was none.
const FROM_BOUNCE: u32 = 3;
/// From this edge on all bounces take part.
const FROM_EDGE: u32 = 12;
/// The smallest chance to end a path from [`FROM_EDGE`] on: without it, paths between perfect
/// mirrors would never end.
const MIN_END_CHANCE: f32 = 0.05;

/// The chance with which a path of `edges` edges and `scatterings` bounces (mirrors and glass not
/// counted) goes on, when at most `brightest` of what it finds next still arrives. `None` when it
/// goes on for certain.
#[inline]
pub(super) fn chance_to_survive(edges: u32, scatterings: u32, brightest: f32) -> Option<f32> {
    let deep = edges >= FROM_EDGE;
    let takes_part = deep || scatterings >= FROM_BOUNCE;
    takes_part.then(|| brightest.min(if deep { 1.0 - MIN_END_CHANCE } else { 1.0 }))
}

/// A number for roulette that nothing else at this bend has used: `set` and the next are its sets of
/// numbers, `choice` the third of the first.
#[inline(always)]
pub(super) fn roulette_number(
    sampler: &Sampler,
    set: u32,
    bsdf: &impl Scatters,
    sample: &ScatteringSample,
    choice: f32,
) -> f32 {
    if bsdf.has_parts() {
        return sampler.first::<4>(set)[3];
    }
    // The others choose a direction by the third number only when they take no light sample.
    match sample.pdf {
        Some(_) => choice,
        None => sampler.first::<3>(set + 1)[2],
    }
}
