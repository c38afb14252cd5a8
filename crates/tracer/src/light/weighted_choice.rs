//! The choice among things with weights.

/// The number of weights that are summed side by side.
const LANES: usize = 8;

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

/// The weight that the share `choice`, in [0, 1), of their sum falls into, and the sum; `None` if all are 0. Unlike
/// [`weighted_choice`] it has no loop of unknown length, which the processor would mispredict.
#[inline(always)]
pub(super) fn choice_of_lanes<const COUNT: usize>(
    weights: &[f32; COUNT],
    choice: f32,
) -> Option<(Chosen, f32)> {
    const { assert!(COUNT.is_multiple_of(LANES)) };
    let mut sums = [0.0; COUNT];
    let mut total = 0.0;
    for (sums, weights) in
        sums.as_chunks_mut::<LANES>().0.iter_mut().zip(weights.as_chunks::<LANES>().0)
    {
        let mut sum = 0.0;
        for (place, weight) in sums.iter_mut().zip(weights) {
            sum += weight;
            *place = total + sum;
        }
        total += sum;
    }
    let target = choice * total;
    let passed = sums.iter().map(|sum| usize::from(*sum <= target)).sum::<usize>();
    // Rounding may leave a remainder; then the last one with a weight is chosen.
    let index = if passed < COUNT && weights[passed] > 0.0 {
        passed
    } else {
        weights.iter().rposition(|weight| *weight > 0.0)?
    };
    let before = if index == 0 { 0.0 } else { sums[index - 1] };
    Some((Chosen { index, weight: weights[index], left: target - before }, total))
}
