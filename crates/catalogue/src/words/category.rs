//! Words for objects of several kinds: "the furniture", "all the fruit", "the round things".

use serde::Deserialize;

/// Everything that one word covers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// Words for all of it.
    words: Vec<String>,
    /// Words for a single member.
    one: Vec<String>,
    /// Names of objects.
    objects: Vec<String>,
    /// Types of shapes.
    #[serde(default)]
    shapes: Vec<String>,
    /// What parts of objects are called that belong to it: the planets of an orrery.
    #[serde(default)]
    parts: Vec<String>,
}

impl Category {
    /// All words for it or for a single member.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().chain(&self.one).map(String::as_str)
    }

    /// Whether this word means several members; `None` for a word that does not name the category.
    pub fn is_plural(&self, word: &str) -> Option<bool> {
        let named = |words: &[String]| words.iter().any(|known| known == word);
        named(&self.words).then_some(true).or_else(|| named(&self.one).then_some(false))
    }

    /// The names of the objects that belong to it.
    pub fn objects(&self) -> &[String] {
        &self.objects
    }

    /// Whether objects are sorted into it: it does not go by form, nor is it of parts alone.
    pub(crate) fn is_listed(&self) -> bool {
        self.shapes.is_empty() && !self.objects.is_empty()
    }

    /// What parts that belong to it are called.
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// Whether shapes of this type belong to it.
    pub fn has_shape(&self, type_name: &str) -> bool {
        self.shapes.iter().any(|shape| shape == type_name)
    }
}
