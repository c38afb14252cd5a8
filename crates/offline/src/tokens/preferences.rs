//! Which of several meanings of a word is likelier by what stands around it.

use super::edge::Edge;
use super::lattice::Lattice;
use super::lexicon::Lexicon;
use super::scene_names::SceneNames;
use super::symbols::Symbol;

/// What a word costs that stands within a filler.
const WITHIN_PHRASE: f32 = 1.5;
/// What a noun costs that is a function word as well.
const FUNCTION_WORD: f32 = 2.5;
/// What another noun costs that is written like a light where light is spoken of.
const NO_LIGHT: f32 = 2.5;
/// What a noun costs before another one of which nothing is known.
const BEFORE_LAST: f32 = 1.2;
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

    /// "soft key from the left", "kill the fill": names of lights that are other things, too, are lights where light is spoken
    /// of, by another such name, a word of what light is like before them or after them, or from where they shine.
    pub(super) fn prefer_lights(&mut self, lexicon: &Lexicon, names: &SceneNames) {
        let number = |name: &str| lexicon.symbols.number(name);
        let jargon = lexicon.symbols.feature_named("jargon");
        let is_jargon = |edge: &Edge| edge.features & jargon != 0;
        let [light, noun, adjective, tone] = ["light", "Noun", "Adj", "tone"].map(number);
        let [from, side, stop] = ["from", "SunSide", "FStop"].map(number);
        let spans: Vec<(usize, usize)> = {
            let lights = self.edges.iter().filter(|edge| is_jargon(edge));
            lights.map(|edge| (edge.from, edge.to)).collect()
        };
        // The scene has a light that is called so.
        let is_there = |(start, end): (usize, usize)| {
            let words: Vec<&str> =
                self.tokens[start..end].iter().map(|token| token.text.as_str()).collect();
            names.has(&format!("{} light", words.join(" ")))
        };
        let tells = |(start, end): (usize, usize)| {
            is_there((start, end))
                || self.edges.iter().any(|edge| {
                    let is_apart = edge.to <= start || edge.from >= end;
                    let is_light = Some(edge.category) == noun && Some(edge.sense) == light;
                    let is_tone = Some(edge.category) == adjective && Some(edge.sense) == tone;
                    let shines_from = Some(edge.sense) == from
                        && edge.from == end
                        && self.edges.iter().any(|other| {
                            Some(other.category) == side
                                && (edge.to..edge.to + 2).contains(&other.from)
                        });
                    is_apart
                        && (is_light
                            || Some(edge.category) == stop
                            || (is_tone
                                && (edge.to == start || (end..end + 4).contains(&edge.from))))
                        || shines_from
                })
        };
        let lights: Vec<(usize, usize)> = spans.into_iter().filter(|span| tells(*span)).collect();
        for edge in self.edges.iter_mut().filter(|edge| Some(edge.category) == noun) {
            match lights.contains(&(edge.from, edge.to)) {
                true if is_jargon(edge) => edge.cost = 0.0,
                true if Some(edge.sense) != number("named") => edge.cost += NO_LIGHT,
                _ => {}
            }
        }
    }

    /// "shooter arena", "scale ref": of two nouns the last tells what it is, known or not.
    pub(super) fn prefer_last_nouns(&mut self, lexicon: &Lexicon) {
        let noun = lexicon.symbols.number("Noun");
        let one = lexicon.symbols.feature_named("sg");
        let kinds = ["object", "standin"].map(|name| lexicon.symbols.number(name));
        let strange: Vec<usize> =
            (0..self.tokens.len()).filter(|at| self.is_strange_noun(*at, lexicon)).collect();
        for edge in self.edges.iter_mut().filter(|edge| Some(edge.category) == noun) {
            let is_thing = kinds.contains(&Some(edge.sense)) && edge.features & one != 0;
            if is_thing && strange.contains(&edge.to) {
                edge.cost += BEFORE_LAST;
            }
        }
    }

    /// Whether nothing is known of a word, not even that it could be an adjective or a slip.
    fn is_strange_noun(&self, at: usize, lexicon: &Lexicon) -> bool {
        let word = lexicon.symbols.number("Word");
        let noun = lexicon.symbols.number("Noun");
        let unknown = lexicon.symbols.number("unknown");
        let own = || self.edges.iter().filter(|edge| edge.from <= at && at < edge.to);
        let is_unknown = |edge: &Edge| Some(edge.category) == noun && Some(edge.sense) == unknown;
        own().any(is_unknown) && own().all(|edge| is_unknown(edge) || Some(edge.category) == word)
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
