//! Shapes that reach into each other.

use std::collections::BTreeMap;

use scene::FindingKind;

use super::finding::{Findings, moved, whole};
use super::natural::Natural;
use super::pair::{Deepest, Overlapping};
use crate::measure::short;
use crate::solid::Relation;
use crate::space::Space;

pub(super) fn overlaps<'a>(
    space: &Space<'a>,
    contacts: &[(usize, usize, Relation)],
    findings: &mut Findings,
) {
    let natural = Natural::with_contacts(space, contacts);
    let mut deepest: BTreeMap<[&str; 2], Deepest<'_, 'a>> = BTreeMap::new();
    for (one, other, relation) in contacts {
        let Some(found) = Overlapping::of(space, *one, *other, relation) else { continue };
        let stems = natural.stems_of(*one, *other);
        let all = Deepest::and(deepest.get(&stems).copied(), found);
        deepest.insert(stems, all);
    }
    for found in deepest.into_values() {
        if natural.is_natural(found) {
            continue;
        }
        let Overlapping { small, large, depth, away } = found.pair;
        let more = match found.count {
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
