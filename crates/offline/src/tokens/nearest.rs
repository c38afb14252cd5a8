//! Nouns that the lexicon has not, by what of the catalogue is nearest to them.

use std::sync::Arc;

use catalogue::{Nearest, catalogue};

use super::edge::Edge;
use super::lattice::Lattice;
use super::lexicon::{Feature, Lexicon, Slots};
use super::slips::SHORT;

/// What such a noun costs: more than what the lexicon says of a word, less than a slip.
const KNOWN: f32 = 0.7;
/// The same, if no object is near it.
const STRANGE: f32 = 1.3;
/// What a short one costs besides: it is as likely a slip of another word.
const DOUBTFUL: f32 = 0.6;
/// The most words of one.
const MAX_WORDS: usize = 3;

impl Lattice {
    /// Reads some words as a noun that the lexicon has not.
    pub(super) fn nearest(&mut self, from: usize, to: usize, words: &str, lexicon: &Lexicon) {
        // What the lexicon has means that; a noun of its own is no plural of another.
        if to - from > MAX_WORDS || lexicon.find(words).next().is_some() {
            return;
        }
        let Some((noun, nearest)) = catalogue().nearest(words) else { return };
        let symbols = &lexicon.symbols;
        let (sense, cost, slots): (_, _, Slots) = match nearest {
            Nearest::Object(object) => {
                let object = ("object", Feature::Text(object.name().into()));
                ("object", KNOWN, vec![object, ("stands_for", Feature::Text(noun.into()))])
            }
            Nearest::Shape { .. } => {
                ("unknown", STRANGE, vec![("unknown", Feature::Text(noun.into()))])
            }
        };
        let (Some(category), Some(sense)) = (symbols.number("Noun"), symbols.number(sense)) else {
            return;
        };
        let number = if noun == words { "sg" } else { "pl" };
        let features = symbols.feature_named(number) | symbols.feature_named("nearest");
        self.edges.push(Edge {
            from,
            to,
            category,
            sense,
            features,
            cost: if words.len() <= SHORT { cost + DOUBTFUL } else { cost },
            slots: Arc::new(slots),
            spelled: None,
        });
    }
}
