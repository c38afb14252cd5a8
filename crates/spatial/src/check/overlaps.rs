//! Shapes that reach into each other.

use std::collections::BTreeMap;

use glam::DVec3;
use scene::FindingKind;

use super::finding::{Findings, moved, whole};
use super::natural::Natural;
use crate::measure::short;
use crate::solid::Relation;
use crate::space::{Body, Space};

/// Two shapes that reach into each other.
#[derive(Clone, Copy)]
struct Overlapping<'s, 'a> {
    small: &'s Body<'a>,
    large: &'s Body<'a>,
    depth: f64,
    /// The way on which the small one leaves the large one.
    away: DVec3,
}

pub(super) fn overlaps<'a>(
    space: &Space<'a>,
    contacts: &[(usize, usize, Relation)],
    findings: &mut Findings,
) {
    // Of two groups, or shapes without one, and of copies of these only the parts that reach deepest into each
    // other are told.
    let mut deepest: BTreeMap<[&str; 2], (Overlapping<'_, 'a>, usize)> = BTreeMap::new();
    for (one, other, relation) in contacts {
        let Some(depth) = space.overlap(*one, *other, relation) else { continue };
        let (a, b) = (&space.bodies()[*one], &space.bodies()[*other]);
        // The smaller one gives way; what is flat is floor or wall and stays.
        let rank = |body: &Body<'_>| (body.solid.is_flat(), body.solid.size());
        let is_first = rank(a).partial_cmp(&rank(b)).is_some_and(|order| order.is_lt());
        let (small, large, away) =
            if is_first { (a, b, relation.away) } else { (b, a, -relation.away) };
        let found = Overlapping { small, large, depth, away };
        let mut wholes = [whole(space, a), whole(space, b)].map(scene::stem);
        wholes.sort_unstable();
        deepest
            .entry(wholes)
            .and_modify(|(known, count)| {
                *count += 1;
                if known.depth < found.depth {
                    *known = found;
                }
            })
            .or_insert((found, 1));
    }
    let natural = Natural::new(space, contacts);
    for (found, count) in deepest.into_values() {
        let Overlapping { small, large, depth, away } = found;
        if natural.is_natural([small, large], depth, away, count) {
            continue;
        }
        let more = match count {
            1 => String::new(),
            count => format!(", and {} more of their parts or copies overlap", count - 1),
        };
        let message =
            format!("'{}' reaches {} m into '{}'{more}", small.id, short(depth), large.id);
        // A hair further, so that rounding leaves no overlap.
        let by = away * (depth * 1.001 + 1e-6);
        let fix = moved(whole(space, small), by);
        findings.add(FindingKind::Overlap, &[small, large], message, Some(fix));
    }
}
