//! A message as the answer to the question that was asked: which one is meant.

use crate::language::{
    Change, Clause, Correction, Determiner, Heard, Intent, Noun, Phrase, Place, Target, outermost,
    rank_of,
};
use crate::plan::Saying;

/// What is said to words that ask for nothing.
pub(in crate::plan) fn courtesy(intent: &Intent) -> Option<Saying> {
    Some(match intent {
        Intent::Continue => Saying::Answer(
            "There is nothing left to continue; tell me what to do next.".to_owned(),
        ),
        Intent::Hello => Saying::Courtesy(
            "Hello! Tell me what you want to see, for example “Create a red sphere on a grey floor \
             with a soft light above it”."
                .to_owned(),
        ),
        Intent::Thanks => Saying::Courtesy("You're welcome!".to_owned()),
        Intent::Nothing => Saying::Answer("All right, I change nothing.".to_owned()),
        _ => return None,
    })
}

/// "either", "you choose": the first of those that were named.
fn any_will_do(message: &str) -> Option<Target> {
    const ANY: [&str; 16] = [
        "either",
        "any",
        "any of them",
        "either one",
        "either of them",
        "any one",
        "whichever",
        "you choose",
        "you decide",
        "your choice",
        "doesn't matter",
        "it doesn't matter",
        "i don't mind",
        "i don't care",
        "whatever",
        "no matter",
    ];
    let said = message.trim().trim_end_matches(['.', '!']).to_lowercase();
    ANY.contains(&said.as_str()).then(|| {
        let mut first = Phrase::new(Determiner::The);
        first.ordinal = Some(1);
        Target::of(first)
    })
}

/// The message as the answer to a question: nothing but "the left one", "all of them", "ball_2".
pub(in crate::plan) fn answer_in(message: &str, clauses: &[Clause]) -> Option<Target> {
    if let Some(any) = any_will_do(message) {
        return Some(any);
    }
    let [Clause { heard: Heard::Intents(intents), .. }] = clauses else { return None };
    match intents.as_slice() {
        [Intent::Answer(target) | Intent::Correct(Correction::Instead { meant: target, .. })] => {
            Some(target.clone())
        }
        // "not the blue one": the others.
        [Intent::Correct(Correction::Spare(target))] => {
            let mut others = Phrase::new(Determiner::All);
            (others.head, others.plural) = (Some(Noun::Thing), true);
            others.except.clone_from(&target.0);
            Some(Target::of(others))
        }
        // "on the left one": that is the one.
        [Intent::Whereabouts(Place::Relative { target, .. })]
            if target.0.iter().all(|phrase| phrase.head == Some(Noun::Thing)) =>
        {
            Some(target.clone())
        }
        [Intent::Change { target, changes }] if is_it(target) => told_apart_by(changes),
        [Intent::Change { target, changes }] if changes.iter().all(is_place) => {
            let [Change::Place(place)] = changes.as_slice() else { return None };
            let mut target = target.clone();
            target.0.last_mut()?.places.push(place.clone());
            Some(target)
        }
        [Intent::Create(phrases)] => {
            // "red one", "left sphere": short for "the ...".
            let definite = phrases.iter().map(|phrase| Phrase {
                determiner: match phrase.determiner {
                    Determiner::Bare => Determiner::The,
                    other => other,
                },
                ..phrase.clone()
            });
            let bare = phrases.iter().all(|phrase| phrase.determiner == Determiner::Bare);
            bare.then(|| Target(definite.collect()))
        }
        _ => None,
    }
}

fn is_place(change: &Change) -> bool {
    matches!(change, Change::Place(_))
}

fn is_it(target: &Target) -> bool {
    target.0.iter().all(|phrase| phrase.determiner == Determiner::It)
}

/// "red", "left", "bigger" as the answer to which one is meant.
fn told_apart_by(changes: &[Change]) -> Option<Target> {
    let [change] = changes else { return None };
    let mut phrase = Phrase::new(Determiner::The);
    match change {
        Change::Colour(colour) => phrase.colours.push(colour.clone()),
        Change::Finish(finish) => phrase.finish = Some(*finish),
        Change::Shift(shift) => {
            phrase.rank = Some(outermost(shift.way));
        }
        Change::Compare { comparison, .. } => {
            phrase.rank = Some(rank_of(*comparison)?);
        }
        Change::Size(size) if !size.words.is_empty() => phrase.size = (**size).clone(),
        _ => return None,
    }
    Some(Target::of(phrase))
}
