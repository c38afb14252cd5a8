//! Words for things of several kinds: "the furniture", "all the fruit", "the round things".

use serde::Deserialize;

/// What belongs under one word.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Category {
    /// Words for all of it.
    words: Vec<String>,
    /// Words for one thing of it.
    one: Vec<String>,
    /// Names of objects.
    things: Vec<String>,
    /// Types of shapes.
    #[serde(default)]
    shapes: Vec<String>,
}

impl Category {
    /// All words for it or for one thing of it.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().chain(&self.one).map(String::as_str)
    }

    /// Whether this word means more than one thing of it; None for what is no word for it.
    pub(crate) fn is_many(&self, word: &str) -> Option<bool> {
        let named = |words: &[String]| words.iter().any(|known| known == word);
        named(&self.words).then_some(true).or_else(|| named(&self.one).then_some(false))
    }

    /// The names of the objects that belong to it.
    pub(crate) fn things(&self) -> &[String] {
        &self.things
    }

    /// Whether shapes of this type belong to it.
    pub(crate) fn has_shape(&self, type_name: &str) -> bool {
        self.shapes.iter().any(|shape| shape == type_name)
    }
}
