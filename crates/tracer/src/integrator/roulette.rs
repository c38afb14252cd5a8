//! Russian roulette.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, mask32x16, u32x16};
use glam::Vec3A;

use super::vertex_numbers::VertexNumbers;
use crate::bsdf::{ScatteringSample, Scatters};
use crate::ray::LANES;

/// The first non-specular bounce with roulette. Specular bounces do not count: ending a path of
/// mirrors and glass early adds noise where there was none.
const FROM_BOUNCE: u32 = 3;
/// The first edge from which every bounce takes part.
const FROM_EDGE: u32 = 12;
/// The minimum probability of ending a path from [`FROM_EDGE`] on: without it, paths between
/// perfect mirrors would never end.
const MIN_END_CHANCE: f32 = 0.05;

/// Whether a path of `edges` edges and `scatterings` non-specular bounces goes on, whose throughput is at most
/// `brightest`; its throughput grows as the chance is smaller.
#[inline(always)]
pub(super) fn goes_on(
    throughput: &mut Vec3A,
    (edges, scatterings): (u32, u32),
    brightest: f32,
    roulette: impl FnOnce() -> f32,
) -> bool {
    let deep = edges >= FROM_EDGE;
    if !deep && scatterings < FROM_BOUNCE {
        return true;
    }
    let chance = brightest.min(if deep { 1.0 - MIN_END_CHANCE } else { 1.0 });
    *throughput /= chance;
    roulette() < chance
}

/// As [`goes_on`] of many paths: those that take part, and their chances.
#[inline(always)]
pub(super) fn chances_to_survive<S: Simd>(
    simd: S,
    edges: &[u32; LANES],
    scatterings: &[u32; LANES],
    brightest: f32x16<S>,
) -> (mask32x16<S>, f32x16<S>) {
    let edges = u32x16::load_array_ref(simd, edges);
    let scatterings = u32x16::load_array_ref(simd, scatterings);
    let deep = edges.simd_ge(u32x16::splat(simd, FROM_EDGE));
    let takes_part = deep | scatterings.simd_ge(u32x16::splat(simd, FROM_BOUNCE));
    let [shallow, limit] = [1.0, 1.0 - MIN_END_CHANCE];
    let limit = deep.select(f32x16::splat(simd, limit), f32x16::splat(simd, shallow));
    (takes_part, brightest.min(limit))
}

/// A random number for roulette that nothing else at this vertex has used.
#[inline(always)]
pub(super) fn roulette_number(
    bsdf: &impl Scatters,
    sample: &ScatteringSample,
    numbers: &VertexNumbers,
) -> f32 {
    if bsdf.has_parts() {
        return numbers.scattering[3];
    }
    // Other BSDFs use the third number for Dirac deltas only, where no light is sampled.
    match sample.pdf {
        Some(_) => numbers.scattering[2],
        None => numbers.light[2],
    }
}
