//! What is said of one thing after the other, the verb once for all: "put a bowl on it and two
//! apples in the bowl", "raise the cone by 50 cm and the box by 1 m", "sphere green, box yellow".

use std::collections::HashMap;
use std::ops::Range;

use crate::language::acts::clause::clause;
use crate::language::acts::intent::Intent;
use crate::language::words::lexicon::{Token, tag};
use crate::language::words::names::Names;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Noun, Sense};

/// The most words and joints of what is tried: every joint may part two wishes.
const MOST_WORDS: usize = 60;
const MOST_JOINTS: usize = 8;

/// Reads `tokens` as several wishes parted by "and" or commas; those after the first borrow its
/// verb. None unless everything is understood.
pub(in crate::language) fn gapped(tokens: &[Token]) -> Option<Vec<Intent>> {
    let joints = tokens.iter().filter(|token| joins(token)).count();
    if tokens.len() > MOST_WORDS || joints > MOST_JOINTS {
        return None;
    }
    let filler = |token: &&Token| token.senses.contains(&Sense::Filler);
    let verb = tokens.iter().find(|token| !filler(token)).filter(|token| is_verb(token));
    let mut parting = Parting { tokens, verb, wishes: HashMap::new(), ends: HashMap::new() };
    parting.from(0, Whose::Own)
}

/// "take the black cube away", "line the balls up", "turn it up": a verb whose other half stands at
/// the end.
pub(in crate::language) fn rejoined(tokens: &[Token]) -> Option<Vec<Intent>> {
    let filler = |token: &Token| token.senses.contains(&Sense::Filler);
    let first = tokens.iter().position(|token| !filler(token))?;
    let last = tokens.iter().rposition(|token| !filler(token) || is_particle(token))?;
    let (verb, particle) = (tokens.get(first)?, tokens.get(last)?);
    if last <= first + 1 || !is_particle(particle) {
        return None;
    }
    let mut whole = tag(&format!("{} {}", verb.text, particle.text), &Names::default());
    let joined = whole.pop().filter(|token| whole.is_empty() && is_verb(token))?;
    let between = tokens[first + 1..last].iter().cloned();
    let said: Vec<Token> = std::iter::once(joined).chain(between).collect();
    wish(&said)
}

fn is_particle(token: &Token) -> bool {
    ["up", "down", "away", "out", "off", "on", "back", "over", "apart", "together"]
        .contains(&token.text.as_str())
}

/// A sentence that may hold several wishes. The same words are tried in many partings: what they come to
/// is found once.
struct Parting<'a> {
    tokens: &'a [Token],
    /// What later wishes may borrow.
    verb: Option<&'a Token>,
    wishes: HashMap<(Range<usize>, Whose), Option<Vec<Intent>>>,
    ends: HashMap<(usize, Whose), Option<Vec<Intent>>>,
}

/// Whose verb some words have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Whose {
    Own,
    Borrowed,
}

impl Parting<'_> {
    /// These words as one wish.
    fn wish(&mut self, words: Range<usize>, whose: Whose) -> Option<Vec<Intent>> {
        let key = (words, whose);
        if let Some(known) = self.wishes.get(&key) {
            return known.clone();
        }
        let said = &self.tokens[key.0.clone()];
        let found = match whose {
            Whose::Own => wish(said),
            Whose::Borrowed => {
                let said: Vec<Token> = self.verb.into_iter().chain(said).cloned().collect();
                wish(&said)
            }
        };
        self.wishes.insert(key, found.clone());
        found
    }

    /// The words from `start` on as two wishes or more.
    fn from(&mut self, start: usize, whose: Whose) -> Option<Vec<Intent>> {
        if let Some(known) = self.ends.get(&(start, whose)) {
            return known.clone();
        }
        let end = self.tokens.len();
        let joints = (start + 1..end).filter(|at| joins(&self.tokens[*at]));
        let joints: Vec<usize> = joints.collect();
        let found = joints.into_iter().find_map(|at| {
            let mut intents = self.wish(start..at, whose)?;
            let next = (at..end).find(|next| !joins(&self.tokens[*next]))?;
            let verbs = self.verb.map(|_| Whose::Borrowed).into_iter().chain([Whose::Own]);
            let whole = verbs.clone().find_map(|whose| self.wish(next..end, whose));
            let more = whole.or_else(|| verbs.clone().find_map(|whose| self.from(next, whose)))?;
            intents.extend(more);
            Some(intents)
        });
        self.ends.insert((start, whose), found.clone());
        found
    }
}

/// "a reading chair", "a breakfast table": something new without the unknown words before its noun,
/// and those words.
pub(in crate::language) fn undescribed(tokens: &[Token]) -> Option<(Vec<Intent>, Vec<String>)> {
    let object = |token: &Token| {
        let noun = |sense: &Sense| matches!(sense, Sense::Noun(Noun::Assembly(_) | Noun::Shape(_)));
        token.senses.iter().any(noun)
    };
    let describes =
        |at: usize| tokens[at].senses.is_empty() && tokens.get(at + 1).is_some_and(object);
    let (strange, known): (Vec<usize>, Vec<usize>) =
        (0..tokens.len()).partition(|at| describes(*at));
    if strange.is_empty() {
        return None;
    }
    let said: Vec<Token> = known.into_iter().map(|at| tokens[at].clone()).collect();
    let intents = wish(&said)?;
    let new = intents.iter().all(|intent| matches!(intent, Intent::Create(_)));
    let words = strange.into_iter().map(|at| tokens[at].text.clone()).collect();
    new.then_some((intents, words))
}

/// All of `tokens` as one wish for a change.
pub(in crate::language) fn wish(tokens: &[Token]) -> Option<Vec<Intent>> {
    let mut reader = Reader::new(tokens);
    let intents = clause(&mut reader)?;
    reader.skip_fillers();
    (reader.peek().is_none() && intents.iter().all(changes_something)).then_some(intents)
}

fn changes_something(intent: &Intent) -> bool {
    matches!(
        intent,
        Intent::Create(_)
            | Intent::Change { .. }
            | Intent::Remove(_)
            | Intent::Duplicate { .. }
            | Intent::Arrange { .. }
            | Intent::Surround { .. }
            | Intent::Light(_)
            | Intent::Camera(_)
            | Intent::Expose(_)
            | Intent::Undo { .. }
            | Intent::Multiply { .. }
            | Intent::Exchange { .. }
            | Intent::Furnish { .. }
            | Intent::Snow
            | Intent::Air(_)
            | Intent::Autumn
            | Intent::OnlyLight(_)
            | Intent::Correct(_)
            | Intent::Excess { .. }
            | Intent::Repeat(_)
            | Intent::Mirror { .. }
            | Intent::Stage(_)
    )
}

fn is_verb(token: &Token) -> bool {
    matches!(token.senses.first(), Some(Sense::Verb(_)))
}

fn joins(token: &Token) -> bool {
    let joint = |sense: &Sense| {
        matches!(sense, Sense::Comma | Sense::Glue(Glue::And | Glue::Then | Glue::But))
    };
    token.senses.iter().any(joint)
}
