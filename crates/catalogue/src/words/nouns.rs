//! English nouns for things that nobody made, and what of the catalogue is nearest to each.

use super::name_index::{normalised, singulars};

/// What stands in for a thing that the catalogue has not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum StandIn {
    /// The object of this name.
    Object(&'static str),
    /// A plain shape of this type, with its longest edge in metres.
    Shape(&'static str, f64),
}

/// The table of `data/nouns.txt`, sorted by the words.
#[derive(Debug, Default)]
pub(crate) struct Nouns(Vec<(&'static str, StandIn)>);

impl Nouns {
    /// Reads lines of `object: word, word` and `=box 0.3: word, word`.
    pub(crate) fn read(table: &'static str) -> Self {
        let lines = table.lines().filter(|line| !line.starts_with('#'));
        let mut nouns = Vec::new();
        for (target, words) in lines.filter_map(|line| line.split_once(": ")) {
            let shape = target.strip_prefix('=').and_then(|shape| shape.split_once(' '));
            let stand_in = match shape {
                Some((shape, size)) => StandIn::Shape(shape, size.parse().unwrap_or(1.0)),
                None => StandIn::Object(target),
            };
            nouns.extend(words.split(", ").map(|word| (word, stand_in)));
        }
        nouns.sort_unstable_by_key(|(word, _)| *word);
        Self(nouns)
    }

    /// What stands in for a noun in the singular or plural: the noun in the singular, and what.
    pub(crate) fn find(&self, words: &str) -> Option<(&'static str, StandIn)> {
        let words = normalised(words);
        let exact = |word: &str| {
            let at = self.0.binary_search_by_key(&word, |(word, _)| *word).ok()?;
            self.0.get(at).copied()
        };
        exact(&words).or_else(|| singulars(&words).iter().find_map(|word| exact(word)))
    }

    /// Every noun with what stands in for it.
    #[cfg(test)]
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static str, StandIn)> {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::StandIn;
    use crate::catalogue::{Nearest, catalogue};
    use crate::library::library;

    #[test]
    fn what_stands_in_exists_and_no_noun_is_an_object_by_itself() {
        let shapes = ["box", "cylinder", "tube", "sphere", "cone", "disc"];
        let own: HashSet<&str> = catalogue()
            .objects()
            .iter()
            .flat_map(|object| object.names())
            .map(String::as_str)
            .collect();
        for (noun, stand_in) in library().nouns.all() {
            match stand_in {
                StandIn::Object(name) => assert!(catalogue().find(name).is_some(), "{name}"),
                StandIn::Shape(shape, size) => {
                    assert!(shapes.contains(&shape) && size > 0.0, "{shape} {size}");
                }
            }
            assert!(!own.contains(noun), "{noun} is an object by itself");
        }
    }

    #[test]
    fn nouns_are_found_in_the_singular_and_the_plural() {
        let nearest = |words: &str| match catalogue().nearest(words) {
            Some((noun, Nearest::Object(object))) => Some((noun, object.name())),
            _ => None,
        };
        assert_eq!(nearest("meerkats"), Some(("meerkat", "cat")));
        assert_eq!(nearest("Colander"), Some(("colander", "bowl")));
        assert_eq!(nearest("frobnicator"), None);
        // What is beside it in the tree, a staircase, is nothing like it.
        assert_eq!(nearest("parquet"), None);
        let found = catalogue().search("meerkat", None);
        assert!(found.first().is_some_and(|found| found.stands_in), "{found:?}");
    }
}
