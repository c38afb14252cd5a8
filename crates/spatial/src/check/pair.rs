//! Two shapes that reach into each other.

use glam::DVec3;

use crate::solid::Relation;
use crate::space::{Body, Space};

/// Two shapes that reach into each other.
#[derive(Clone, Copy)]
pub(super) struct Overlapping<'s, 'a> {
    pub(super) small: &'s Body<'a>,
    pub(super) large: &'s Body<'a>,
    pub(super) depth: f64,
    /// The way on which the small one leaves the large one.
    pub(super) away: DVec3,
}

impl<'s, 'a> Overlapping<'s, 'a> {
    /// The overlap of two bodies, of which the first has the lower place; `None` if it cannot be a mistake.
    pub(super) fn of(
        space: &'s Space<'a>,
        one: usize,
        other: usize,
        relation: &Relation,
    ) -> Option<Self> {
        let depth = space.overlap(one, other, relation)?;
        let (a, b) = (&space.bodies()[one], &space.bodies()[other]);
        // The smaller one gives way; what is flat is floor or wall and stays.
        let rank = |body: &Body<'_>| (body.solid.is_flat(), body.solid.size());
        let is_first = rank(a).partial_cmp(&rank(b)).is_some_and(|order| order.is_lt());
        let (small, large, away) =
            if is_first { (a, b, relation.away) } else { (b, a, -relation.away) };
        Some(Self { small, large, depth, away })
    }
}

/// Of two groups, or shapes without one, and of copies of these: the parts that reach deepest into each other,
/// which alone are told, and how many do.
#[derive(Clone, Copy)]
pub(super) struct Deepest<'s, 'a> {
    pub(super) pair: Overlapping<'s, 'a>,
    pub(super) count: usize,
}

impl<'s, 'a> Deepest<'s, 'a> {
    /// With another one of their overlaps.
    pub(super) fn and(known: Option<Self>, found: Overlapping<'s, 'a>) -> Self {
        let Some(known) = known else { return Self { pair: found, count: 1 } };
        let pair = if known.pair.depth < found.depth { found } else { known.pair };
        Self { pair, count: known.count + 1 }
    }
}
