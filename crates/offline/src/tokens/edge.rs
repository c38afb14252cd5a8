//! A word of a message with one of its meanings.

use std::sync::Arc;

use super::lexicon::{Entry, Slots};
use super::symbols::{Features, Symbol};

/// A word, or several, with a meaning.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) category: Symbol,
    pub(crate) sense: Symbol,
    pub(crate) features: Features,
    pub(crate) cost: f32,
    pub(crate) slots: Arc<Slots>,
    /// How the word is spelled that was mistyped.
    pub(crate) spelled: Option<Arc<str>>,
}

impl Edge {
    /// An entry of the lexicon at some tokens, which costs `more` than it does otherwise.
    pub(super) fn of(from: usize, to: usize, entry: &Entry, more: f32) -> Self {
        Self {
            from,
            to,
            category: entry.category,
            sense: entry.sense,
            features: entry.features,
            cost: entry.cost + more,
            slots: Arc::clone(&entry.slots),
            spelled: None,
        }
    }

    /// The same, the word being spelled otherwise.
    pub(super) fn spelled(self, word: &str) -> Self {
        Self { spelled: Some(word.into()), ..self }
    }
}
