//! Finding by words.

use std::collections::HashMap;

/// The most words a name has.
pub(super) const LONGEST: usize = 4;

/// Which thing of a list has a name: the first of those that share it.
#[derive(Debug, Default)]
pub(super) struct Index(HashMap<String, usize>);

impl Index {
    /// Of the names of each thing.
    pub(super) fn of<'a>(things: impl Iterator<Item = &'a [String]>) -> Self {
        let mut places = HashMap::new();
        for (place, names) in things.enumerate() {
            for name in names {
                places.entry(plain_name(name)).or_insert(place);
            }
        }
        Self(places)
    }

    /// The place of the thing one of whose names these words are, in any case, singular or plural.
    pub(super) fn find(&self, words: &str) -> Option<usize> {
        let plain = plain(words);
        let place = |name: &String| self.0.get(name).copied();
        place(&plain).or_else(|| singulars(&plain).iter().find_map(place))
    }
}

fn plain(words: &str) -> String {
    let words = words.to_lowercase().replace(['-', '_'], " ");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn plain_name(name: &str) -> String {
    name.replace('-', " ")
}

/// What the last word may be the plural of.
fn singulars(words: &str) -> Vec<String> {
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

/// Whether two words may differ by one slip: told by their lengths and ends, before letters are counted.
pub(crate) fn may_be_a_slip(word: &str, other: &str) -> bool {
    // A letter may take four bytes.
    let alike = word.len().abs_diff(other.len()) <= 4;
    // One slip leaves the first letter or the last.
    alike
        && (word.chars().next() == other.chars().next()
            || word.chars().next_back() == other.chars().next_back())
}
