//! Which of several meanings of a word is likelier by what stands around it.

use super::lattice::Lattice;
use super::lexicon::Lexicon;
use super::symbols::Symbol;

/// What a word costs that stands within a filler.
const WITHIN_PHRASE: f32 = 1.5;
/// What a noun costs that is a function word as well.
const FUNCTION_WORD: f32 = 2.5;
/// What a noun costs that is mostly said in passing where it is counted or measured.
const COUNTED: f32 = 0.3;

impl Lattice {
    /// A word that holds sentences together is hardly ever the name of a thing: "can", "does".
    pub(super) fn prefer_function_words(&mut self, lexicon: &Lexicon) {
        let names = ["Ought", "Be", "Have", "Wh"];
        let function: Vec<Option<Symbol>> =
            names.iter().map(|name| lexicon.symbols.number(name)).collect();
        let noun = lexicon.symbols.number("Noun");
        let spans: Vec<(usize, usize)> = self
            .edges
            .iter()
            .filter(|edge| function.contains(&Some(edge.category)))
            .map(|edge| (edge.from, edge.to))
            .collect();
        for edge in self.edges.iter_mut().filter(|edge| Some(edge.category) == noun) {
            if spans.contains(&(edge.from, edge.to)) {
                edge.cost += FUNCTION_WORD;
            }
        }
    }

    /// A word that is mostly said in passing is a noun behind a number, an article or a measure: "a six foot man".
    pub(super) fn prefer_counted_nouns(&mut self, lexicon: &Lexicon) {
        let number = |name: &str| lexicon.symbols.number(name);
        let before = ["Det", "Num", "Unit", "Adj"].map(number);
        let ends: Vec<usize> = self
            .edges
            .iter()
            .filter(|edge| before.contains(&Some(edge.category)))
            .map(|edge| edge.to)
            .collect();
        let (noun, filler) = (number("Noun"), number("Filler"));
        let fillers: Vec<(usize, usize)> = self
            .edges
            .iter()
            .filter(|edge| Some(edge.category) == filler)
            .map(|edge| (edge.from, edge.to))
            .collect();
        for edge in self.edges.iter_mut().filter(|edge| Some(edge.category) == noun) {
            if fillers.contains(&(edge.from, edge.to)) && ends.contains(&edge.from) {
                edge.cost = edge.cost.min(COUNTED);
            }
        }
    }

    /// Words within a filler of several words are seldom meant by themselves: "if you don't mind".
    pub(super) fn prefer_phrases(&mut self, lexicon: &Lexicon) {
        let filler = lexicon.symbols.number("Filler");
        let phrases: Vec<(usize, usize)> = self
            .edges
            .iter()
            .filter(|edge| Some(edge.category) == filler && edge.to > edge.from + 1)
            .map(|edge| (edge.from, edge.to))
            .collect();
        for edge in &mut self.edges {
            if phrases.iter().any(|(from, to)| {
                *from <= edge.from && edge.to <= *to && edge.to - edge.from < to - from
            }) {
                edge.cost += WITHIN_PHRASE;
            }
        }
    }
}
