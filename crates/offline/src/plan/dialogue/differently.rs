//! What was asked for last, as intents that differ from it: once more, less of it, of something else.

use crate::colour::Colour;
use crate::language::{
    Change, Clause, Degree, Determiner, Intent, Noun, Phrase, Shift, Target, Way,
};
use crate::plan::acts::again::intents;

/// The same done to other things.
pub(in crate::plan) fn directed_at(clause: &Clause, other: &Target) -> Vec<Intent> {
    let mut intents = intents(clause).to_vec();
    for target in intents.iter_mut().filter_map(Intent::target_mut) {
        target.clone_from(other);
    }
    intents
}

/// The same for what was touched, each of its changes made different.
fn differing(clause: &Clause, touched: &Target, differ: impl Fn(&mut Change)) -> Vec<Intent> {
    let mut intents = intents(clause).to_vec();
    for intent in &mut intents {
        if let Intent::Change { target, changes } = intent {
            // Where no thing was touched, it was light.
            if !touched.0.is_empty() {
                target.clone_from(touched);
            }
            changes.iter_mut().for_each(&differ);
        }
    }
    intents
}

/// The same once more; comparisons by as much as said now.
pub(in crate::plan) fn repeated(
    clause: &Clause,
    touched: &Target,
    degree: Option<Degree>,
) -> Vec<Intent> {
    differing(clause, touched, |change| match change {
        Change::Compare { degree: said, factor, .. } => {
            *said = degree;
            *factor = factor.filter(|_| degree.is_none());
        }
        Change::Shift(Shift { degree: said, metres, .. })
        | Change::Away { degree: said, metres, .. } => {
            *said = degree;
            *metres = metres.filter(|_| degree.is_none());
        }
        _ => {}
    })
}

/// The same, so many metres further.
pub(in crate::plan) fn farther(clause: &Clause, touched: &Target, further: f64) -> Vec<Intent> {
    differing(clause, touched, |change| match change {
        Change::Shift(Shift { metres, .. }) | Change::Away { metres, .. } => {
            *metres = Some(further);
        }
        Change::Grow { metres, .. } => *metres = further,
        Change::Compare { comparison, .. } => {
            *change = Change::Grow { comparison: *comparison, metres: further };
        }
        _ => {}
    })
}

/// Whether the clause made a number of things.
pub(in crate::plan) fn is_counted(clause: &Clause) -> bool {
    intents(clause).iter().any(|intent| {
        matches!(intent, Intent::Create(_) | Intent::Multiply { .. } | Intent::Duplicate { .. })
    })
}

/// Whether the clause made a whole scene.
pub(in crate::plan) fn is_staged(clause: &Clause) -> bool {
    intents(clause).iter().any(|intent| matches!(intent, Intent::Stage(_)))
}

/// As many as said, of what was made.
pub(in crate::plan) fn counted(clause: &Clause, count: usize) -> Vec<Intent> {
    let mut intents = intents(clause).to_vec();
    for intent in &mut intents {
        match intent {
            Intent::Create(phrases) => {
                for phrase in phrases {
                    (phrase.count, phrase.plural) = (Some(count), count > 1);
                }
            }
            Intent::Multiply { total, .. } => *total = count,
            Intent::Duplicate { count: copies, .. } => *copies = count,
            _ => {}
        }
    }
    intents
}

/// The way it came; what was not moved goes back from the viewer.
pub(in crate::plan) fn returned(clause: &Clause, touched: &Target) -> Vec<Intent> {
    let moves = intents(clause).iter().filter_map(|intent| match intent {
        Intent::Change { changes, .. } => Some(changes),
        _ => None,
    });
    let shifts = moves.flatten().filter_map(|change| match change {
        Change::Shift(shift) => Some(Change::Shift(Shift { way: shift.way.opposite(), ..*shift })),
        _ => None,
    });
    let mut changes: Vec<Change> = shifts.collect();
    if changes.is_empty() {
        changes.push(BACK);
    }
    vec![Intent::Change { target: touched.clone(), changes }]
}

/// Whether the clause set what is behind everything.
pub(in crate::plan) fn surrounds(clause: &Clause) -> bool {
    intents(clause).iter().any(|intent| matches!(intent, Intent::Surround { .. }))
}

pub(in crate::plan) fn names_colour(changes: &[Change]) -> bool {
    named_colour(changes).is_some()
}

pub(in crate::plan) fn named_colour(changes: &[Change]) -> Option<Colour> {
    match changes {
        [Change::Colour(colour)] => Some(colour.clone()),
        _ => None,
    }
}

