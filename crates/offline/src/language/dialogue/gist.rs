//! What a clause comes to where its grammar is not known: who is spoken of, what is said of it, what is asked.
//! "how many chairs have we got", "cylinder, height 1.2 m, material steel", "the cam a lot further away".
//!
//! The clause is taken apart into pieces the grammar knows, in whatever order they stand. Only one thing may be
//! spoken of, every word that means something in a scene has to be in a piece, and what lies between may only
//! be small words and words that name nothing.

use crate::language::acts::changes::changes;
use crate::language::acts::commands::directed;
use crate::language::acts::creations::creations;
use crate::language::acts::intent::{CameraMove, Change, Intent, Question, Target};
use crate::language::acts::passing::{is_nameless, names_something, turns_it_round};
use crate::language::phrases::noun_phrase::{phrase_with, target};
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::places::camera::{as_camera, view};
use crate::language::words::lexicon::Token;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Ask, Glue, Noun, Sense, Verb};

/// The most words of a clause that is taken apart.
const MOST_WORDS: usize = 40;
/// The most unknown words between the pieces; more may be another language.
const MOST_PASSED: usize = 1;

/// What a clause is made of.
#[derive(Debug, Default)]
struct Pieces<'a> {
    asks: Vec<Ask>,
    verbs: Vec<&'a Token>,
    camera: bool,
    states: bool,
    views: Vec<CameraMove>,
    subjects: Vec<Target>,
    made: Vec<Intent>,
    changes: Vec<Change>,
    passed: Vec<String>,
}

/// The only sense of `said`, piece by piece, and the words that have no part in it.
pub(in crate::language) fn gist(said: &[Token]) -> Option<(Vec<Intent>, Vec<String>)> {
    if said.len() > MOST_WORDS || said.iter().any(turns_it_round) {
        return None;
    }
    let pieces = pieces(said)?;
    let intents = asked(&pieces)
        .or_else(|| seen(&pieces))
        .or_else(|| changed(&pieces))
        .or_else(|| made(&pieces))?;
    Some((intents, pieces.passed))
}

/// Takes a clause apart, None where a word with a meaning fits nowhere.
fn pieces(said: &[Token]) -> Option<Pieces<'_>> {
    let of_camera = said.iter().any(speaks_of_camera);
    let states = said.iter().any(|token| token.senses.contains(&Sense::Glue(Glue::Is)));
    let mut pieces = Pieces { camera: of_camera, states, ..Pieces::default() };
    let mut reader = Reader::new(said);
    while let Some(token) = reader.peek() {
        let start = reader.at;
        if piece(&mut reader, &mut pieces) && reader.at > start {
            continue;
        }
        reader.at = start + 1;
        let idle = token.senses.iter().all(is_small);
        if !idle || (token.senses.is_empty() && names_something(said, start)) {
            return None;
        }
        if token.senses.is_empty() && !is_nameless(token) {
            // An unknown word at the beginning is an unknown deed.
            if start == 0 {
                return None;
            }
            pieces.passed.push(token.text.clone());
        }
    }
    (pieces.passed.len() <= MOST_PASSED).then_some(pieces)
}

/// Reads the piece that starts here, if one does.
fn piece<'a>(reader: &mut Reader<'a>, pieces: &mut Pieces<'a>) -> bool {
    let start = reader.at;
    let Some(token) = reader.peek() else { return false };
    if let Some(Sense::Ask(ask)) = token.senses.first() {
        pieces.asks.push(*ask);
        reader.skip();
        return true;
    }
    if let Some(Sense::Verb(_)) = token.senses.first() {
        pieces.verbs.push(token);
        reader.skip();
        return true;
    }
    if pieces.camera {
        if reader.take(as_camera).is_some() {
            return true;
        }
        if let Some(view) = view(reader) {
            pieces.views.push(view);
            return true;
        }
        reader.at = start;
    }
    if let Some(subject) = target(reader, Tail::SUBJECT).filter(is_there) {
        pieces.subjects.push(subject);
        return true;
    }
    reader.at = start;
    let found = changes(reader);
    let complete = |change: &Change| !matches!(change, Change::Become(_) | Change::Rename(_));
    if !found.is_empty() && found.iter().all(complete) {
        pieces.changes.extend(found);
        return true;
    }
    reader.at = start;
    let new = |intents: &Vec<Intent>| {
        intents.iter().all(|intent| intent.phrases().iter().all(Phrase::is_new))
    };
    if let Some(intents) = creations(reader).filter(new) {
        pieces.made.extend(intents);
        return true;
    }
    reader.at = start;
    if let Some(phrase) = phrase_with(reader, Tail::FULL).filter(Phrase::is_new) {
        pieces.made.push(Intent::Create(vec![phrase]));
        return true;
    }
    reader.at = start;
    false
}

/// A question about one kind of thing.
fn asked(pieces: &Pieces<'_>) -> Option<Vec<Intent>> {
    let ask = *pieces.asks.first()?;
    if !pieces.changes.is_empty() || !pieces.verbs.iter().all(|verb| is_auxiliary(verb)) {
        return None;
    }
    let about = match (pieces.subjects.as_slice(), pieces.made.as_slice()) {
        ([subject], []) => subject.clone(),
        // "how many chairs": of any number.
        ([], [Intent::Create(phrases)]) => Target(phrases.clone()),
        _ => return None,
    };
    let question = match ask {
        Ask::HowMany => Question::Count(about),
        Ask::Where => Question::Where(about),
        Ask::HowBig => Question::HowBig(about),
        Ask::WhatMade => Question::MadeOf(about),
        Ask::WhatColour | Ask::How => Question::About(about),
        Ask::What | Ask::Which | Ask::Is | Ask::Why | Ask::Help | Ask::HowFar => return None,
    };
    Some(vec![Intent::Ask(question)])
}

