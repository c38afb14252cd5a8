//! Splits a message into clauses and reads each as intents.

use crate::language::acts::changes::changes;
use crate::language::acts::commands::{command, directed};
use crate::language::acts::creations::creations;
use crate::language::acts::giving::{given_to, light_so, requested, to_be, with_parts};
use crate::language::acts::intent::{Arrangement, Change, Intent, Target};
use crate::language::acts::passing::{is_chatter, passed_over};
use crate::language::acts::staging::{season, staging, with_mood};
use crate::language::dialogue::asked::{asked, given};
use crate::language::dialogue::colon::{joined_at_colons, without_courtesies, without_headings};
use crate::language::dialogue::complaint::complaint;
use crate::language::dialogue::follow_up::{correction, forbidden, instead};
use crate::language::dialogue::fragments::{is_fragment, taken_in};
use crate::language::dialogue::gist::gist;
use crate::language::dialogue::question::question;
use crate::language::dialogue::small_talk::{
    mention, says_no, skip_order, skip_purpose, skip_whom, social,
};
use crate::language::phrases::bare::{all_so, bare_place, impression, only_light, placed_first};
use crate::language::phrases::headless::{
    bare_property, compared_kind, fewer, headless, same_but, without_it,
};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::places::air::air;
use crate::language::places::arrangement::arrangement;
use crate::language::places::camera::bare_view;
use crate::language::places::gap::{gapped, rejoined, undescribed};
use crate::language::places::sharpness::sharpness;
use crate::language::places::surroundings::surroundings;
use crate::language::words::lexicon::{Token, tag};
use crate::language::words::names::Names;
use crate::language::words::reader::{Reader, as_verb};
use crate::language::words::vocabulary::{Comparison, Glue, Noun, Pattern, Sense, Social};

/// One clause of a message and what it asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clause {
    /// As the person wrote it.
    pub(crate) text: String,
    /// What is wanted, or the words that were not understood.
    pub(crate) heard: Heard,
    /// Words that describe something new and mean nothing to this model: done without.
    pub(crate) left_out: Vec<String>,
    /// Words that were passed over, since the rest is a whole wish.
    pub(crate) passed: Vec<String>,
}

/// What was understood of a clause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Heard {
    /// Everything.
    Intents(Vec<Intent>),
    /// Not all; the words that were in the way.
    Unclear(Vec<String>),
}

/// The clauses of a message; `names` are the ids and groups that stand in the scene. What is not understood
/// as it stands may lose words only where `strictly` is false.
pub(in crate::language) fn clauses(text: &str, names: &Names, strictly: bool) -> Vec<Clause> {
    let tokens = joined_at_colons(without_courtesies(tag(text, names)));
    let mut reader = Reader::new(&tokens);
    let mut clauses: Vec<(Clause, bool)> = Vec::new();
    loop {
        skip_between(&mut reader);
        let start = reader.at;
        if reader.peek().is_none() {
            return without_headings(without_chatter(clauses), text);
        }
        let intents = clause(&mut reader).filter(|_| reader.clause_ends());
        let stuck = reader.at;
        while !reader.clause_ends() {
            reader.skip();
        }
        reader.at = reader.at.max(start + 1);
        let said = &tokens[start..reader.at];
        let reading = match intents {
            Some(intents) => Reading::of(intents),
            None => second_reading(said, strictly)
                .unwrap_or_else(|| Reading::unclear(said, stuck.saturating_sub(start))),
        };
        let idle = matches!(reading.heard, Heard::Unclear(_)) && is_chatter(said);
        if reader.sees_glue(Glue::Again) {
            reader.skip();
        }
        let span = tokens[start].span.start..tokens[reader.at - 1].span.end;
        let Reading { heard, left_out, passed } = reading;
        let clause = Clause { text: text[span].trim().to_owned(), heard, left_out, passed };
        let alone = match is_fragment(said) {
            true => taken_in(clauses.last_mut().map(|(before, _)| before), clause),
            false => Some(clause),
        };
        clauses.extend(alone.map(|clause| (clause, idle)));
    }
}

/// What was read of a clause.
struct Reading {
    heard: Heard,
    left_out: Vec<String>,
    passed: Vec<String>,
}

impl Reading {
    fn of(intents: Vec<Intent>) -> Self {
        Self { heard: Heard::Intents(intents), left_out: Vec::new(), passed: Vec::new() }
    }

    fn unclear(said: &[Token], stuck: usize) -> Self {
        let heard = Heard::Unclear(unclear(said, stuck));
        Self { heard, left_out: Vec::new(), passed: Vec::new() }
    }
}

