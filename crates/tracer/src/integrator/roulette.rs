//! Russian roulette.

use crate::bsdf::{ScatteringSample, Scatters};

/// The first non-specular bounce with roulette. Specular bounces do not count: ending a path of
/// mirrors and glass early adds noise where there was none.
const FROM_BOUNCE: u32 = 3;
/// The first edge from which every bounce takes part.
const FROM_EDGE: u32 = 12;
/// The minimum probability of ending a path from [`FROM_EDGE`] on: without it, paths between
/// perfect mirrors would never end.
const MIN_END_CHANCE: f32 = 0.05;

/// The survival probability of a path of `edges` edges and `scatterings` non-specular bounces whose
/// throughput is at most `brightest`. `None` when it survives for certain.
#[inline]
pub(super) fn chance_to_survive(edges: u32, scatterings: u32, brightest: f32) -> Option<f32> {
    let deep = edges >= FROM_EDGE;
    let takes_part = deep || scatterings >= FROM_BOUNCE;
    takes_part.then(|| brightest.min(if deep { 1.0 - MIN_END_CHANCE } else { 1.0 }))
}

/// A random number for roulette that nothing else at this vertex has used. `choice` is the third number of
/// the vertex's first set; `number(set, which)` is another of its two sets.
#[inline(always)]
pub(super) fn roulette_number(
    bsdf: &impl Scatters,
    sample: &ScatteringSample,
    choice: f32,
    number: impl FnOnce(u32, usize) -> f32,
) -> f32 {
    if bsdf.has_parts() {
        return number(0, 3);
    }
    // Other BSDFs use the third number for Dirac deltas only, where no light is sampled.
    match sample.pdf {
        Some(_) => choice,
        None => number(1, 2),
    }
}
