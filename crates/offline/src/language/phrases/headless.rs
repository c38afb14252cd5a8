//! What is said of things by their number or place alone: "the first red, the second blue", "the other two
//! yellow", "each 20 cm wide", "without the hat".

use crate::language::acts::changes::changes;
use crate::language::acts::intent::{Change, Intent, Target};
use crate::language::phrases::noun_phrase::{adjective, phrase_with, target};
use crate::language::phrases::phrase::{Determiner, Phrase, Share};
use crate::language::phrases::property::property;
use crate::language::phrases::size::as_measure;
use crate::language::phrases::tail::{Tail, placed};
use crate::language::words::lexicon::Token;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Noun, Sense};

/// "the last green", "each 20 cm wide": the adjectives behind a number are what it is to be.
pub(in crate::language) fn headless(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let mut intents = Vec::new();
    loop {
        intents.push(one(reader)?);
        if reader.clause_ends() || !reader.take_joint() {
            return Some(intents);
        }
    }
}

fn one(reader: &mut Reader<'_>) -> Option<Intent> {
    let each = reader.peek().is_some_and(|token| token.text == "each");
    let mut phrase = phrase_with(reader, Tail::SUBJECT)?;
    let headed = phrase.head.is_some() && !(each && phrase.head == Some(Noun::Thing));
    let pointed = matches!(
        phrase.determiner,
        Determiner::The | Determiner::All | Determiner::Them | Determiner::Rest
    );
    let counted = phrase.rank.is_some() || phrase.count.is_some() || each;
    if headed || !pointed || !counted {
        return None;
    }
    let mut found = said_of(&mut phrase);
    if each {
        phrase = Phrase::new(Determiner::Them);
        phrase.plural = true;
    }
    if found.is_empty() {
        let _ = reader.any_glue(&[Glue::Should, Glue::Is]);
        found.extend(changes(reader));
    }
    let plain = |change: &Change| !matches!(change, Change::Become(_) | Change::Rename(_));
    (!found.is_empty() && found.iter().all(plain))
        .then(|| Intent::Change { target: Target::of(phrase), changes: found })
}

/// The looks and measures of a phrase as changes, taken out of it.
fn said_of(phrase: &mut Phrase) -> Vec<Change> {
    let mut found: Vec<Change> = phrase.colours.drain(..).map(Change::Colour).collect();
    found.extend(phrase.finish.take().map(Change::Finish));
    if phrase.size.lengths().next().is_some() {
        found.push(Change::Size(Box::new(std::mem::take(&mut phrase.size))));
    }
    found
}

/// "without the sun", "now without the hat": it is taken away.
pub(in crate::language) fn without_it(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    if !reader.glue(Glue::Without) {
        return None;
    }
    let gone = target(reader, Tail::NO_WITH)?;
    let there = |phrase: &Phrase| !phrase.is_new() && phrase.determiner != Determiner::Bare;
    gone.0.iter().all(there).then(|| vec![Intent::Remove(Target(gone.0))])
}

/// "color blue", "size 2 m": a property of what was spoken of.
pub(in crate::language) fn bare_property(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let first = reader.peek()?;
    reader.look(0, as_measure)?;
    let its = Token { senses: vec![Sense::Glue(Glue::Its)], text: "its".into(), ..first.clone() };
    let said: Vec<Token> = std::iter::once(its).chain(reader.rest().iter().cloned()).collect();
    let mut inner = Reader::new(&said);
    let found = property(&mut inner, None).filter(|_| inner.clause_ends())?;
    reader.at += inner.at - 1;
    Some(found)
}

/// "fewer trees": half of them are taken away.
pub(in crate::language) fn fewer(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    if reader.peek().is_none_or(|token| token.text != "fewer") {
        return None;
    }
    reader.skip();
    let mut gone = phrase_with(reader, Tail::BARE).filter(|phrase| phrase.plural)?;
    gone.determiner = Determiner::All;
    gone.share = Some(Share::Part(0.5));
    Some(vec![Intent::Remove(Target::of(gone))])
}

/// "the same but red", "same again, only bigger": another of what was made last.
pub(in crate::language) fn same_but(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let _ = reader.glue(Glue::The);
    if !reader.glue(Glue::Same) {
        return None;
    }
    let _ = reader.take(|sense| (*sense == Sense::Noun(Noun::Thing)).then_some(()));
    let _ = reader.glue(Glue::Again);
    let mut phrase = Phrase::new(Determiner::Another);
    phrase.head = Some(Noun::Thing);
    phrase.words.push("one".to_owned());
    let mut told = false;
    while !reader.clause_ends() {
        let start = reader.at;
        let _ = reader.take_joint();
        let _ = reader.any_glue(&[Glue::With, Glue::In]);
        if !adjective(reader, &mut phrase) && !placed(reader, &mut phrase) {
            reader.at = start;
            return None;
        }
        told = true;
    }
    told.then(|| vec![Intent::Create(vec![phrase])])
}

/// "taller pillars": those that are there.
pub(in crate::language) fn compared_kind(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let degree = reader.take(crate::language::places::place::as_degree);
    let comparison = reader.take(crate::language::acts::changes::as_comparison)?;
    let mut phrase = phrase_with(reader, Tail::BARE)?;
    let kind = matches!(phrase.head, Some(Noun::Shape(_) | Noun::Assembly(_) | Noun::Named(_)));
    if !kind || !phrase.plural || phrase.determiner != Determiner::Bare || phrase.count.is_some() {
        return None;
    }
    phrase.determiner = Determiner::All;
    let changes = vec![Change::Compare { comparison, degree, factor: None }];
    Some(vec![Intent::Change { target: Target::of(phrase), changes }])
}