/// Reads a clause that is nothing as it stands: its words in another order, parted, or without some.
fn second_reading(said: &[Token], strictly: bool) -> Option<Reading> {
    if let Some(intents) = rejoined(said).or_else(|| gapped(said)) {
        return Some(Reading::of(intents));
    }
    if strictly {
        let (intents, passed) = gist(said)?;
        return passed.is_empty().then(|| Reading::of(intents));
    }
    if let Some((intents, left_out)) = undescribed(said) {
        return Some(Reading { left_out, ..Reading::of(intents) });
    }
    let (intents, passed) = passed_over(said).or_else(|| gist(said))?;
    Some(Reading { passed, ..Reading::of(intents) })
}

/// The clauses without idle talk, unless there is nothing else.
fn without_chatter(clauses: Vec<(Clause, bool)>) -> Vec<Clause> {
    let understood = clauses.iter().any(|(clause, _)| matches!(clause.heard, Heard::Intents(_)));
    let kept = clauses.into_iter().filter(|(_, idle)| !(understood && *idle));
    kept.map(|(clause, _)| clause).collect()
}

/// Skips what stands between two clauses: stops, "and then", polite words.
fn skip_between(reader: &mut Reader<'_>) {
    loop {
        let before = reader.at;
        while reader.peek().is_some() && reader.at_end() {
            reader.skip();
        }
        let joins = |sense: &Sense| {
            matches!(sense, Sense::Comma | Sense::Glue(Glue::And | Glue::Then | Glue::But))
        };
        if reader.peek().is_some_and(|token| token.senses.iter().any(joins)) {
            let _ = reader.take_joint();
        }
        reader.skip_fillers_but_too();
        // "ok, now ...", "thanks, make ...".
        let nods =
            |s: &Sense| matches!(s, Sense::Social(Social::Yes | Social::Hello | Social::Thanks));
        // "and now?" asks, "and now like midday" goes on.
        let aside = reader
            .peek()
            .is_some_and(|token| token.text == "and now" || token.senses.iter().any(nods));
        let more = reader.ahead(1).is_some_and(|token| !token.senses.contains(&Sense::Stop));
        // "ok good": no more than that.
        let idle = |token: &Token| token.senses.contains(&Sense::Filler);
        if aside && more && !reader.rest().iter().skip(1).all(idle) {
            reader.skip();
        }
        if reader.at == before {
            return;
        }
    }
}

/// The words nobody knows; when all are known, the ones the grammar was stuck at.
fn unclear(tokens: &[Token], stuck: usize) -> Vec<String> {
    let words = |tokens: &[Token]| -> Vec<String> {
        tokens.iter().map(|token| token.text.clone()).filter(|text| text != ",").collect()
    };
    let unknown: Vec<Token> =
        tokens.iter().filter(|token| token.senses.is_empty()).cloned().collect();
    if !unknown.is_empty() {
        return words(&unknown);
    }
    let rest = tokens.get(stuck..).filter(|rest| !rest.is_empty()).unwrap_or(tokens);
    let text = words(rest).join(" ");
    if text.is_empty() { words(tokens) } else { vec![text] }
}

