//! What a thing was placed by, named anew: "not the box, the cylinder" after "put the ball on the box".

use crate::language::{Change, Clause, Determiner, Intent, Noun, Phrase, Place, Target};
use crate::plan::Planner;
use crate::plan::acts::again::intents;

impl Planner {
    /// Whether what is meant stands for what something was placed by, rather than for what was placed.
    pub(in crate::plan) fn is_of_reference(
        &self,
        clause: &Clause,
        meant: &Target,
        wrong: Option<&Phrase>,
    ) -> bool {
        let Some(reference) = reference(clause) else { return false };
        let subject = intents(clause).iter().find_map(Intent::target);
        if let Some(wrong) = wrong {
            let wrong = self.resolve(&Target::of(wrong.clone())).ok();
            let of = |target: &Target| self.resolve(target).ok();
            return wrong.is_some() && wrong == of(reference) && wrong != subject.and_then(of);
        }
        let kind = |target: &Target| target.0.first().and_then(|phrase| phrase.head.clone());
        let named = |noun: &Noun| *noun != Noun::Thing;
        let (Some(meant), Some(subject)) = (kind(meant).filter(named), subject) else {
            return subject.is_none() && kind(meant).is_some_and(|noun| named(&noun));
        };
        // The last thing that was named, unless it is of the kind that was to be placed.
        kind(subject) != Some(meant)
    }
}

impl Planner {
    /// "and the same colour" after "the same size as the red one": what it was compared with, else placed by.
    pub(in crate::plan) fn compared_with_besides(&self, own: &[String]) -> Vec<String> {
        let models = self.last_intents().into_iter().flat_map(|intent| match intent {
            Intent::Change { changes, .. } => changes,
            _ => Vec::new(),
        });
        let model = models.filter_map(|change| match change {
            Change::Like { model, .. } => Some(*model),
            Change::Size(size) => size.like.map(|like| *like.model),
            _ => None,
        });
        let ids = model.filter_map(|model| self.resolve(&Target::of(model)).ok()).next();
        let other = ids.filter(|ids| ids.iter().any(|id| !own.contains(id)));
        other.unwrap_or_else(|| self.placed_by_besides(own))
    }

    /// "behind it" of what was placed before: what it was placed by, else what was spoken of before it.
    pub(in crate::plan) fn placed_by_besides(&self, own: &[String]) -> Vec<String> {
        let besides = |mut ids: Vec<String>| {
            ids.retain(|id| !own.contains(id) && self.is_plain_object(id));
            (!ids.is_empty()).then_some(ids)
        };
        let wish = |deed: &crate::history::Deed| {
            self.wish_in(&deed.message, crate::plan::acts::again::acts)
        };
        let by = self.last.as_ref().and_then(wish).and_then(|clause| {
            let by = reference(&clause)?.clone();
            // "a ball on a box": the box that was made.
            let there =
                by.0.iter().map(|phrase| Phrase { determiner: Determiner::The, ..phrase.clone() });
            self.resolve(&by).or_else(|_| self.resolve(&Target(there.collect()))).ok()
        });
        let before = || self.context.before.iter().cloned().find_map(besides);
        by.and_then(besides).or_else(before).unwrap_or_default()
    }
}

/// What the clause placed something by.
fn reference(clause: &Clause) -> Option<&Target> {
    let of_place = |place: &'_ Place| matches!(place, Place::Relative { .. });
    intents(clause).iter().find_map(|intent| {
        let places: Vec<&Place> = match intent {
            Intent::Change { changes, .. } => {
                changes.iter().filter_map(as_place).filter(|place| of_place(place)).collect()
            }
            Intent::Create(phrases) => phrases.iter().flat_map(|phrase| &phrase.places).collect(),
            _ => Vec::new(),
        };
        places.into_iter().find_map(|place| match place {
            Place::Relative { target, .. } => Some(target),
            _ => None,
        })
    })
}

fn as_place(change: &Change) -> Option<&Place> {
    match change {
        Change::Place(place) => Some(place),
        _ => None,
    }
}

/// The same, placed by something else.
pub(in crate::plan) fn referred_to(clause: &Clause, other: &Target) -> Vec<Intent> {
    let mut intents = intents(clause).to_vec();
    for intent in &mut intents {
        match intent {
            Intent::Change { changes, .. } => {
                for change in changes {
                    if let Change::Place(Place::Relative { target, .. }) = change {
                        target.clone_from(other);
                    }
                }
            }
            Intent::Create(phrases) => {
                for place in phrases.iter_mut().flat_map(|phrase| &mut phrase.places) {
                    if let Place::Relative { target, .. } = place {
                        target.clone_from(other);
                    }
                }
            }
            _ => {}
        }
    }
    intents
}

/// "and the small one in front of it", after something was placed: where it is to be, not which one it is.
pub(in crate::plan) fn placed_anew(clause: &Clause, target: &Target) -> Option<(Target, Place)> {
    let placed = intents(clause).iter().any(|intent| match intent {
        Intent::Change { changes, .. } => changes.iter().any(|change| as_place(change).is_some()),
        Intent::Create(phrases) => phrases.iter().any(|phrase| !phrase.places.is_empty()),
        _ => false,
    });
    let mut bare = target.clone();
    let place = bare.0.last_mut().filter(|_| placed)?.places.pop()?;
    Some((bare, place))
}
