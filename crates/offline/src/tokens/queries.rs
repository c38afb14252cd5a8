//! What others ask of the words of a message.

use super::edge::Edge;
use super::lattice::Lattice;
use super::vocabulary::lexicon;

impl Lattice {
    /// Behind a word of a category that begins at a token, the longest.
    pub(crate) fn edge_at(&self, from: usize, category: &str) -> Option<usize> {
        let category = lexicon().symbols.number(category)?;
        let edges = self.edges.iter().filter(|edge| edge.from == from && edge.category == category);
        edges.map(|edge| edge.to).max()
    }

    /// Whether a wish begins at a token: "can you", "I would like".
    pub(crate) fn wishes(&self, at: usize) -> bool {
        let likes = |end: usize| self.edge_at(end, "Liking").is_some();
        let who = self.edge_at(at, "I").or_else(|| self.edge_at(at, "IWould"));
        ["Want", "Lead"].iter().any(|name| self.edge_at(at, name).is_some())
            || who.is_some_and(|end| likes(end) || self.edge_at(end, "Modal").is_some_and(likes))
    }

    /// Whether a clause begins at a token that tells of what stands before it: "that has stopped", "who went".
    pub(crate) fn relates(&self, at: usize) -> bool {
        let tells = |end: usize| {
            let verbs = ["Have", "Be", "Modal"];
            verbs.iter().any(|name| self.edge_at(end, name).is_some())
                || self.is_inflected_verb(end)
        };
        self.edge_at(at, "That").is_some_and(tells)
    }

    /// Whether a verb stands at a token in a form that tells: "runs", "went".
    pub(crate) fn is_inflected_verb(&self, at: usize) -> bool {
        let symbols = &lexicon().symbols;
        let (verb, bare) = (symbols.number("Verb"), symbols.feature_named("bare"));
        self.edges
            .iter()
            .any(|edge| edge.from == at && Some(edge.category) == verb && edge.features & bare == 0)
    }

    /// Whether a verb stands at a token as in an order: "put".
    pub(crate) fn is_order(&self, at: usize) -> bool {
        let symbols = &lexicon().symbols;
        let (verb, bare) = (symbols.number("Verb"), symbols.feature_named("bare"));
        self.edges
            .iter()
            .any(|edge| edge.from == at && Some(edge.category) == verb && edge.features & bare != 0)
    }

    /// Whether an article stands at a token that speaks of something new: "a".
    pub(crate) fn is_indefinite(&self, at: usize) -> bool {
        let symbols = &lexicon().symbols;
        let (article, new) = (symbols.number("Det"), symbols.feature_named("indef"));
        self.edges.iter().any(|edge| {
            edge.from == at
                && edge.to == at + 1
                && Some(edge.category) == article
                && edge.features & new != 0
        })
    }

    /// Whether somebody does something in a form that tells: "i ate it", "he eats".
    pub(crate) fn someone_acts(&self, at: usize) -> bool {
        let symbols = &lexicon().symbols;
        let who = ["i", "he"].map(|name| symbols.number(name));
        let is_someone = |edge: &&Edge| edge.from == at && who.contains(&Some(edge.sense));
        self.edges.iter().filter(is_someone).any(|edge| {
            self.is_inflected_verb(edge.to)
                || self.is_unknown(edge.to)
                    && self.edge_at(edge.to, "Noun").is_none_or(|_| !self.names_thing(edge.to))
        })
    }

    /// Whether a clause that begins at a token tells why, or who does something.
    pub(crate) fn gives_reason(&self, at: usize) -> bool {
        let symbols = &lexicon().symbols;
        let because = symbols.number("because");
        let is_reason = |edge: &Edge| edge.from == at && Some(edge.sense) == because;
        ["Clause", "Subject", "Pron", "Person", "That"]
            .iter()
            .any(|name| self.edge_at(at, name).is_some())
            || self.edges.iter().any(is_reason)
    }

    /// Whether a noun for a thing, or for a light, stands at a token.
    pub(crate) fn names_thing(&self, at: usize) -> bool {
        let symbols = &lexicon().symbols;
        let noun = symbols.number("Noun");
        let senses =
            ["object", "shape", "standin", "theme", "ground", "light", "named", "fog", "category"];
        let senses = senses.map(|name| symbols.number(name));
        self.edges.iter().any(|edge| {
            edge.from == at
                && Some(edge.category) == noun
                && edge.cost < 1.0
                && senses.contains(&Some(edge.sense))
        })
    }

    /// Whether nothing is known of a word but, at most, that it is an adjective.
    pub(crate) fn is_unknown(&self, at: usize) -> bool {
        let symbols = &lexicon().symbols;
        let noun = symbols.number("Noun");
        let (unknown, plain) = (symbols.number("unknown"), symbols.number("plain"));
        self.edges.iter().any(|edge| {
            edge.from == at
                && (Some(edge.sense) == plain
                    || Some(edge.category) == noun && Some(edge.sense) == unknown)
        })
    }
}
