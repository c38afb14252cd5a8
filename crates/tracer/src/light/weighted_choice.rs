//! The choice among things with weights.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, mask32x16, u32x16};

/// The number of weights that are compared side by side.
const LANES: usize = 16;

/// What was chosen.
pub(super) struct Chosen {
    pub(super) index: usize,
    pub(super) weight: f32,
    /// How far into its weight the choice falls.
    pub(super) left: f32,
}

/// The weight that `left` falls into, of weights one after the other; `None` if all are 0.
#[inline(always)]
pub(super) fn weighted_choice(weights: impl Iterator<Item = f32>, mut left: f32) -> Option<Chosen> {
    // Rounding may leave a remainder; then the last one with a weight is chosen.
    let mut chosen = None;
    for (index, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
        chosen = Some(Chosen { index, weight, left });
        if left < weight {
            break;
        }
        left -= weight;
    }
    chosen
}

/// For each lane the sum of the weights up to it.
#[inline(always)]
pub(super) fn running_sums<S: Simd>(simd: S, weights: f32x16<S>) -> f32x16<S> {
    let none = f32x16::splat(simd, 0.0);
    let mut sums = weights;
    sums += none.slide::<15>(sums);
    sums += none.slide::<14>(sums);
    sums += none.slide::<12>(sums);
    sums + none.slide::<8>(sums)
}

/// The weight that the share `choice`, in [0, 1), of their sum falls into, and the sum; `None` if all are 0. Unlike
/// [`weighted_choice`] it has no loop, which the processor would mispredict.
#[inline(always)]
pub(super) fn choice_of_lanes<S: Simd>(
    simd: S,
    weights: f32x16<S>,
    choice: f32,
) -> Option<(Chosen, f32)> {
    let sums = running_sums(simd, weights);
    let total = sums.as_array()[LANES - 1];
    let target = choice * total;
    let with_weight = weights.simd_gt(f32x16::splat(simd, 0.0)).to_bitmask() as u32;
    let beyond = sums.simd_gt(f32x16::splat(simd, target)).to_bitmask() as u32 & with_weight;
    if with_weight == 0 {
        return None;
    }
    // Rounding may leave a remainder; then the last one with a weight is chosen.
    let lane = if beyond != 0 { beyond.trailing_zeros() } else { with_weight.ilog2() };
    let index = lane as usize % LANES;
    let weight = weights.as_array()[index];
    let before = sums.as_array()[index] - weight;
    Some((Chosen { index, weight, left: target - before }, total))
}

/// What was chosen for each of many points.
pub(super) struct ChosenOfMany<S: Simd> {
    pub(super) index: u32x16<S>,
    /// 0 where nothing was chosen.
    pub(super) weight: f32x16<S>,
    /// How far into its weight the choice falls.
    pub(super) left: f32x16<S>,
}

/// [`weighted_choice`] for each of the points `among` many.
#[inline(always)]
pub(super) fn choice_of_many<S: Simd>(
    simd: S,
    weights: &[f32x16<S>],
    mut left: f32x16<S>,
    among: mask32x16<S>,
) -> ChosenOfMany<S> {
    let zero = f32x16::splat(simd, 0.0);
    let mut chosen = ChosenOfMany { index: u32x16::splat(simd, 0), weight: zero, left };
    let mut open = among;
    for (at, weight) in (0..).zip(weights) {
        let here = open & weight.simd_gt(zero);
        chosen.index = here.select(u32x16::splat(simd, at), chosen.index);
        chosen.weight = here.select(*weight, chosen.weight);
        chosen.left = here.select(left, chosen.left);
        open &= !(here & left.simd_lt(*weight));
        left = here.select(left - *weight, left);
    }
    chosen
}
