//! Ending paths at random without changing what they bring on average.

/// Roulette starts at this bounce, mirrors and glass not counted: what is seen in them is mostly a
/// few edges away, and to end such a path early is noise where there was none.
const FROM_BOUNCE: u32 = 3;
/// From this edge on all bounces take part.
const FROM_EDGE: u32 = 12;
/// The smallest chance to end a path from [`FROM_EDGE`] on: without it, paths between perfect
/// mirrors would never end.
const SMALLEST_END_CHANCE: f32 = 0.05;

/// The chance with which a path of `edges` edges and `scatterings` bounces (mirrors and glass not
/// counted) goes on, when at most `brightest` of what it finds next still arrives. `None` when it
/// goes on for certain.
#[inline]
pub(super) fn chance_to_survive(edges: u32, scatterings: u32, brightest: f32) -> Option<f32> {
    let deep = edges >= FROM_EDGE;
    let takes_part = deep || scatterings >= FROM_BOUNCE;
    takes_part.then(|| brightest.min(if deep { 1.0 - SMALLEST_END_CHANCE } else { 1.0 }))
}
