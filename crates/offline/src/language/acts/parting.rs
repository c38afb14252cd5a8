//! Where a clause may be parted: a wish, and a reason, a purpose, a remark or a description that it can do
//! without.

use crate::language::acts::intent::Intent;
use crate::language::acts::passing::turns_it_round;
use crate::language::words::lexicon::Token;
use crate::language::words::vocabulary::{Glue, Noun, Sense};

/// Words that begin a remark rather than a wish, after a comma or before one.
const REMARKING: [&str; 23] = [
    "i",
    "i'm",
    "i've",
    "it",
    "its",
    "it's",
    "that",
    "thats",
    "this",
    "we",
    "we're",
    "we've",
    "you",
    "they",
    "there",
    "he",
    "she",
    "like",
    "cant",
    "can't",
    "cannot",
    "otherwise",
    "as",
];

/// Words that begin a reason wherever they stand.
const REASONS: [&str; 12] = [
    "because",
    "since",
    "cause",
    "cuz",
    "coz",
    "otherwise",
    "so that",
    "in order to",
    "to make it",
    "to suit",
    "though",
    "although",
];

/// Words that begin what describes a thing further, right behind it.
const DESCRIBING: [&str; 9] =
    ["that", "which", "who", "that is", "which is", "thats", "where", "when", "while"];

/// What a part of a clause is that is passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// "because I can't see it", "I am bored": beside any wish.
    Remark,
    /// "for a still life", "to sit on": of something new.
    Purpose,
    /// "that can fly to the moon", ", the kind my grandfather had": of something new, without a denial.
    Description,
}

/// A clause parted in what may be a wish and what may be passed over.
#[derive(Debug, Clone, Copy)]
pub(in crate::language) struct Parting<'a> {
    /// What may be a wish.
    pub(in crate::language) kept: &'a [Token],
    /// What is passed over; may be empty.
    pub(in crate::language) passed: &'a [Token],
    kind: Kind,
}

/// All of a clause, then every way to cut something off its end, with the longest wish first, then a remark off
/// its beginning.
pub(in crate::language) fn partings(said: &[Token]) -> Vec<Parting<'_>> {
    let whole = Parting { kept: said, passed: &[], kind: Kind::Remark };
    let before = (1..said.len()).rev().filter_map(|at| {
        let (kept, passed) = said.split_at(at);
        Some(Parting { kept, passed, kind: kind_at(&said[at - 1..])? })
    });
    let remarks = said.first().is_some_and(|token| REMARKING.contains(&first_word(token)));
    let commas = (1..said.len()).filter(|at| remarks && is_comma(&said[*at]));
    let after =
        commas.map(|at| Parting { kept: &said[at + 1..], passed: &said[..at], kind: Kind::Remark });
    // Why it is wanted may be told by a denial: "because I can't see it".
    let plain = |parting: &Parting<'_>| !parting.kept.iter().any(turns_it_round);
    std::iter::once(whole).chain(before).chain(after).filter(plain).collect()
}

/// What begins with the second of these words, None where it may be a part of the wish.
fn kind_at(words: &[Token]) -> Option<Kind> {
    let [before, first, rest @ ..] = words else { return None };
    let next = rest.first();
    let somebody = |token: &Token| REMARKING.contains(&first_word(token));
    let compares =
        |token: &Token| ["when", "if", "in", "at", "on", "during"].contains(&token.text.as_str());
    let counts = |token: &Token| token.senses.iter().any(is_number);
    let after_thing = before.senses.iter().any(is_thing);
    let text = first.text.as_str();
    let found = match text {
        "like" if next.is_some_and(|token| somebody(token) || compares(token)) => true,
        "like" => return is_comma(before).then_some(Kind::Description),
        "so" | "as" => next.is_some_and(somebody),
        "would" | "will" => return next.map(|_| Kind::Purpose),
        "for" => return next.filter(|token| !counts(token)).map(|_| Kind::Purpose),
        "to" => return after_thing.then_some(Kind::Purpose),
        _ if DESCRIBING.contains(&text) && after_thing => return Some(Kind::Description),
        _ if is_comma(before) && somebody(first) => true,
        _ if is_comma(before) && is_aside(&words[1..]) => return Some(Kind::Description),
        _ => REASONS.contains(&text),
    };
    found.then_some(Kind::Remark)
}

/// ", the kind my grandfather had": there are words nobody knows, and no wish and no question among them.
fn is_aside(words: &[Token]) -> bool {
    let wishes =
        |token: &Token| matches!(token.senses.first(), Some(Sense::Verb(_) | Sense::Ask(_)));
    words.iter().any(|token| token.senses.is_empty()) && !words.iter().any(wishes)
}

impl Parting<'_> {
    /// Whether these intents can do without what is passed over.
    pub(in crate::language) fn suits(&self, intents: &[Intent]) -> bool {
        let makes = |intent: &Intent| {
            matches!(
                intent,
                Intent::Create(_) | Intent::Stage(_) | Intent::Light(_) | Intent::Surround { .. }
            )
        };
        let of_new = intents.iter().all(makes);
        match self.kind {
            Kind::Remark => true,
            Kind::Purpose => of_new && !self.is_owned(),
            Kind::Description => of_new && !self.passed.iter().any(turns_it_round),
        }
    }

    /// "a lid for the pot", "a hat for it": belongs to what stands in the scene.
    fn is_owned(&self) -> bool {
        let refers = [Glue::It, Glue::Them, Glue::Its, Glue::All, Glue::Everything, Glue::Rest];
        let of_scene = |token: &Token| {
            token.senses.iter().any(|sense| match sense {
                Sense::Noun(Noun::Named(_)) => true,
                Sense::Glue(glue) => refers.contains(glue),
                _ => false,
            })
        };
        let known = |token: &Token| token.senses.iter().any(is_thing);
        let the_thing = |pair: &[Token]| pair[0].text == "the" && known(&pair[1]);
        let joined = self.passed.first().is_some_and(|token| ["for", "to"].contains(&&*token.text));
        joined && (self.passed.iter().any(of_scene) || self.passed.windows(2).any(the_thing))
    }
}

/// "it feels" is one token.
fn first_word(token: &Token) -> &str {
    token.text.split(' ').next().unwrap_or_default()
}

pub(in crate::language) fn is_comma(token: &Token) -> bool {
    token.senses.contains(&Sense::Comma)
}

/// "it feels clinical", "I've changed my mind": somebody or something, and no wish.
pub(in crate::language) fn is_remark(words: &[Token]) -> bool {
    let [who, rest @ ..] = words else { return false };
    let who = first_word(who);
    let oneself = ["i", "i'm", "i've", "we", "we're", "we've"].contains(&who);
    let other = ["it", "they", "that", "this"].contains(&who);
    let says = |sense: &Sense| match sense {
        Sense::Verb(_) | Sense::Ask(_) => !oneself,
        Sense::Noun(_) | Sense::Colour(_) | Sense::Finish(_) | Sense::Size(_) => true,
        Sense::Compare(_) | Sense::Tone(_) | Sense::Mood(_) | Sense::Glue(Glue::Should) => true,
        _ => false,
    };
    let of_scene = |token: &Token| token.senses.iter().any(says) || turns_it_round(token);
    (oneself || other) && !rest.iter().any(of_scene)
}

fn is_number(sense: &Sense) -> bool {
    matches!(sense, Sense::Number(_) | Sense::Dimensions(_))
}

pub(in crate::language) fn is_thing(sense: &Sense) -> bool {
    matches!(sense, Sense::Noun(_))
}
