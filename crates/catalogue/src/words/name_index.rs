//! Finding by name.

use std::collections::HashMap;

/// The most words a name has.
pub(crate) const MAX_NAME_WORDS: usize = 4;

/// The entries of a list by their names; a name that several share belongs to the first of them.
#[derive(Debug, Default)]
pub(crate) struct NameIndex(HashMap<String, usize>);

impl NameIndex {
    /// Of the names of each entry.
    pub(crate) fn new<'a>(entries: impl Iterator<Item = &'a [String]>) -> Self {
        let mut indices = HashMap::new();
        for (index, names) in entries.enumerate() {
            for name in names {
                indices.entry(name.replace('-', " ")).or_insert(index);
            }
        }
        Self(indices)
    }

    /// The index of the entry one of whose names these words are, in any case, singular or plural.
    pub(crate) fn find(&self, words: &str) -> Option<usize> {
        let normalised = normalised(words);
        let index = |name: &String| self.0.get(name).copied();
        index(&normalised).or_else(|| singulars(&normalised).iter().find_map(index))
    }
}

/// In lower case, with one space between words.
pub(crate) fn normalised(words: &str) -> String {
    let words = words.to_lowercase().replace(['-', '_'], " ");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether `words` are the plural of `name`.
pub(crate) fn is_plural_of(words: &str, name: &str) -> bool {
    singulars(words).iter().any(|singular| singular == name)
}

/// What the last word may be the plural of.
pub(crate) fn singulars(words: &str) -> Vec<String> {
    let endings =
        [("men", "man"), ("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", "")];
    endings
        .into_iter()
        .filter_map(|(plural, singular)| {
            let stem = words.strip_suffix(plural)?;
            (stem.len() > 1).then(|| format!("{stem}{singular}"))
        })
        .collect()
}
