//! Figures that several things are laid out in, as ways from the first of them.

use glam::DVec3;

use crate::frames::Layout;

/// The ways from the first to each in a figure of legs: an L, a U, a zigzag, two rows on gaps.
pub(super) fn figure(layout: Layout, count: usize, step: f64) -> Option<Vec<DVec3>> {
    let last = count.saturating_sub(1);
    let legs = |shares: &[DVec3]| {
        let each = last.div_ceil(shares.len()).max(1);
        let mut spots = vec![DVec3::ZERO];
        for at in 0..last {
            let way = shares[(at / each).min(shares.len() - 1)];
            let before = spots.last().copied().unwrap_or_default();
            spots.push(before + way * step);
        }
        spots
    };
    let side = |at: usize| DVec3::Z * if at.is_multiple_of(2) { 0.0 } else { 1.0 };
    Some(match layout {
        Layout::Corner => legs(&[DVec3::NEG_Z, DVec3::X]),
        Layout::Bay => legs(&[DVec3::NEG_Z, DVec3::X, DVec3::Z]),
        Layout::Zigzag => {
            (0..count).map(|at| (DVec3::X * at as f64 * 0.8 + side(at) * 0.8) * step).collect()
        }
        Layout::Staggered => {
            (0..count).map(|at| (DVec3::X * at as f64 * 0.55 + side(at)) * step).collect()
        }
        _ => return None,
    })
}