/// Reads a clause of one kind.
type Attempt = fn(&mut Reader<'_>) -> Option<Vec<Intent>>;

pub(in crate::language) fn clause(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    // "too big" complains.
    reader.skip_fillers_but_too();
    if reader.ahead(1).is_none_or(|token| token.senses.contains(&Sense::Stop)) {
        reader.skip_fillers();
    }
    skip_order(reader);
    skip_whom(reader);
    skip_purpose(reader);
    if reader.sees_glue(Glue::Not) || reader.sees_glue(Glue::Meant) || says_no(reader) {
        let start = reader.at;
        let mut farthest = start;
        let attempts: [Attempt; 3] = [correction, instead, forbidden];
        for attempt in attempts {
            reader.at = start;
            if let Some(found) = attempt(reader).filter(|_| reader.clause_ends()) {
                return Some(found);
            }
            farthest = farthest.max(reader.at);
        }
        reader.at = start;
        let meant = reader.sees_glue(Glue::Meant);
        if !says_no(reader) && !meant {
            reader.at = farthest;
            return None;
        }
        // "no, make it blue": a wish like any other.
        reader.skip();
        let _ = reader.take_joint();
        let start = reader.at;
        if let Some(found) = forbidden(reader).filter(|_| reader.clause_ends()) {
            return Some(found);
        }
        reader.at = start;
    }
    if let Some(social) = social(reader) {
        return Some(vec![social]);
    }
    let start = reader.at;
    let mut farthest = start;
    let mut attempt = |read: fn(&mut Reader<'_>) -> Option<Vec<Intent>>| {
        let mut probe = reader.clone();
        let read = read(&mut probe).map(|intents| with_mood(&mut probe, intents));
        let intents = read.filter(|_| probe.clause_ends());
        farthest = farthest.max(probe.at);
        intents.map(|intents| (intents, probe.at))
    };
    let complains = reader.peek().is_some_and(|token| token.text == "too");
    let too = if complains { attempt(complaint) } else { None };
    let found = too
        .or_else(|| attempt(correction))
        .or_else(|| attempt(question))
        .or_else(|| attempt(bare_view))
        .or_else(|| attempt(only_light))
        .or_else(|| attempt(impression))
        .or_else(|| attempt(requested))
        .or_else(|| attempt(light_so))
        .or_else(|| attempt(air))
        .or_else(|| attempt(season))
        .or_else(|| attempt(staging))
        .or_else(|| attempt(surroundings))
        .or_else(|| attempt(sharpness))
        .or_else(|| attempt(command))
        .or_else(|| attempt(placed_first))
        .or_else(|| attempt(all_so))
        .or_else(|| attempt(bare_change))
        .or_else(|| attempt(given))
        .or_else(|| attempt(complaint))
        .or_else(|| attempt(mention))
        .or_else(|| attempt(statement))
        .or_else(|| attempt(asked))
        .or_else(|| attempt(bare_arrangement))
        .or_else(|| attempt(with_parts))
        .or_else(|| attempt(without_it))
        .or_else(|| attempt(fewer))
        .or_else(|| attempt(compared_kind))
        .or_else(|| attempt(same_but))
        .or_else(|| attempt(bare_property))
        .or_else(|| attempt(headless))
        .or_else(|| attempt(bare_phrase))
        .or_else(|| attempt(bare_place))
        .or_else(|| attempt(wordless))
        .or_else(|| attempt(ditto))
        .or_else(|| attempt(ordinal));
    let (intents, at) = found.map_or((None, farthest), |(intents, at)| (Some(intents), at));
    reader.at = at;
    intents
}

/// "bigger", "a bit to the left", "blue".
fn bare_change(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let changes = changes(reader);
    let becomes_nothing = !changes.iter().any(|change| match change {
        // "the same size as the red one", "2 m tall"; a length alone is the answer to a question.
        Change::Size(size) => size.like.is_none() && !size.names_an_edge(),
        change => matches!(change, Change::Become(_) | Change::Place(_)),
    });
    let light_only = |change: &Change| {
        matches!(
            change,
            Change::Compare { comparison: Comparison::Brighter | Comparison::Darker, .. }
        )
    };
    if let [only] = changes.as_slice()
        && light_only(only)
    {
        return Some(vec![Intent::Expose(exposure(only))]);
    }
    if changes.is_empty() || !becomes_nothing {
        return None;
    }
    crate::language::acts::commands::lit_with(reader);
    // "brushed metal for both".
    reader.skip_fillers();
    let told = reader.peek().is_some_and(|token| token.text == "for");
    reader.at += usize::from(told);
    let target = if told { target(reader, Tail::BARE)? } else { it() };
    Some(vec![Intent::Change { target, changes }])
}

/// The factor on all light that a comparison asks for.
pub(crate) fn exposure(change: &Change) -> f64 {
    use crate::language::words::vocabulary::Degree;
    match change {
        Change::Brightness(factor) => *factor,
        Change::Compare { comparison, degree, factor } => {
            let step = factor.unwrap_or(match degree {
                Some(Degree::Slight) => 1.25,
                Some(Degree::Strong) => 2.5,
                None => 1.6,
            });
            if *comparison == Comparison::Darker && factor.is_none() { 1.0 / step } else { step }
        }
        _ => 1.0,
    }
}

pub(crate) fn it() -> Target {
    Target::of(Phrase::new(Determiner::It))
}

/// "the sphere should be blue", "it should be a bit bigger".
fn statement(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let target = target(reader, Tail::SUBJECT)?;
    // "everything is black" complains; "the cube is 3 m wide" wishes.
    let of_things = |phrase: &Phrase| match phrase.determiner {
        Determiner::The => {
            !matches!(phrase.head, Some(Noun::Scene | Noun::Sky | Noun::Camera) | None)
        }
        determiner => determiner == Determiner::It,
    };
    let of_it = target.0.iter().any(|phrase| phrase.determiner == Determiner::It);
    let wished = target.0.iter().all(of_things) && reader.glue(Glue::Is);
    if !wished && !reader.glue(Glue::Should) {
        return None;
    }
    if !wished {
        let _ = reader.glue(Glue::Is);
        return to_be(reader, target);
    }
    let _ = reader.glue(Glue::Is);
    let changes = changes(reader);
    // "the light is bright" may just be said; only what can be nothing but a wish is done.
    let plain = |change: &Change| match change {
        Change::Size(_) => true,
        Change::Colour(_) | Change::Finish(_) | Change::Place(_) => !of_it,
        _ => false,
    };
    if wished && !changes.iter().all(plain) {
        return None;
    }
    (!changes.is_empty()).then(|| directed(target, changes))
}

/// "in a circle please": what was made or spoken of last.
fn bare_arrangement(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    // "a tower" is a new one, "a circle" may be how they are to stand.
    let new = reader.sees_glue(Glue::A);
    let body = |how: &Arrangement| match how {
        Arrangement::Pattern { pattern, .. } => {
            matches!(pattern, Pattern::Stack | Pattern::Pyramid | Pattern::Wall | Pattern::Steps)
        }
        _ => false,
    };
    let how = arrangement(reader).filter(|how| !(new && body(how)))?;
    Some(vec![Intent::Arrange { target: Target::of(Phrase::new(Determiner::Them)), how }])
}

/// "the cone green", "sphere red": what a thing is to be, without a verb.
fn wordless(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let subject = target(reader, Tail::SUBJECT)?;
    let refers = |phrase: &Phrase| {
        let there = !matches!(phrase.determiner, Determiner::A | Determiner::Another);
        there && phrase.count.is_none() && phrase.pattern.is_none()
    };
    let named = |phrase: &Phrase| phrase.determiner != Determiner::Bare || phrase.head.is_some();
    // "the light is bright" may just be said.
    let stated = reader.sees_glue(Glue::Is);
    if stated || !subject.0.iter().all(|phrase| refers(phrase) && named(phrase)) {
        return None;
    }
    let found = changes(reader);
    let plain = |change: &Change| !matches!(change, Change::Become(_) | Change::Rename(_));
    (!found.is_empty() && found.iter().all(plain)).then(|| directed(subject, found))
}

/// "the cylinder the same": as was done to the one before.
fn ditto(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let subject = target(reader, Tail::NO_WITH)?;
    reader.glue(Glue::Same).then(|| vec![Intent::Repeat(subject)])
}

/// "2", "number 2", "the second", "option 2": the answer to a question.
fn ordinal(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let _ = reader.any_glue(&[Glue::The, Glue::A]);
    let _ = reader.take(|sense| matches!(sense, Sense::Noun(Noun::Thing)).then_some(()));
    let _ = reader.take(|sense| matches!(sense, Sense::Ask(_) | Sense::Filler).then_some(()));
    let number = reader.number().filter(|number| number.fract() == 0.0 && *number >= 1.0)?;
    let mut phrase = Phrase::new(Determiner::The);
    phrase.ordinal = Some(number.min(1e6) as usize);
    phrase.words.push(number.to_string());
    Some(vec![Intent::Answer(Target::of(phrase))])
}

/// A phrase without a verb: a thing to make ("two red boxes"), or the answer to a question
/// ("the left one", "all of them").
fn bare_phrase(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    let new = |intents: &Vec<Intent>| {
        // "another cone like the green one, but orange".
        let copied = matches!(intents.first(), Some(Intent::Duplicate { .. }));
        copied
            || intents.iter().all(|intent| match intent {
                Intent::Create(phrases) => {
                    // "a red sphere and a blue one" is made; "the red one" is no wish for a thing.
                    phrases.first().is_some_and(|phrase| {
                        // "green one in between", "one behind": another of the kind.
                        let placed =
                            phrase.determiner == Determiner::Bare && !phrase.places.is_empty();
                        let further = phrase.determiner == Determiner::Another;
                        phrase.head != Some(Noun::Thing) || placed || further
                    })
                }
                _ => false,
            })
    };
    if let Some(made) = creations(reader).filter(new) {
        return given_to(reader, &made).or(Some(made));
    }
    reader.at = start;
    let _ = reader.take(as_verb);
    reader.at = start;
    target(reader, Tail::NO_WITH).map(|target| vec![Intent::Answer(target)])
}
