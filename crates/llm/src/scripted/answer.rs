//! Answers of a script.

use super::step::Step;

/// An answer of a script.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    /// What the last message of the user has to have in it.
    pub(super) when: Option<String>,
    pub(super) steps: Vec<Step>,
}

impl From<Vec<Step>> for Answer {
    fn from(steps: Vec<Step>) -> Self {
        Self { when: None, steps }
    }
}
