//! Bit masks of lanes, as vector comparisons give them.

/// The lanes whose bit is set.
#[inline(always)]
pub(crate) fn lanes_of(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        lane
    })
}

/// The lane of the mask with the least value, the first of equal ones; `None` for an empty mask.
#[inline(always)]
pub(crate) fn least_of<const LANES: usize>(values: &[f32; LANES], mut mask: u32) -> Option<usize> {
    if mask == 0 {
        return None;
    }
    let mut least = mask.trailing_zeros() as usize % LANES;
    mask &= mask - 1;
    while mask != 0 {
        let lane = mask.trailing_zeros() as usize % LANES;
        mask &= mask - 1;
        least = if values[lane] < values[least] { lane } else { least };
    }
    Some(least)
}
