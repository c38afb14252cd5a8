//! The last wish with another way to go: "no, right", "i meant behind it".

use crate::history::Deed;
use crate::language::{
    Change, Clause, Correction, Determiner, Intent, Phrase, Place, Rank, Relation, Shift, Target,
    Way,
};
use crate::plan::Planner;
use crate::plan::acts::again::intents;

/// Which way is meant instead.
#[derive(Debug, Clone, Copy)]
enum Meant {
    Way(Way),
    Relation(Relation),
}

impl Planner {
    /// What the clause wished for, the other way; none where it went no way or none is said.
    pub(in crate::plan) fn other_way(
        &self,
        correction: &Correction,
        clause: &Clause,
        deed: &Deed,
    ) -> Option<Vec<Intent>> {
        let meant = way_meant(correction)?;
        let mut changed = false;
        let mut again = intents(clause).to_vec();
        for intent in &mut again {
            match intent {
                Intent::Change { target, changes } => {
                    let before = changed;
                    for change in changes {
                        changed |= redirect(change, meant);
                    }
                    // What was moved, though the words for it fit something else now.
                    let ids = deed.ids.iter().filter(|id| self.world.find(id).is_some());
                    let pronoun = |phrase: &Phrase| phrase.determiner == Determiner::It;
                    if changed && !before && target.0.iter().all(pronoun) {
                        *target = Target(ids.cloned().map(Phrase::named).collect());
                    }
                }
                Intent::Create(phrases) => {
                    let places = phrases.iter_mut().flat_map(|phrase| &mut phrase.places);
                    for place in places {
                        changed |= elsewhere(place, meant);
                    }
                }
                _ => {}
            }
        }
        changed.then_some(again)
    }
}

fn way_meant(correction: &Correction) -> Option<Meant> {
    match correction {
        Correction::Rather(changes) => match changes.as_slice() {
            [Change::Shift(Shift { way, metres: None, .. })] => Some(Meant::Way(*way)),
            [Change::Place(Place::Relative { relation, target, metres: None })] => {
                let it = |phrase: &Phrase| phrase.determiner == Determiner::It;
                target.0.iter().all(it).then_some(Meant::Relation(*relation))
            }
            _ => None,
        },
        Correction::Instead { meant, .. } => {
            let [phrase] = meant.0.as_slice() else { return None };
            let bare =
                phrase.head.is_none() && phrase.colours.is_empty() && phrase.finish.is_none();
            let way = match phrase.rank.filter(|_| bare)? {
                Rank::Leftmost => Way::Left,
                Rank::Rightmost => Way::Right,
                Rank::Nearest => Way::Front,
                Rank::Farthest => Way::Back,
                _ => return None,
            };
            Some(Meant::Way(way))
        }
        _ => None,
    }
}

fn redirect(change: &mut Change, meant: Meant) -> bool {
    match (change, meant) {
        (Change::Shift(shift), Meant::Way(way)) => {
            shift.way = way;
            true
        }
        (Change::Rotate(angle), Meant::Way(way @ (Way::Left | Way::Right))) => {
            let size = angle.degrees.abs();
            angle.degrees = if way == Way::Right { -size } else { size };
            true
        }
        (Change::Place(place), meant) => elsewhere(place, meant),
        _ => false,
    }
}

/// Another side of the same thing.
fn elsewhere(place: &mut Place, meant: Meant) -> bool {
    let Place::Relative { relation, .. } = place else { return false };
    let other = match meant {
        Meant::Relation(other) => other,
        Meant::Way(Way::Left) => Relation::Left,
        Meant::Way(Way::Right) => Relation::Right,
        Meant::Way(Way::Front) => Relation::Front,
        Meant::Way(Way::Back) => Relation::Behind,
        Meant::Way(Way::Up) => Relation::Above,
        Meant::Way(Way::Down) => Relation::Under,
    };
    *relation = other;
    true
}
