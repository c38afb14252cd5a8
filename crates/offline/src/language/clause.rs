//! Splits a message into clauses and reads each as intents.

use super::arrangement::arrangement;
use super::camera::bare_view;
use super::changes::changes;
use super::commands::{command, creations, directed, surroundings};
use super::follow_up::{correction, forbidden, instead};
use super::gap::{gapped, rejoined, undescribed};
use super::intent::{CameraMove, Change, Intent, Shift, Target};
use super::lexicon::{Token, tag};
use super::noun_phrase::target;
use super::phrase::{Determiner, Phrase};
use super::question::question;
use super::reader::{Reader, as_verb};
use super::size::as_size_word;
use super::staging::{season, staging, with_mood};
use super::tail::Tail;
use super::vocabulary::{Comparison, Glue, Noun, Sense, SizeWord, Social, Tone, Verb, Way};

/// One clause of a message and what it asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clause {
    /// As the person wrote it.
    pub(crate) text: String,
    /// What is wanted, or the words that were not understood.
    pub(crate) heard: Heard,
    /// Words that describe something new and mean nothing to this model: done without.
    pub(crate) left_out: Vec<String>,
}

/// What was understood of a clause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Heard {
    /// Everything.
    Intents(Vec<Intent>),
    /// Not all; the words that were in the way.
    Unclear(Vec<String>),
}

/// Reads a message; `names` are the ids and groups that stand in the scene.
pub(crate) fn hear(text: &str, names: &[String]) -> Vec<Clause> {
    let tokens = tag(text, names);
    let mut reader = Reader::new(&tokens);
    let mut clauses = Vec::new();
    loop {
        skip_between(&mut reader);
        let start = reader.at;
        if reader.peek().is_none() {
            return clauses;
        }
        let intents = clause(&mut reader).filter(|_| reader.clause_ends());
        let stuck = reader.at;
        while !reader.clause_ends() {
            reader.skip();
        }
        reader.at = reader.at.max(start + 1);
        let said = &tokens[start..reader.at];
        let mut left_out = Vec::new();
        let heard = match intents.or_else(|| rejoined(said)).or_else(|| gapped(said)) {
            Some(intents) => Heard::Intents(intents),
            None => match undescribed(said) {
                Some((intents, words)) => {
                    left_out = words;
                    Heard::Intents(intents)
                }
                None => Heard::Unclear(unclear(said, stuck.saturating_sub(start))),
            },
        };
        if reader.sees_glue(Glue::Again) {
            reader.skip();
        }
        let span = tokens[start].span.start..tokens[reader.at - 1].span.end;
        clauses.push(Clause { text: text[span].trim().to_owned(), heard, left_out });
    }
}