/// Where the camera is to be.
fn seen(pieces: &Pieces<'_>) -> Option<Vec<Intent>> {
    let plain = pieces.camera
        && pieces.asks.is_empty()
        && pieces.made.is_empty()
        && pieces.changes.is_empty()
        && pieces.verbs.iter().all(|verb| is_auxiliary(verb) || speaks_of_camera(verb));
    let of_all = pieces.subjects.iter().all(|subject| {
        let whole = |phrase: &Phrase| {
            matches!(phrase.determiner, Determiner::It | Determiner::This | Determiner::Everything)
                || matches!(phrase.head, Some(Noun::Scene | Noun::Camera | Noun::Lens))
        };
        subject.0.iter().all(whole)
    });
    (plain && of_all && !pieces.views.is_empty())
        .then(|| pieces.views.iter().cloned().map(Intent::Camera).collect())
}

/// One thing that is there, and what is to become of it.
fn changed(pieces: &Pieces<'_>) -> Option<Vec<Intent>> {
    let [subject] = pieces.subjects.as_slice() else { return None };
    if !pieces.asks.is_empty() || !pieces.made.is_empty() || !pieces.views.is_empty() {
        return None;
    }
    // "the light is bright" may just be said.
    if pieces.states {
        return None;
    }
    let plain = !pieces.changes.is_empty() && pieces.verbs.iter().all(|verb| is_auxiliary(verb));
    plain.then(|| directed(subject.clone(), pieces.changes.clone()))
}

/// New things, and how they are to be.
fn made(pieces: &Pieces<'_>) -> Option<Vec<Intent>> {
    let making = |verb: &&Token| {
        let senses = [Verb::Create, Verb::Make, Verb::Put, Verb::Scatter, Verb::Give];
        senses.iter().any(|sense| verb.senses.first() == Some(&Sense::Verb(*sense)))
    };
    let only = pieces.asks.is_empty() && pieces.subjects.is_empty() && pieces.views.is_empty();
    if pieces.made.is_empty() || !only || !pieces.verbs.iter().all(making) {
        return None;
    }
    let mut intents = pieces.made.clone();
    if !pieces.changes.is_empty() {
        let several =
            |phrase: &Phrase| phrase.plural || phrase.count.is_some_and(|count| count > 1);
        let [Intent::Create(phrases)] = pieces.made.as_slice() else { return None };
        let determiner = match phrases.as_slice() {
            [one] if !several(one) => Determiner::It,
            _ => Determiner::Them,
        };
        let changes = pieces.changes.clone();
        intents.push(Intent::Change { target: Target::of(Phrase::new(determiner)), changes });
    }
    Some(intents)
}

/// Whether these are things that stand in the scene, told by an article or the like.
fn is_there(target: &Target) -> bool {
    target.0.iter().all(|phrase| {
        let told =
            phrase.determiner != Determiner::Bare || matches!(phrase.head, Some(Noun::Named(_)));
        told && !phrase.is_new()
            && !matches!(phrase.determiner, Determiner::A | Determiner::Another)
    })
}

/// "make", "set", "have", "want": verbs that leave it to the rest what is to be done.
fn is_auxiliary(token: &Token) -> bool {
    let auxiliary = |sense: &Sense| {
        matches!(
            sense,
            Sense::Verb(
                Verb::Make
                    | Verb::Set
                    | Verb::Create
                    | Verb::Turn
                    | Verb::Paint
                    | Verb::Scale
                    | Verb::Move
            )
        )
    };
    token.senses.first().is_some_and(auxiliary)
}

fn speaks_of_camera(token: &Token) -> bool {
    token.senses.iter().any(|sense| {
        matches!(sense, Sense::Noun(Noun::Camera | Noun::Lens))
            || matches!(sense, Sense::Verb(Verb::Look | Verb::Frame | Verb::Orbit))
    })
}

/// Whether a sense says nothing by itself.
fn is_small(sense: &Sense) -> bool {
    matches!(
        sense,
        Sense::Glue(_)
            | Sense::Filler
            | Sense::Comma
            | Sense::Stop
            | Sense::Social(_)
            | Sense::Degree(_)
            | Sense::Measure(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Names;
    use crate::language::words::lexicon::tag;

    fn meant(text: &str) -> Option<Vec<Intent>> {
        let names = Names::new(["roof", "red_box"]);
        gist(&tag(text, &names)).map(|(intents, _)| intents)
    }

    #[test]
    fn pieces_in_any_order_make_sense() {
        let how_many = meant("how many chairs have we got");
        assert!(matches!(how_many.as_deref(), Some([Intent::Ask(Question::Count(_))])));
        let colour = meant("what colour does the roof have");
        assert!(matches!(colour.as_deref(), Some([Intent::Ask(Question::About(_))])));
        let made = meant("cylinder, height 1.2 m, radius 30 cm, material steel");
        assert!(matches!(made.as_deref(), Some([Intent::Create(_), Intent::Change { .. }])));
        let changed = meant("blue for the red_box");
        assert!(matches!(changed.as_deref(), Some([Intent::Change { .. }])));
        let seen = meant("the cam a lot further away");
        assert!(matches!(seen.as_deref(), Some([Intent::Camera(_)])), "{seen:?}");
    }

    #[test]
    fn what_is_not_whole_or_of_several_things_is_left() {
        for text in [
            "the zorbl next to the roof blue",
            "the roof in blue while the red_box stands",
            "not the roof blue",
            "remove blue roof",
            "blue",
        ] {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}
