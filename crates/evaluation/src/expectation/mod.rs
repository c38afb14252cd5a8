//! Expectations: short sentences about the scene after a message, read once, then computed.

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

/// Something that has to hold after a message, e.g. `1 red sphere`, `sphere on ~table`, `tidy`.
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

/// An expectation that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the expectation '{text}': {reason}")]
pub struct ExpectationError {
    /// As it is written.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Expectation {
    /// Reads an expectation.
    pub fn parse(text: &str) -> Result<Self, ExpectationError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let kind =
            parse(&words).map_err(|reason| ExpectationError { text: text.to_owned(), reason })?;
        Ok(Self { text: text.to_owned(), kind })
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it holds; if not, what was found instead.
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