/// Whether no word of a message means anything by itself: numbers and unknown words only.
pub(crate) fn is_nonsense(text: &str) -> bool {
    let says_nothing = |token: &Token| {
        let empty = |sense: &Sense| matches!(sense, Sense::Number(_) | Sense::Comma | Sense::Stop);
        token.senses.iter().all(empty)
    };
    let tokens = tag(text, &[]);
    // "no, seven" corrects.
    let refuses = tokens.first().is_some_and(|token| token.text == "no");
    !refuses && tokens.iter().all(says_nothing)
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
        if aside && more {
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

pub(super) fn clause(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    // "too big" complains.
    reader.skip_fillers_but_too();
    if reader.ahead(1).is_none_or(|token| token.senses.contains(&Sense::Stop)) {
        reader.skip_fillers();
    }
    skip_order(reader);
    skip_whom(reader);
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
        if !says_no(reader) {
            reader.at = farthest;
            return None;
        }
        // "no, make it blue": a wish like any other.
        reader.skip();
        let _ = reader.take_joint();
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
    let found = attempt(correction)
        .or_else(|| attempt(question))
        .or_else(|| attempt(bare_view))
        .or_else(|| attempt(season))
        .or_else(|| attempt(staging))
        .or_else(|| attempt(surroundings))
        .or_else(|| attempt(command))
        .or_else(|| attempt(bare_change))
        .or_else(|| attempt(complaint))
        .or_else(|| attempt(statement))
        .or_else(|| attempt(bare_arrangement))
        .or_else(|| attempt(bare_phrase))
        .or_else(|| attempt(wordless))
        .or_else(|| attempt(ditto))
        .or_else(|| attempt(ordinal));
    let (intents, at) = found.map_or((None, farthest), |(intents, at)| (Some(intents), at));
    reader.at = at;
    intents
}

/// "no, ...": what comes is meant instead.
fn says_no(reader: &Reader<'_>) -> bool {
    let no = reader.peek().is_some_and(|token| {
        token.text == "no" || token.senses.contains(&Sense::Social(Social::No))
    });
    no && reader.ahead(1).is_some_and(|token| !token.senses.contains(&Sense::Stop))
}

/// "first, make ...", "secondly ...": only the order of what is wanted.
fn skip_order(reader: &mut Reader<'_>) {
    let orders = |token: &Token| {
        ["first", "firstly", "second", "secondly", "third", "thirdly", "last", "lastly"]
            .contains(&token.text.as_str())
    };
    if !reader.peek().is_some_and(orders) {
        return;
    }
    let start = reader.at;
    reader.skip();
    let comma = reader.sees(0, &Sense::Comma);
    reader.at += usize::from(comma);
    reader.skip_fillers();
    let verb = reader.peek().and_then(|token| token.senses.first());
    let article = reader.sees_glue(Glue::A) || reader.sees_glue(Glue::The);
    if !comma && !article && !matches!(verb, Some(Sense::Verb(_))) {
        reader.at = start;
    }
}

/// "my wife wants ...", "for my talk I need ...": for whom or what it is says nothing of the scene.
fn skip_whom(reader: &mut Reader<'_>) {
    const LONGEST: usize = 5;
    let of_someone = reader
        .peek()
        .is_some_and(|token| ["for", "my", "our", "the"].contains(&token.text.as_str()));
    let wishes = |token: &Token| {
        token.senses.first() == Some(&Sense::Verb(Verb::Create))
            && ["want", "would", "need", "asked", "i need", "i want", "we need", "i'd like"]
                .iter()
                .any(|wish| token.text.starts_with(wish))
    };
    let Some(at) = (1..LONGEST).find(|at| reader.ahead(*at).is_some_and(wishes)) else { return };
    let strange = reader.rest()[1..at].iter().all(|token| {
        let thing = |sense: &Sense| matches!(sense, Sense::Noun(Noun::Shape(_) | Noun::Named(_)));
        !token.senses.iter().any(thing)
    });
    if of_someone && strange {
        reader.at += at;
    }
}

fn social(reader: &mut Reader<'_>) -> Option<Intent> {
    let start = reader.at;
    if reader.peek().is_some_and(|token| token.text == "no") {
        reader.skip();
        reader.skip_fillers();
        if reader.clause_ends() {
            return Some(Intent::Nothing);
        }
        reader.at = start;
    }
    let social = reader.take(|sense| match sense {
        Sense::Social(social) => Some(*social),
        _ => None,
    })?;
    reader.skip_fillers();
    if !reader.clause_ends() {
        reader.at = start;
        return None;
    }
    Some(match social {
        Social::Hello => Intent::Hello,
        Social::Thanks => Intent::Thanks,
        Social::Yes | Social::No => Intent::Nothing,
    })
}

/// "bigger", "a bit to the left", "blue".
fn bare_change(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let changes = changes(reader);
    let becomes_nothing = !changes
        .iter()
        .any(|change| matches!(change, Change::Become(_) | Change::Place(_) | Change::Size(_)));
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
    (!changes.is_empty() && becomes_nothing).then(|| vec![Intent::Change { target: it(), changes }])
}

/// The factor on all light that a comparison asks for.
pub(crate) fn exposure(change: &Change) -> f64 {
    use super::vocabulary::Degree;
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

/// "it is too dark", "the sphere is too big", "it's a bit gloomy".
fn complaint(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    // "too big", "a bit too dark", "still too small".
    let _ = reader.take(super::place::as_degree);
    reader.at = if reader.peek()?.text == "too" { reader.at } else { start };
    let target = if reader.peek()?.text == "too" {
        it()
    } else {
        let target = target(reader, Tail::SUBJECT)?;
        let is = reader.any_glue(&[Glue::Is, Glue::Possessive, Glue::LookLike]).is_some();
        let degree = reader.take(super::place::as_degree);
        reader.skip_fillers_but_too();
        if !is || (degree.is_none() && reader.peek()?.text != "too") {
            return None;
        }
        target
    };
    if reader.peek()?.text == "too" {
        reader.skip();
    }
    let wanted = if reader.peek()?.text == "dark" {
        reader.skip();
        Comparison::Brighter
    } else if let Some(tone) = super::noun_phrase::tone(reader) {
        match tone {
            Tone::Bright => Comparison::Darker,
            Tone::Dim => Comparison::Brighter,
            Tone::Warm => Comparison::Cooler,
            Tone::Cool => Comparison::Warmer,
            Tone::Soft => return None,
            Tone::Hard => Comparison::Softer,
        }
    } else {
        let way = reader.take(super::place::as_way);
        let way = way.or_else(|| reader.take(near_or_far));
        let of_it = target.0.iter().all(|phrase| phrase.determiner == Determiner::It);
        if of_it && matches!(way, Some(Way::Front | Way::Back)) {
            // "too close", "too far away": the camera is.
            let factor = if way == Some(Way::Front) { 1.4 } else { 0.7 };
            return Some(vec![Intent::Camera(CameraMove::Distance(factor))]);
        }
        if let Some(way) = way {
            let shift = Shift { way: way.opposite(), metres: None, degree: None };
            return Some(vec![Intent::Change { target, changes: vec![Change::Shift(shift)] }]);
        }
        match reader.take(as_size_word)? {
            SizeWord::Tiny | SizeWord::Small => Comparison::Bigger,
            SizeWord::Big | SizeWord::Huge | SizeWord::Enormous => Comparison::Smaller,
            SizeWord::Tall => Comparison::Shorter,
            SizeWord::Wide | SizeWord::Thick | SizeWord::Long => Comparison::Narrower,
            SizeWord::Thin => Comparison::Wider,
            SizeWord::Flat => Comparison::Taller,
            SizeWord::Medium | SizeWord::Half | SizeWord::Double => return None,
        }
    };
    let change = Change::Compare { comparison: wanted, degree: None, factor: None };
    let whole_scene = target.0.iter().any(|phrase| {
        let bare = phrase.determiner == Determiner::This && phrase.head.is_none();
        bare || matches!(phrase.determiner, Determiner::It | Determiner::Everything)
            || phrase.head == Some(Noun::Scene)
    });
    let light = matches!(wanted, Comparison::Brighter | Comparison::Darker);
    Some(vec![if whole_scene && light {
        Intent::Expose(exposure(&change))
    } else {
        Intent::Change { target, changes: vec![change] }
    }])
}

/// "too far (away)", "too close", "too low".
fn near_or_far(sense: &Sense) -> Option<Way> {
    match sense {
        Sense::Glue(Glue::Far) => Some(Way::Back),
        Sense::Glue(Glue::Close) => Some(Way::Front),
        Sense::Glue(Glue::Low) => Some(Way::Down),
        _ => None,
    }
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
    let how = arrangement(reader)?;
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
    reader.glue(Glue::Same).then(|| vec![Intent::Answer(subject)])
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
        intents.iter().all(|intent| match intent {
            Intent::Create(phrases) => {
                // "a red sphere and a blue one" is made; "the red one" is no wish for a thing.
                phrases.first().is_some_and(|phrase| {
                    // "green one in between", "one behind": another of the kind.
                    let placed = phrase.determiner == Determiner::Bare && !phrase.places.is_empty();
                    let further = phrase.determiner == Determiner::Another;
                    phrase.head != Some(Noun::Thing) || placed || further
                })
            }
            _ => false,
        })
    };
    if let Some(made) = creations(reader).filter(new) {
        return Some(made);
    }
    reader.at = start;
    let _ = reader.take(as_verb);
    reader.at = start;
    target(reader, Tail::NO_WITH).map(|target| vec![Intent::Answer(target)])
}
