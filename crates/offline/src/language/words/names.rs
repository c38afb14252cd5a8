//! The names that stand in a scene, as words a person may use.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::language::words::lexicon::id_words;
use crate::memory::Memory;
use crate::world::{Things, World};

/// The names of the last few scenes; a conversation asks for the same ones with every message it reads again.
static NAMES: Memory<Scene, Arc<Names>> = Memory::new(8);

/// The things and the groups above groups.
type Scene = (Things, Vec<(String, String)>);

/// The names of scenes of more things are told anew: remembering must not weigh much.
const MOST_THINGS: usize = 2_000;

/// Ids and groups in the order of the scene. A scene may have hundreds and a message is read in many ways, so
/// their words are looked up, not gone through; they are sorted when first asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    texts: Vec<String>,
    index: OnceLock<Index>,
}

#[derive(Debug, Clone, Default)]
struct Index {
    /// Names in lower case, each with its place.
    whole: HashMap<String, usize>,
    /// Names of several words by their first word: those words, and the place.
    several: HashMap<String, Vec<(Vec<String>, usize)>>,
    /// Every word of every name.
    words: HashSet<String>,
}

impl Names {
    /// Those of a scene.
    pub(crate) fn of(world: &World) -> Arc<Self> {
        let same = |(things, parents): &Scene| *things == world.things && *parents == world.parents;
        NAMES.recall(same).unwrap_or_else(|| {
            let names = Arc::new(Self::new(world.names()));
            if world.things.len() <= MOST_THINGS {
                NAMES.keep((world.things.clone(), world.parents.clone()), names.clone());
            }
            names
        })
    }

    /// Of these texts each once.
    pub(crate) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known = HashSet::new();
        let once = texts.into_iter().filter(|text| known.insert(*text));
        Self { texts: once.map(str::to_owned).collect(), index: OnceLock::new() }
    }

    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// These and more.
    pub(crate) fn and<'a>(&'a self, more: impl IntoIterator<Item = &'a str>) -> Self {
        Self::new(self.texts.iter().map(String::as_str).chain(more))
    }

    /// The name that is this word, whatever its case.
    pub(in crate::language) fn called(&self, word: &str) -> Option<&str> {
        self.index().whole.get(word).map(|at| self.texts[*at].as_str())
    }

    /// The names of several words that begin with this one, with their words, in the order of the scene.
    pub(in crate::language) fn beginning(
        &self,
        word: &str,
    ) -> impl Iterator<Item = (&[String], &str)> {
        let found = self.index().several.get(word).map(Vec::as_slice).unwrap_or_default();
        found.iter().map(|(words, at)| (words.as_slice(), self.texts[*at].as_str()))
    }

    /// Whether a name has this word.
    pub(in crate::language) fn have(&self, word: &str) -> bool {
        self.index().words.contains(word)
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut index = Index::default();
            for (at, text) in self.texts.iter().enumerate() {
                index.whole.entry(text.to_lowercase()).or_insert(at);
                let words = id_words(text);
                index.words.extend(words.iter().cloned());
                if let [first, _, ..] = words.as_slice() {
                    index.several.entry(first.clone()).or_default().push((words, at));
                }
            }
            index
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_words() {
        let names = Names::new(["Big_Ben", "bob", "big_box", "bob"]);
        assert_eq!(names.texts(), ["Big_Ben", "bob", "big_box"]);
        assert_eq!(names.called("big_ben"), Some("Big_Ben"));
        assert_eq!(names.called("ben"), None);
        let found: Vec<&str> = names.beginning("big").map(|(_, name)| name).collect();
        assert_eq!(found, ["Big_Ben", "big_box"]);
        assert!(names.have("ben") && !names.have("be"));
    }
}