/// Whether the clause moved something.
pub(in crate::plan) fn moves(clause: &Clause) -> bool {
    let shifts = |change: &Change| matches!(change, Change::Shift(_) | Change::Away { .. });
    intents(clause).iter().any(|intent| match intent {
        Intent::Change { changes, .. } => changes.iter().any(shifts),
        _ => false,
    })
}

/// Whether changes concern measures that the clause said nothing of: the height after the radius.
pub(in crate::plan) fn concerns_others(clause: &Clause, changes: &[Change]) -> bool {
    let measures = |change: &Change| -> Option<[bool; 6]> {
        let Change::Size(size) = change else { return None };
        let round = size.radius.is_some() || size.diameter.is_some();
        let plain = size.factors == glam::DVec3::ONE && size.like.is_none();
        plain.then_some([
            round,
            size.width.is_some(),
            size.height.is_some(),
            size.depth.is_some(),
            size.thickness.is_some(),
            size.extent.is_some(),
        ])
    };
    let before = intents(clause).iter().flat_map(|intent| match intent {
        Intent::Change { changes, .. } => changes.as_slice(),
        _ => &[],
    });
    let (before, now): (Option<Vec<_>>, Option<Vec<_>>) =
        (before.map(measures).collect(), changes.iter().map(measures).collect());
    let (Some(before), Some(now)) = (before, now) else { return false };
    let both = |one: &[bool; 6], other: &[bool; 6]| one.iter().zip(other).any(|(a, b)| *a && *b);
    !before.is_empty()
        && !now.is_empty()
        && !before.iter().any(|one| now.iter().any(|o| both(one, o)))
}

/// Whether there is an amount in what was asked for.
pub(in crate::plan) fn can_be_softened(clause: &Clause) -> bool {
    let amount = |change: &Change| match change {
        Change::Size(size) => size.factors != glam::DVec3::ONE,
        Change::Compare { .. } | Change::Shift(_) | Change::Rotate(_) | Change::Brightness(_) => {
            true
        }
        _ => false,
    };
    intents(clause).iter().any(|intent| match intent {
        Intent::Change { changes, .. } => changes.iter().any(amount),
        Intent::Expose(_) => true,
        _ => false,
    })
}

/// The same, but less of it.
pub(in crate::plan) fn softened(clause: &Clause, touched: &Target) -> Vec<Intent> {
    let mut intents = differing(clause, touched, |change| match change {
        Change::Compare { degree, factor, .. } => {
            *degree = Some(Degree::Slight);
            *factor = factor.map(f64::sqrt);
        }
        Change::Shift(Shift { degree, metres, .. }) => {
            *degree = Some(Degree::Slight);
            *metres = metres.map(|metres| metres / 2.0);
        }
        Change::Rotate(angle) => angle.degrees /= 2.0,
        Change::Size(size) => size.factors = size.factors.map(f64::sqrt),
        Change::Brightness(factor) => *factor = factor.max(0.0).sqrt(),
        _ => {}
    });
    for intent in &mut intents {
        if let Intent::Expose(factor) = intent {
            *factor = factor.max(0.0).sqrt();
        }
    }
    intents
}

/// What is made instead: as said now, and for the rest as it was said before.
pub(in crate::plan) fn remade(clause: &Clause, phrases: &[Phrase]) -> Vec<Phrase> {
    let before = intents(clause).iter().find_map(|intent| match intent {
        Intent::Create(phrases) => phrases.first(),
        _ => None,
    });
    let Some(before) = before else { return phrases.to_vec() };
    let merged = |phrase: &Phrase| {
        let mut new = phrase.clone();
        if matches!(new.head, None | Some(Noun::Thing)) {
            new.head.clone_from(&before.head);
        }
        if new.colours.is_empty() && new.finish.is_none() {
            new.colours.clone_from(&before.colours);
            new.finish = before.finish;
        }
        if new.size.is_unsaid() {
            new.size = before.size.clone();
        }
        if new.count.is_none() && !new.plural && new.determiner != Determiner::A {
            (new.count, new.plural) = (before.count, before.plural);
        }
        if new.places.is_empty() {
            new.places.clone_from(&before.places);
        }
        new
    };
    phrases.iter().map(merged).collect()
}

/// A step away from the viewer.
pub(in crate::plan) const BACK: Change =
    Change::Shift(Shift { way: Way::Back, metres: None, degree: None });
