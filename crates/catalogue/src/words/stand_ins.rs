//! Words without an object of their own, and the object nearest to each: a crab for a lobster.

use std::collections::BTreeMap;

/// The table of `data/stand_ins.txt`: names of objects by the words they stand in for.
#[derive(Debug, Default)]
pub(crate) struct StandIns(BTreeMap<String, String>);

impl StandIns {
    /// Reads lines of `object: word, word`.
    pub(crate) fn read(table: &str) -> Self {
        let lines = table.lines().filter(|line| !line.starts_with('#'));
        let pairs = lines.filter_map(|line| line.split_once(": ")).flat_map(|(object, words)| {
            words.split(',').map(move |word| (word.trim().to_owned(), object.to_owned()))
        });
        Self(pairs.collect())
    }

    /// The name of the object that stands in for a word.
    pub(crate) fn find(&self, word: &str) -> Option<&str> {
        self.0.get(word).map(String::as_str)
    }

    /// Every word with the name of the object that stands in for it.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(word, object)| (word.as_str(), object.as_str()))
    }
}
