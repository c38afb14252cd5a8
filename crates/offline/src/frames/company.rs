//! Descriptions named together: which of them come with which.

use crate::chart::Node;

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
        let is_each = target.singly && matches!(target.head, Head::Everything { .. } | Head::Thing);
        !is_own(target) && !is_each && target.part_of.as_ref().is_none_or(|whole| !is_own(whole))
    })
}

/// Whether places are sides of what was just named: "on its left", "on top", "around it".
pub(super) fn is_at_owner(places: &[Place]) -> bool {
    let of_it = |place: &Place| match &place.target {
        None => place.relation.is_none() && place.region.is_some_and(Region::is_side),
        // "in front of each".
        Some(target) if target.singly => matches!(target.head, Head::Everything { .. }),
        Some(target) => matches!(target.head, Head::Pronoun("it" | "he")),
    };
    !places.is_empty() && places.iter().all(of_it)
}

/// "three cows in the yard, one outside": the last place is that of others, and a side alone is one of what the place before is told
/// by. Of "six chairs around a table, three on each side" all are.
pub(super) fn parted(phrase: Phrase, node: &Node) -> Vec<Phrase> {
    let is_other = phrase.at.last().is_some_and(|place| place.region == Some(Region::Outside));
    let more = node.number("shared").filter(|_| phrase.at.len() > 1 && is_other);
    let Some(more) = more else { return vec![phrase] };
    let mut first = phrase.clone();
    let told = first.at.pop().unwrap_or_default();
    let before = first.at.first().and_then(|place| place.target.clone());
    let target = told.target.clone().or(before);
    let place = Place { target, ..told };
    vec![first, Phrase { count: Some(more), plural: more > 1.0, at: vec![place], ..phrase }]
}

/// What was named last: a thing, or what comes with it.
pub(super) fn held(owner: &mut Phrase) -> &mut Phrase {
    match owner.with.len() {
        0 => owner,
        several => &mut owner.with[several - 1],
    }
}

/// "six of them".
pub(super) fn is_number_of(phrase: &Phrase) -> bool {
    phrase.count.is_some()
        && phrase.at.is_empty()
        && phrase.of_them.as_ref().is_some_and(|them| matches!(them.head, Head::Pronoun(_)))
}

/// "a bed against the wall with a lamp on each side": what is there gets no company, the bed does; and the side is that of
/// the lamps.
pub(super) fn take_company(at: &mut Vec<Place>, with: &mut Vec<Phrase>, is_scene: bool) {
    let is_new = |company: &Phrase| !company.is_definite();
    // "a greenhouse on a lawn with a shed beside it": beside the greenhouse.
    let is_beside = |target: &Phrase, rest: &[Place]| {
        let beside = |company: &Phrase| match company.at.as_slice() {
            [] => is_at_owner(rest),
            own => is_at_owner(own),
        };
        is_ground(target) && target.with.iter().all(beside)
    };
    let gives = |number: &usize| {
        at[*number].target.as_ref().is_some_and(|target| {
            (target.is_definite() || is_beside(target, &at[number + 1..]))
                && !target.with.is_empty()
                && target.with.iter().all(is_new)
        })
    };
    let Some(from) = (0..at.len()).find(gives).filter(|_| !is_scene) else { return };
    if let Some(target) = &mut at[from].target {
        with.append(&mut target.with);
    }
    let sides = at.split_off(from + 1);
    match with.last_mut() {
        Some(last) if last.at.is_empty() && is_at_owner(&sides) => last.at = sides,
        _ => at.extend(sides),
    }
}

/// Whether things stand on something as on the ground: a lawn, a patio.
fn is_ground(phrase: &Phrase) -> bool {
    let object = match &phrase.head {
        Head::Object { name, .. } => catalogue::catalogue().find(name),
        _ => None,
    };
    object.is_some_and(|object| object.carries() == Some(catalogue::Carries::Ground))
        || phrase.usual.is_some_and(|usual| usual.is_flat())
}
