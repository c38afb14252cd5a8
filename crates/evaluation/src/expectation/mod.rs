//! Expectations: short sentences about the scene after a message, parsed once and evaluated.

mod answer;
mod camera;
mod change;
mod claim;
mod front;
mod measure;
mod pattern;
mod relation;
mod whole;

use crate::moment::Moment;

use answer::Answer;
use camera::CameraClaim;
use claim::Claim;
use whole::Whole;

/// A condition on the scene after a message, e.g. `1 red sphere`, `sphere on ~table`, `tidy`.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Claim(Claim),
    Whole(Whole),
    Camera(CameraClaim),
    Answer(Answer),
}

/// A parse error of an expectation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the expectation '{text}': {reason}")]
pub struct ExpectationError {
    /// The text of the expectation.
    pub text: String,
    /// The problem.
    pub reason: String,
}

impl Expectation {
    /// Parses an expectation.
    pub fn parse(text: &str) -> Result<Self, ExpectationError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let kind =
            parse(&words).map_err(|reason| ExpectationError { text: text.to_owned(), reason })?;
        Ok(Self { text: text.to_owned(), kind })
    }

    /// The text of the expectation.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it holds; the error describes the actual state.
    pub fn check(&self, moment: &Moment<'_>) -> Result<(), String> {
        match &self.kind {
            Kind::Claim(claim) => claim.check(moment),
            Kind::Whole(whole) => whole.check(moment),
            Kind::Camera(camera) => camera.check(moment),
            Kind::Answer(answer) => answer.check(moment),
        }
    }
}

fn parse(words: &[&str]) -> Result<Kind, String> {
    match words {
        [] => Err("it is empty".into()),
        ["camera", rest @ ..] => CameraClaim::parse(rest).map(Kind::Camera),
        [first, ..] if Answer::WORDS.contains(first) => Answer::parse(words).map(Kind::Answer),
        [first, ..] if Whole::WORDS.contains(first) => Whole::parse(words).map(Kind::Whole),
        _ => match Whole::parse_removed(words) {
            Some(whole) => whole.map(Kind::Whole),
            None => Claim::parse(words).map(Kind::Claim),
        },
    }
}

#[cfg(test)]
mod tests;
