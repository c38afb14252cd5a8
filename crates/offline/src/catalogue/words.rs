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

/// Whether one letter is wrong, missing, added, or two are swapped: an edit distance of just 1. Asked of
/// hundreds of words for each unknown one, it counts no further.
pub(crate) fn is_one_slip(word: &str, other: &str) -> bool {
    let same = |(one, other): &(char, char)| one == other;
    let ahead = word.chars().zip(other.chars()).take_while(same).map(|(one, _)| one.len_utf8());
    let ahead: usize = ahead.sum();
    let (word, other) = (&word[ahead..], &other[ahead..]);
    let behind = word.chars().rev().zip(other.chars().rev()).take_while(same);
    let behind: usize = behind.map(|(one, _)| one.len_utf8()).sum();
    let (mut word, mut other) =
        (word[..word.len() - behind].chars(), other[..other.len() - behind].chars());
    let differing = (word.next(), word.next(), other.next(), other.next());
    let no_more = word.next().is_none() && other.next().is_none();
    no_more
        && match differing {
            (Some(first), Some(second), Some(third), Some(fourth)) => {
                first == fourth && second == third
            }
            (one, None, other, None) => one.is_some() || other.is_some(),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_slip_is_an_edit_distance_of_one(word in "[abä]{0,5}", other in "[abä]{0,5}") {
            let distance = strsim::damerau_levenshtein(&word, &other);
            prop_assert_eq!(is_one_slip(&word, &other), distance == 1);
        }
    }
}
