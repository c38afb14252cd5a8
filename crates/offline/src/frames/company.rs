//! Descriptions named together: which of them come with which.

use super::{Head, Phrase, Place, Region};

/// Whether a thing has nothing of its own that would part it from what was named before.
pub(super) fn is_company(phrase: &Phrase) -> bool {
    !phrase.is_definite()
        && phrase.at.is_empty()
        && phrase.with.is_empty()
        && phrase.pattern.is_empty()
        && !matches!(
            phrase.head,
            Head::Scene(_) | Head::Light(_) | Head::Theme(_) | Head::Scenery(_)
        )
}

/// Whether a place is at something else than what was just named.
pub(super) fn is_elsewhere(place: &Place) -> bool {
    let is_own = |phrase: &Phrase| matches!(phrase.head, Head::Pronoun(_));
    place.target.as_ref().is_some_and(|target| {
        !is_own(target) && target.part_of.as_ref().is_none_or(|whole| !is_own(whole))
    })
}

/// Whether places are sides of what was just named: "on its left", "on top", "around it".
pub(super) fn is_at_owner(places: &[Place]) -> bool {
    let of_it = |place: &Place| match &place.target {
        None => place.relation.is_none() && place.region.is_some_and(Region::is_side),
        Some(target) => matches!(target.head, Head::Pronoun("it" | "he")),
    };
    !places.is_empty() && places.iter().all(of_it)
}
