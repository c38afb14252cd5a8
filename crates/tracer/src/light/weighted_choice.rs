//! The choice among things with weights.

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
