//! "Box. 30x20x10 cm. Brown.": fragments behind something new that say how it is to be.

use catalogue::catalogue;

use crate::language::acts::clause::{Clause, Heard};
use crate::language::acts::intent::{Change, Intent, Target};
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::Size;
use crate::language::words::lexicon::Token;
use crate::language::words::vocabulary::{Glue, Noun, Sense};

/// Whether a clause has neither a verb nor a word that points: a fragment.
pub(in crate::language) fn is_fragment(said: &[Token]) -> bool {
    let filler = |token: &&Token| token.senses.contains(&Sense::Filler);
    let points = |sense: &Sense| {
        matches!(sense, Sense::Glue(Glue::It | Glue::Them | Glue::The | Glue::All | Glue::This))
    };
    let first = said.iter().find(|token| !filler(token));
    first.is_some_and(|token| !matches!(token.senses.first(), Some(Sense::Verb(_) | Sense::Ask(_))))
        && !said.iter().any(|token| token.senses.iter().any(points))
}

/// Takes a fragment into what the clause before it makes; the clause back where it is none of that.
pub(in crate::language) fn taken_in(before: Option<&mut Clause>, clause: Clause) -> Option<Clause> {
    let made = before.and_then(|before| match &mut before.heard {
        Heard::Intents(intents) => match intents.as_mut_slice() {
            [Intent::Create(phrases)] => match phrases.as_mut_slice() {
                [only] if only.is_new() => Some(only),
                _ => None,
            },
            _ => None,
        },
        Heard::Unclear(_) => None,
    });
    let Some(phrase) = made else { return Some(clause) };
    if let Some(parts) = parts_of(phrase, &clause) {
        phrase.companions.extend(parts);
        return None;
    }
    let Some(changes) = said_of_it(&clause) else { return Some(clause) };
    for change in changes {
        match change {
            Change::Colour(colour) => phrase.colours = vec![colour],
            Change::Finish(finish) => phrase.finish = Some(finish),
            Change::Look(finish, colour) => {
                phrase.finish = Some(finish);
                phrase.colours = vec![colour];
            }
            Change::Size(size) => add(&mut phrase.size, &size),
            _ => {}
        }
    }
    None
}

/// "Red roof. Two chimneys." behind "House.": parts of it.
fn parts_of(whole: &Phrase, clause: &Clause) -> Option<Vec<Phrase>> {
    let Heard::Intents(intents) = &clause.heard else { return None };
    let [Intent::Create(parts)] = intents.as_slice() else { return None };
    let Some(Noun::Assembly(assembly)) = whole.head else { return None };
    let object = catalogue().find(assembly.0)?;
    let is_part = |part: &Phrase| {
        let noun = crate::language::id_like(&part.words).pop().unwrap_or_default();
        part.determiner == Determiner::Bare
            && part.places.is_empty()
            && part.pattern.is_none()
            && (object.has_part(&noun) || object.option(&noun).is_some())
    };
    parts.iter().all(is_part).then(|| parts.clone())
}

/// The looks and measures of a fragment; None where it says anything else.
fn said_of_it(clause: &Clause) -> Option<Vec<Change>> {
    let Heard::Intents(intents) = &clause.heard else { return None };
    let [intent] = intents.as_slice() else { return None };
    let plain = |change: &Change| match change {
        Change::Size(size) => size.like.is_none(),
        change => matches!(change, Change::Colour(_) | Change::Finish(_) | Change::Look(..)),
    };
    match intent {
        Intent::Change { target, changes } => {
            (of_it(target) && changes.iter().all(plain)).then(|| changes.clone())
        }
        // A measure alone is the answer to a question, or this.
        Intent::Answer(Target(phrases)) => match phrases.as_slice() {
            [only] if is_measure(only) => Some(vec![Change::Size(Box::new(only.size.clone()))]),
            _ => None,
        },
        _ => None,
    }
}

fn of_it(target: &Target) -> bool {
    target.0.iter().all(|phrase| phrase.determiner == Determiner::It)
}

fn is_measure(phrase: &Phrase) -> bool {
    phrase.determiner == Determiner::Bare
        && phrase.head.is_none()
        && phrase.size.lengths().next().is_some()
        && phrase.colours.is_empty()
        && phrase.places.is_empty()
}

/// The measures of `more` beside those that are told.
fn add(size: &mut Size, more: &Size) {
    let edges = |size: &Size| {
        [
            size.radius,
            size.diameter,
            size.width,
            size.height,
            size.depth,
            size.thickness,
            size.extent,
        ]
    };
    let [radius, diameter, width, height, depth, thickness, extent] = edges(more);
    size.radius = radius.or(size.radius);
    size.diameter = diameter.or(size.diameter);
    size.width = width.or(size.width);
    size.height = height.or(size.height);
    size.depth = depth.or(size.depth);
    size.thickness = thickness.or(size.thickness);
    size.extent = extent.or(size.extent);
    size.length_told |= more.length_told;
}
