//! What is said of one thing after the other, the verb once for all: "put a bowl on it and two
//! apples in the bowl", "raise the cone by 50 cm and the box by 1 m", "sphere green, box yellow".

use super::clause::clause;
use super::intent::Intent;
use super::lexicon::{Token, tag};
use super::reader::Reader;
use super::vocabulary::{Glue, Noun, Sense};

/// The most words and joints of what is tried: every joint may part two wishes.
const MOST_WORDS: usize = 60;
const MOST_JOINTS: usize = 8;

/// Reads `tokens` as several wishes parted by "and" or commas; those after the first borrow its
/// verb. None unless everything is understood.
pub(super) fn gapped(tokens: &[Token]) -> Option<Vec<Intent>> {
    let joints = tokens.iter().filter(|token| joins(token)).count();
    if tokens.len() > MOST_WORDS || joints > MOST_JOINTS {
        return None;
    }
    let filler = |token: &&Token| token.senses.contains(&Sense::Filler);
    let verb = tokens.iter().find(|token| !filler(token)).filter(|token| is_verb(token));
    parted(tokens, verb)
}

/// "take the black cube away", "line the balls up", "turn it up": a verb whose other half stands at
/// the end.
pub(super) fn rejoined(tokens: &[Token]) -> Option<Vec<Intent>> {
    let filler = |token: &Token| token.senses.contains(&Sense::Filler);
    let first = tokens.iter().position(|token| !filler(token))?;
    let last = tokens.iter().rposition(|token| !filler(token) || is_particle(token))?;
    let (verb, particle) = (tokens.get(first)?, tokens.get(last)?);
    if last <= first + 1 || !is_particle(particle) {
        return None;
    }
    let mut whole = tag(&format!("{} {}", verb.text, particle.text), &[]);
    let joined = whole.pop().filter(|token| whole.is_empty() && is_verb(token))?;
    let between = tokens[first + 1..last].iter().cloned();
    let said: Vec<Token> = std::iter::once(joined).chain(between).collect();
    wish(&said)
}

fn is_particle(token: &Token) -> bool {
    ["up", "down", "away", "out", "off", "on", "back", "over", "apart", "together"]
        .contains(&token.text.as_str())
}

fn parted(tokens: &[Token], verb: Option<&Token>) -> Option<Vec<Intent>> {
    let joints = (1..tokens.len()).filter(|at| joins(&tokens[*at]));
    joints.into_iter().find_map(|at| {
        let mut intents = wish(&tokens[..at])?;
        let next = (at..tokens.len()).find(|next| !joins(&tokens[*next]))?;
        let rest = &tokens[next..];
        let borrowed: Vec<Token> = verb.into_iter().chain(rest).cloned().collect();
        let more = wish(&borrowed)
            .or_else(|| wish(rest))
            .or_else(|| parted(&borrowed, verb))
            .or_else(|| parted(rest, verb))?;
        intents.extend(more);
        Some(intents)
    })
}

/// "a reading chair", "a breakfast table": something new without the unknown words before its noun,
/// and those words.
pub(super) fn undescribed(tokens: &[Token]) -> Option<(Vec<Intent>, Vec<String>)> {
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
pub(super) fn wish(tokens: &[Token]) -> Option<Vec<Intent>> {
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
