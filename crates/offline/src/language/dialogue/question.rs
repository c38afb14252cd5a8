//! Questions: "what is in the scene?", "how big is the red one?", "why did that fail?".

use crate::language::acts::intent::{Intent, Question, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{
    Ask, Comparison, Glue, Measure, Noun, Rank, Relation, Sense, Way,
};

/// Reads a question.
pub(crate) fn question(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let ask = reader.take(|sense| match sense {
        Sense::Ask(ask) => Some(*ask),
        _ => None,
    });
    // "tell me how many there are".
    let further = reader.take(|sense| match sense {
        Sense::Ask(Ask::Is | Ask::Help) => None,
        Sense::Ask(further) if ask == Some(Ask::What) => Some(*further),
        _ => None,
    });
    let question = match further.or(ask) {
        None => return None,
        Some(Ask::Help) => {
            skip_to_end(reader);
            return Some(vec![Intent::Help]);
        }
        Some(Ask::Why) => {
            let fails = ["fail", "work", "wrong", "error", "broke", "happen"];
            let rest = reader
                .rest()
                .iter()
                .any(|token| fails.iter().any(|word| token.text.contains(word)));
            if !rest && !reader.at_end() {
                return None;
            }
            skip_to_end(reader);
            Question::Failure
        }
        Some(Ask::HowMany) => Question::Count(counted(reader)?),
        Some(Ask::HowFar) => distance(reader)?,
        Some(Ask::Is) => exists(reader)?,
        Some(Ask::What | Ask::Which) => {
            let start = reader.at;
            match which_is_more(reader).filter(|_| reader.clause_ends()) {
                Some(question) => question,
                None => {
                    reader.at = start;
                    what(reader)?
                }
            }
        }
        Some(Ask::Where) => where_is(reader)?,
        Some(Ask::HowBig) => match about(subject(reader)?) {
            Question::About(target) => Question::HowBig(target),
            other => other,
        },
        Some(Ask::WhatMade) => made_of(about(subject(reader)?)),
        Some(Ask::WhatColour | Ask::How) => about(subject(reader)?),
    };
    Some(vec![Intent::Ask(question)])
}

/// "where is the ball", "where could I put a plant".
fn where_is(reader: &mut Reader<'_>) -> Option<Question> {
    let room = reader.previous().is_some_and(|word| word.ends_with("put") || word.ends_with("for"));
    if room {
        return target(reader, Tail::NO_WITH).map(Question::Room);
    }
    Some(match about(subject(reader)?) {
        Question::About(target) => Question::Where(target),
        other => other,
    })
}

/// "how many trees", "how many are left", "how many things are on it".
fn counted(reader: &mut Reader<'_>) -> Option<Target> {
    let start = reader.at;
    copula(reader);
    let _ = reader.peek().is_some_and(|token| ["left", "remaining"].contains(&token.text.as_str()))
        && {
            reader.skip();
            true
        };
    copula(reader);
    if reader.clause_ends() {
        // Of what was spoken of.
        let mut ones = Phrase::new(Determiner::Them);
        ones.plural = true;
        return Some(Target::of(ones));
    }
    reader.at = start;
    let mut found = subject(reader)?;
    let at = reader.at;
    match crate::language::places::place::place(reader) {
        Some(place) if reader.clause_ends() => {
            for phrase in &mut found.0 {
                phrase.places.push(place.clone());
            }
        }
        _ => reader.at = at,
    }
    Some(found)
}

fn skip_to_end(reader: &mut Reader<'_>) {
    while !reader.at_end() {
        reader.skip();
    }
}

fn copula(reader: &mut Reader<'_>) {
    reader.skip_fillers();
    let _ = reader.glue(Glue::Is) || reader.glue(Glue::Possessive);
    let _ = reader.take(|sense| matches!(sense, Sense::Ask(Ask::Is)).then_some(()));
    reader.skip_fillers();
}

/// What a question is about; trailing words of place and state ("in the scene", "now") are let go.
fn subject(reader: &mut Reader<'_>) -> Option<Target> {
    copula(reader);
    // "what colour is it", "where is the camera looking at".
    let mut found = target(reader, Tail::NO_WITH).or_else(|| {
        let before = reader.at;
        let whole = reader.glue(Glue::In) && target(reader, Tail::BARE).is_some();
        (whole || before == reader.at)
            .then(|| Target::of(Phrase::new(Determiner::Everything)))
            .filter(|_| reader.at_end())
    })?;
    told_apart(reader, &mut found);
    trailing(reader);
    Some(found)
}

/// "which objects are green": a colour or a material behind tells which are meant.
fn told_apart(reader: &mut Reader<'_>, target: &mut Target) {
    copula(reader);
    let start = reader.at;
    let _ = reader.glue(Glue::The);
    let rank = reader.take(|sense| match sense {
        Sense::Rank(rank) => Some(*rank),
        _ => None,
    });
    if rank.is_none() {
        reader.at = start;
    }
    // "which things are made of glass", but not "what is it made of".
    let before = reader.at;
    let _ = reader.glue(Glue::MadeOf);
    let (colour, finish) = (reader.colour(), crate::language::phrases::noun_phrase::finish(reader));
    if colour.is_none() && finish.is_none() {
        reader.at = before;
    }
    for phrase in &mut target.0 {
        phrase.colours.extend(colour.clone());
        phrase.finish = phrase.finish.or(finish);
        phrase.rank = phrase.rank.or(rank);
        if colour.is_some() || finish.is_some() {
            phrase.plural = true;
        }
    }
}

fn trailing(reader: &mut Reader<'_>) {
    copula(reader);
    if reader.glue(Glue::MadeOf) && reader.at_end() {
        return;
    }
    let start = reader.at;
    let _ = reader.any_glue(&[Glue::In, Glue::Of]);
    if target(reader, Tail::BARE).is_none() {
        reader.at = start;
    }
    copula(reader);
}

/// "how far is the cone from the box", "how far apart are they", "the distance between a and b".
fn distance(reader: &mut Reader<'_>) -> Option<Question> {
    copula(reader);
    let _ = reader.glue(Glue::Apart);
    let _ = reader.glue(Glue::From) || reader.take(between).is_some();
    copula(reader);
    let mut both = target(reader, Tail::BARE)?;
    both.as_pair();
    let _ = reader.glue(Glue::Apart);
    copula(reader);
    let joined = reader.any_glue(&[Glue::From, Glue::To, Glue::And, Glue::Of]).is_some()
        || reader.take(from_or_away).is_some();
    let _ = reader.glue(Glue::From);
    if joined && let Some(other) = target(reader, Tail::BARE) {
        return Some(Question::Distance(both, other));
    }
    let second = if both.0.len() > 1 { both.0.split_off(1) } else { Vec::new() };
    let other = if second.is_empty() { both.clone() } else { Target(second) };
    Some(Question::Distance(both, other))
}

fn between(sense: &Sense) -> Option<()> {
    matches!(sense, Sense::Relation(Relation::Between)).then_some(())
}

fn from_or_away(sense: &Sense) -> Option<()> {
    matches!(sense, Sense::Way(Way::Back)).then_some(())
}

/// "which is bigger, the box or the cone".
fn which_is_more(reader: &mut Reader<'_>) -> Option<Question> {
    let _ = reader.take(|sense| matches!(sense, Sense::Noun(Noun::Thing)).then_some(()));
    copula(reader);
    let _ = reader.glue(Glue::The);
    let comparison = reader.take(crate::language::acts::changes::as_comparison).or_else(|| {
        reader.take(|sense| match sense {
            Sense::Rank(Rank::Biggest) => Some(Comparison::Bigger),
            Sense::Rank(Rank::Smallest) => Some(Comparison::Smaller),
            Sense::Rank(Rank::Tallest) => Some(Comparison::Taller),
            _ => None,
        })
    })?;
    let _ = reader.take_joint();
    if reader.clause_ends() {
        return Some(Question::About(one_that_is_more(comparison)?));
    }
    let first = Target::of(crate::language::phrases::noun_phrase::phrase(reader)?);
    let _ = reader.take_joint();
    let _ = reader.glue(Glue::Or);
    let other = Target::of(crate::language::phrases::noun_phrase::phrase(reader)?);
    Some(Question::More { comparison, first, other, yes_no: false })
}

/// "which one is bigger?": the biggest of those there are.
fn one_that_is_more(comparison: Comparison) -> Option<Target> {
    let mut phrase = Phrase::new(Determiner::The);
    phrase.head = Some(Noun::Thing);
    phrase.words.push("one".to_owned());
    phrase.rank = Some(crate::language::phrases::tail::rank_of(comparison)?);
    Some(Target::of(phrase))
}

/// What is asked of a thing that is there: "is the sphere red", "is it on the box", "is the box
/// bigger than the cone".
fn asked_of(reader: &mut Reader<'_>, subject: &Target) -> Option<Question> {
    let start = reader.at;
    let _ = reader.take(crate::language::places::place::as_degree);
    if let Some(comparison) = reader.take(crate::language::acts::changes::as_comparison)
        && reader.glue(Glue::Than)
    {
        let other = target(reader, Tail::BARE)?;
        return Some(Question::More { comparison, first: subject.clone(), other, yes_no: true });
    }
    reader.at = start;
    if let Some(place) = crate::language::places::place::place(reader) {
        return Some(Question::Holds { subject: subject.clone(), place });
    }
    reader.at = start;
    let _ = reader.any_glue(&[Glue::MadeOf, Glue::A]);
    let finish = crate::language::phrases::noun_phrase::finish(reader);
    let colour = reader.colour();
    (colour.is_some() || finish.is_some()).then(|| Question::Looks {
        subject: subject.clone(),
        colour,
        finish,
    })
}

fn exists(reader: &mut Reader<'_>) -> Option<Question> {
    let start = reader.at;
    if let Some(subject) = target(reader, Tail::BARE).filter(|target| {
        target.0.iter().all(|phrase| !phrase.is_new() && phrase.determiner != Determiner::Bare)
    }) && let Some(question) = asked_of(reader, &subject).filter(|_| reader.clause_ends())
    {
        return Some(question);
    }
    reader.at = start;
    let target = target(reader, Tail::NO_WITH)?;
    let asks_which = target.0.iter().all(|phrase| phrase.is_new() || phrase.head.is_none());
    // "is the sphere red?", "is it blue?": say what it is.
    let before = reader.at;
    let _ = crate::language::acts::changes::changes(reader);
    trailing(reader);
    if before == reader.at || reader.at_end() {
        return Some(if asks_which { Question::Exists(target) } else { about(target) });
    }
    None
}

fn what(reader: &mut Reader<'_>) -> Option<Question> {
    copula(reader);
    if reader.clause_ends() {
        return Some(Question::Contents);
    }
    let _ = reader.any_glue(&[Glue::In, Glue::Of]);
    // "what is on the box".
    if let Some(place) = crate::language::places::place::place(reader) {
        let mut there = Phrase::new(Determiner::All);
        there.head = Some(Noun::Thing);
        there.words = vec!["thing there".to_owned()];
        there.places.push(place);
        return Some(Question::About(Target::of(there)));
    }
    // "what is the colour of the sphere", "what is its radius", "what is the sphere's size".
    let start = reader.at;
    let _ = reader.any_glue(&[Glue::The, Glue::Its]);
    if let Some(measure) = reader.take(crate::language::phrases::size::as_measure) {
        let material = reader.previous().is_some_and(|word| word == "material");
        if reader.glue(Glue::Of) {
            let asked = about(target(reader, Tail::NO_WITH)?);
            return Some(match (measure, asked) {
                (Measure::Diameter, Question::About(target)) => Question::HowBig(target),
                (_, asked) if material => made_of(asked),
                (_, asked) => asked,
            });
        }
        copula(reader);
        if reader.clause_ends() {
            return Some(Question::About(crate::language::acts::clause::it()));
        }
    }
    reader.at = start;
    let mut target = target(reader, Tail::NO_WITH)?;
    if reader.glue(Glue::Possessive) {
        let _ = reader.take(crate::language::phrases::size::as_measure);
    }
    told_apart(reader, &mut target);
    let material = reader.sees_glue(Glue::MadeOf);
    trailing(reader);
    let asked = about(target);
    Some(if material && reader.at_end() { made_of(asked) } else { asked })
}

/// What a thing is made of, where that was asked of it.
fn made_of(asked: Question) -> Question {
    match asked {
        Question::About(target) => Question::MadeOf(target),
        other => other,
    }
}

/// A question about the scene, the sky or the camera has its own answer.
fn about(target: Target) -> Question {
    let heads: Vec<Option<&Noun>> = target.0.iter().map(|phrase| phrase.head.as_ref()).collect();
    let everything = target.0.iter().all(|phrase| {
        let told_apart =
            !phrase.colours.is_empty() || phrase.finish.is_some() || phrase.rank.is_some();
        let all = phrase.determiner == Determiner::Everything
            || matches!(phrase.head, Some(Noun::Scene))
            || (phrase.head == Some(Noun::Thing)
                && matches!(phrase.determiner, Determiner::All | Determiner::The)
                && phrase.plural);
        all && !told_apart
    });
    match heads.as_slice() {
        _ if everything => Question::Contents,
        [Some(Noun::Camera)] => Question::Camera,
        [Some(Noun::Sky)] => Question::Sky,
        _ => Question::About(target),
    }
}
