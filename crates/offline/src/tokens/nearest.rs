//! Nouns that the lexicon has not, by what of the catalogue is nearest to them.

use std::sync::Arc;

use catalogue::{Nearest, catalogue};

use super::edge::Edge;
use super::lattice::Lattice;
use super::lexicon::{Entry, Feature, Lexicon, Slots};
use super::slips::SHORT;

/// What such a noun costs: more than what the lexicon says of a word, less than a slip.
const KNOWN: f32 = 0.7;
/// The same, if no object is near it.
const STRANGE: f32 = 1.3;
/// What a short one costs besides: it is as likely a slip of another word.
const DOUBTFUL: f32 = 0.6;
/// The fewest letters of a part of a compound.
const MIN_PART: usize = 3;
/// The most words of one.
const MAX_WORDS: usize = 3;

impl Lattice {
    /// "textbook" is a book: what a word ends with tells what it is.
    fn compound(&mut self, from: usize, word: &str, lexicon: &Lexicon) {
        let (noun, object) = (lexicon.symbols.number("Noun"), lexicon.symbols.number("object"));
        let cuts = (MIN_PART..word.len().saturating_sub(MIN_PART - 1))
            .filter(|cut| word.is_char_boundary(*cut));
        for cut in cuts {
            let (before, last) = word.split_at(cut);
            let is_word = lexicon.has(before, "Noun") || catalogue().nearest(before).is_some();
            let is_object = |entry: &&Entry| {
                Some(entry.category) == noun && Some(entry.sense) == object && entry.cost < KNOWN
            };
            let Some(entry) = lexicon.find(last).find(is_object).filter(|_| is_word) else {
                continue;
            };
            let mut slots = entry.slots.as_ref().clone();
            slots.push(("stands_for", Feature::Text(word.into())));
            let edge = Edge::of(from, from + 1, entry, STRANGE);
            self.edges.push(Edge { slots: Arc::new(slots), ..edge });
            return;
        }
    }

    /// Reads some words as a noun that the lexicon has not.
    pub(super) fn nearest(&mut self, from: usize, to: usize, words: &str, lexicon: &Lexicon) {
        // What the lexicon has means that; a noun of its own is no plural of another.
        let adjective = lexicon.symbols.number("Adj");
        // "a big oak": what is made of it is called by it, too.
        let mut known = lexicon.find(words).peekable();
        let is_known = known.peek().is_some();
        if to - from > MAX_WORDS || !known.all(|entry| Some(entry.category) == adjective) {
            return;
        }
        let Some((noun, nearest)) = catalogue().nearest(words) else {
            if to == from + 1 && !is_known && !lexicon.knows(words) {
                self.compound(from, words, lexicon);
            }
            return;
        };
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
            cost: match words.len() <= SHORT || is_known {
                true => cost + DOUBTFUL,
                false => cost,
            },
            slots: Arc::new(slots),
            spelled: None,
        });
    }
}
