//! All words that a message may consist of.

use std::sync::Arc;

use super::edge::Edge;
use super::forms::is_adjective;
use super::lexicon::{Entry, Feature, Lexicon, MAX_WORDS, SHORTENED, Slots};
use super::numbers::number_edges;
use super::scan::{APOSTROPHES, Token, TokenKind, scan};
use super::scene_names::SceneNames;
use super::slips::{SHORT, slips};
use super::symbols::Features;
use super::vocabulary::lexicon;

/// What it costs to leave a token unread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Skip {
    /// This much.
    Cost(f32),
    /// It ends a sentence: free between utterances, impossible inside of one.
    End,
    /// It turns the meaning: never.
    Never,
}

/// The tokens of a message with everything they may mean.
#[derive(Debug, Clone)]
pub(crate) struct Lattice {
    pub(crate) tokens: Vec<Token>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) skips: Vec<Skip>,
    /// The tokens without which a message means something else: negations, conditions, question words.
    pub(crate) turning: Vec<bool>,
    /// What tokens stand for inside of several words, and what that costs.
    respelled: Vec<Option<(String, f32)>>,
    /// Particles of verbs that stand after the object: "turn it down".
    particles: Vec<usize>,
}

/// A word that is also a name of the scene is meant as a word where both fit.
const NAMED: f32 = 0.05;
/// What an adjective costs of which nothing but its ending is known.
const PLAIN: f32 = 0.9;
/// The most words between the two of a verb, and what such a verb costs.
const MAX_PARTED: usize = 6;
const PARTED: f32 = 0.15;
/// More tokens of a message are not read.
const MAX_TOKENS: usize = 160;

/// Costs of skipping a token by what it is.
mod cost {
    pub(super) const FILLER: f32 = 0.05;
    pub(super) const COMMA: f32 = 0.15;
    pub(super) const FUNCTION: f32 = 1.5;
    /// "the" tells what is there from what is to be made.
    pub(super) const DETERMINER: f32 = 4.0;
    pub(super) const QUESTION: f32 = 3.5;
    pub(super) const UNKNOWN: f32 = 2.2;
    pub(super) const CONTENT: f32 = 4.0;
}

impl Lattice {
    /// Reads a message. `names` are those of the scene.
    pub(crate) fn read(message: &str, names: &SceneNames) -> Self {
        let lexicon = lexicon();
        let mut tokens = scan(message);
        tokens.truncate(MAX_TOKENS);
        let (edges, skips, turning) = (Vec::new(), Vec::new(), Vec::new());
        let mut lattice =
            Self { tokens, edges, skips, turning, particles: Vec::new(), respelled: Vec::new() };
        lattice.split_possessives(message, lexicon);
        let respelled = lattice.tokens.iter().map(|token| match token.kind {
            TokenKind::Word => lexicon.respelled(&token.text),
            _ => None,
        });
        lattice.respelled = respelled.collect();
        for from in 0..lattice.tokens.len() {
            lattice.words_from(from, lexicon, names);
        }
        for from in 0..lattice.tokens.len() {
            lattice.parted_verb(from, lexicon);
        }
        lattice.capitals(message, lexicon);
        let numbers = number_edges(&lattice.tokens, &lattice.edges, lexicon);
        lattice.edges.extend(numbers);
        for at in 0..lattice.tokens.len() {
            lattice.unusual(at, lexicon);
        }
        lattice.kelvins(lexicon);
        lattice.prefer_phrases(lexicon);
        lattice.prefer_counted_nouns(lexicon);
        lattice.prefer_lights(lexicon, names);
        lattice.prefer_last_nouns(lexicon);
        lattice.prefer_function_words(lexicon);
        lattice.skips = (0..lattice.tokens.len()).map(|at| lattice.skip_of(at, lexicon)).collect();
        lattice.turning = (0..lattice.tokens.len())
            .map(|at| match lattice.skips[at] {
                Skip::Never => true,
                Skip::Cost(cost) => (cost - cost::QUESTION).abs() < 1e-6,
                Skip::End => false,
            })
            .collect();
        lattice
    }

    /// "the box's lid" is "the box 's lid", unless the whole is a word: "let's".
    fn split_possessives(&mut self, message: &str, lexicon: &Lexicon) {
        let mut split = Vec::with_capacity(self.tokens.len());
        for token in self.tokens.drain(..) {
            let owner = token.text.find('\'').filter(|_| !lexicon.knows(&token.text));
            match owner.filter(|at| *at > 0 && token.kind == TokenKind::Word) {
                Some(at) => {
                    // Small letters may take more bytes than capital ones.
                    let place = message[token.span.clone()].find(APOSTROPHES).unwrap_or(0);
                    let middle = token.span.start + place;
                    let mark = Token {
                        text: token.text[at..].to_owned(),
                        span: middle..token.span.end,
                        kind: TokenKind::Word,
                    };
                    let word = Token {
                        text: token.text[..at].to_owned(),
                        span: token.span.start..middle,
                        ..token
                    };
                    split.extend([word, mark]);
                }
                None => split.push(token),
            }
        }
        self.tokens = split;
    }

    fn words_from(&mut self, from: usize, lexicon: &Lexicon, names: &SceneNames) {
        let mut words = String::new();
        let mut meant = (String::new(), 0.0);
        for to in from + 1..=(from + MAX_WORDS).min(self.tokens.len()) {
            let token = &self.tokens[to - 1];
            if matches!(token.kind, TokenKind::End | TokenKind::Quoted) && to > from + 1 {
                break;
            }
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(&token.text);
            let (text, more) = match &self.respelled[to - 1] {
                Some((text, more)) => (text.as_str(), *more),
                None => (token.text.as_str(), 0.0),
            };
            let gap = if meant.0.is_empty() { "" } else { " " };
            meant = (format!("{}{gap}{text}", meant.0), meant.1 + more);
            if meant.1 > 0.0 && (to > from + 1 || meant.1 < SHORTENED + 0.01) {
                let entries: Vec<&Entry> = lexicon.find(&meant.0).collect();
                let edge = |entry| Edge::of(from, to, entry, meant.1).spelled(&meant.0);
                self.edges.extend(entries.into_iter().map(edge));
            }
            // Before a comma it is no article: "no, two flowers".
            let symbols = &lexicon.symbols;
            let (article, none) = (symbols.number("Det"), symbols.feature_named("no"));
            let is_parted = self.tokens.get(to).is_some_and(|next| next.kind == TokenKind::Mark);
            let is_article = |entry: &&Entry| {
                is_parted && Some(entry.category) == article && entry.features & none != 0
            };
            for entry in lexicon.find(&words).filter(|entry| !is_article(entry)) {
                self.edges.push(Edge::of(from, to, entry, 0.0));
            }
            for (slots, features) in names.find(&words, lexicon) {
                self.push_as(from, to, "Noun", "named", features, NAMED, slots, lexicon);
            }
            if to == from + 1 {
                self.derived(from, &words, lexicon);
            }
            self.nearest(from, to, &words, lexicon);
            if to == from + 1
                && let Some(mood) = catalogue::catalogue().adjective(&words)
            {
                let slots: Slots = vec![("mood", Feature::Text(mood.into()))];
                self.push_as(from, to, "Adj", "mood", 0, 0.3, Arc::new(slots), lexicon);
            }
        }
    }

    /// "write HAPPY BIRTHDAY": several words in capitals may be a text, if not all of the message is.
    fn capitals(&mut self, message: &str, lexicon: &Lexicon) {
        let is_loud = |token: &Token| {
            let text = &message[token.span.clone()];
            token.kind == TokenKind::Word
                && text.chars().count() > 1
                && text.chars().all(char::is_uppercase)
        };
        if !message.chars().any(char::is_lowercase) {
            return;
        }
        let mut from = 0;
        while from < self.tokens.len() {
            let run = self.tokens[from..].iter().take_while(|token| is_loud(token)).count();
            if run > 1 {
                let span = self.tokens[from].span.start..self.tokens[from + run - 1].span.end;
                let slots: Slots = vec![("text", Feature::Text(message[span].into()))];
                self.push_as(from, from + run, "Quote", "quote", 0, 0.2, Arc::new(slots), lexicon);
            }
            from += run.max(1);
        }
    }

    /// A verb of two words around its object, the second of which closes the clause: "throw it out".
    fn parted_verb(&mut self, from: usize, lexicon: &Lexicon) {
        let word = self.tokens[from].text.clone();
        if self.tokens[from].kind != TokenKind::Word {
            return;
        }
        for at in from + 2..(from + 2 + MAX_PARTED).min(self.tokens.len()) {
            if self.tokens[at - 1].kind != TokenKind::Word
                || self.tokens[at].kind != TokenKind::Word
            {
                return;
            }
            let closes = self.tokens.get(at + 1).is_none_or(|next| {
                next.kind != TokenKind::Word
                    || ["Link", "Filler", "Deg"]
                        .iter()
                        .any(|name| self.edge_at(at + 1, name).is_some())
                    || self.is_by(at + 1, lexicon)
                    || self.is_measured(at + 1)
            });
            let verb = lexicon.symbols.number("Verb");
            let both = format!("{word} {}", self.tokens[at].text);
            let entries: Vec<Edge> = lexicon
                .find(&both)
                .filter(|entry| closes && Some(entry.category) == verb)
                .map(|entry| Edge::of(from, from + 1, entry, PARTED))
                .collect();
            if !entries.is_empty() {
                self.edges.extend(entries);
                self.particles.push(at);
            }
        }
    }

    /// Whether it is told here by how much, or to how much: "turn the light down by half", "bring it down to 5 ft".
    fn is_by(&self, at: usize, lexicon: &Lexicon) -> bool {
        let symbols = &lexicon.symbols;
        let is = |sense: &str| {
            self.edges.iter().any(|edge| {
                edge.from == at
                    && Some(edge.category) == symbols.number("Prep")
                    && Some(edge.sense) == symbols.number(sense)
            })
        };
        let counts = |at: usize| {
            let token = self.tokens.get(at);
            token.is_some_and(|token| matches!(token.kind, TokenKind::Number(_)))
        };
        is("by") || (is("to") && (counts(at + 1) || self.is_measured(at + 1)))
    }

    /// Whether an amount stands here: "bring it down a stop", "move it up 5 ft".
    fn is_measured(&self, at: usize) -> bool {
        let is =
            |at: usize, names: &[&str]| names.iter().any(|name| self.edge_at(at, name).is_some());
        is(at, &["Num"]) || (is(at, &["Det"]) && is(at + 1, &["Unit", "FStop", "Deg"]))
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of an edge")]
    fn push_as(
        &mut self,
        from: usize,
        to: usize,
        category: &str,
        sense: &str,
        features: Features,
        cost: f32,
        slots: Arc<Slots>,
        lexicon: &Lexicon,
    ) {
        let symbols = &lexicon.symbols;
        if let (Some(category), Some(sense)) = (symbols.number(category), symbols.number(sense)) {
            let spelled = None;
            self.edges.push(Edge { from, to, category, sense, features, cost, slots, spelled });
        }
    }

    /// What no list holds: names in quotes, codes of colours, mistyped and unknown words.
    fn unusual(&mut self, at: usize, lexicon: &Lexicon) {
        let token = self.tokens[at].clone();
        let text = |slot: &'static str| -> Arc<Slots> {
            Arc::new(vec![(slot, Feature::Text(token.text.as_str().into()))])
        };
        match token.kind {
            TokenKind::Quoted => {
                self.push_as(at, at + 1, "Quote", "quote", 0, 0.0, text("text"), lexicon);
            }
            TokenKind::Code => {
                self.push_as(at, at + 1, "Adj", "colour", 0, 0.0, text("colour"), lexicon);
            }
            TokenKind::Word => {
                let known = self.edges.iter().any(|edge| edge.from <= at && at < edge.to);
                let alone = self.edges.iter().any(|edge| edge.from == at && edge.to == at + 1);
                let nearest = lexicon.symbols.feature_named("nearest");
                let doubtful = token.text.len() <= SHORT
                    && self.edges.iter().all(|edge| {
                        edge.from != at || edge.to != at + 1 || edge.features & nearest != 0
                    });
                if (!alone || doubtful) && !lexicon.knows(&token.text) {
                    // "the same pair" is no pail, "mine" not mini.
                    let content = ["Noun", "Adj"].map(|name| lexicon.symbols.number(name));
                    let is_english = lexicon.is_in_phrase(&token.text);
                    let fits =
                        |entry: &Entry| !is_english || !content.contains(&Some(entry.category));
                    let all = slips(&token.text, lexicon);
                    for (word, entry, cost) in all.into_iter().filter(|slip| fits(slip.1)) {
                        self.edges.push(Edge::of(at, at + 1, entry, cost).spelled(word));
                    }
                    self.join(at, lexicon);
                }
                if !known {
                    self.push_as(at, at + 1, "Noun", "unknown", 0, 2.0, text("unknown"), lexicon);
                }
                if !known && is_adjective(&token.text) {
                    self.push_as(at, at + 1, "Adj", "plain", 0, PLAIN, text("plain"), lexicon);
                    self.push_as(at, at + 1, "Posing", "posing", 0, PLAIN, text("plain"), lexicon);
                }
                self.push_as(at, at + 1, "Word", "word", 0, 0.5, text("text"), lexicon);
            }
            TokenKind::Number(_) | TokenKind::Mark | TokenKind::End => {}
        }
    }

    /// Two tokens that are one word: "snow man", and one that is two: "bluebox".
    fn join(&mut self, at: usize, lexicon: &Lexicon) {
        let word = self.tokens[at].text.clone();
        if let Some(next) = self.tokens.get(at + 1).filter(|next| next.kind == TokenKind::Word) {
            let joined = format!("{word}{}", next.text);
            let entries: Vec<&Entry> = lexicon.find(&joined).collect();
            let edge = |entry| Edge::of(at, at + 2, entry, 0.8).spelled(&joined);
            self.edges.extend(entries.into_iter().map(edge));
        }
        for cut in 3..word.len().saturating_sub(2) {
            if !word.is_char_boundary(cut) {
                continue;
            }
            let spaced = format!("{} {}", &word[..cut], &word[cut..]);
            let entries: Vec<&Entry> = lexicon.find(&spaced).collect();
            let edge = |entry| Edge::of(at, at + 1, entry, 0.6).spelled(&spaced);
            self.edges.extend(entries.into_iter().map(edge));
        }
    }

    fn skip_of(&self, at: usize, lexicon: &Lexicon) -> Skip {
        let token = &self.tokens[at];
        match token.kind {
            TokenKind::End => return Skip::End,
            TokenKind::Mark => return Skip::Cost(cost::COMMA),
            TokenKind::Number(_) | TokenKind::Code | TokenKind::Quoted => {
                return Skip::Cost(cost::CONTENT);
            }
            TokenKind::Word => {}
        }
        let is = |edge: &&Edge, name: &str| lexicon.symbols.number(name) == Some(edge.category);
        let over = || self.edges.iter().filter(|edge| edge.from <= at && at < edge.to);
        let exact = || over().filter(|edge| edge.to == edge.from + 1);
        let ends = self.tokens.get(at + 1).is_none_or(|next| next.kind == TokenKind::End);
        if self.particles.contains(&at) {
            return Skip::Cost(cost::FILLER);
        }
        if exact().any(|edge| is(&edge, "Too")) && !ends {
            return Skip::Cost(cost::DETERMINER);
        }
        if over().any(|edge| is(&edge, "Filler")) {
            return Skip::Cost(cost::FILLER);
        }
        if exact().any(|edge| is(&edge, "Turn")) {
            return Skip::Never;
        }
        if exact().any(|edge| is(&edge, "Det")) && !exact().any(|edge| is(&edge, "Filler")) {
            return Skip::Cost(cost::DETERMINER);
        }
        // A question is never taken for a deed.
        if exact().any(|edge| is(&edge, "Wh")) {
            return Skip::Cost(cost::QUESTION);
        }
        let content =
            ["Noun", "Adj", "Verb", "Num", "Cmp", "Sup", "Dim", "Unit", "Mood", "Fog", "From"];
        let nearest = lexicon.symbols.feature_named("nearest");
        let plain = lexicon.symbols.number("plain");
        let meant = |edge: &Edge| {
            content.iter().any(|name| is(&edge, name))
                && edge.cost < 1.9
                && edge.features & nearest == 0
                && Some(edge.sense) != plain
        };
        if exact().any(meant) {
            return Skip::Cost(cost::CONTENT);
        }
        let says_little =
            |edge: &Edge| is(&edge, "Word") || is(&edge, "Noun") || Some(edge.sense) == plain;
        let unknown = exact().all(says_little);
        Skip::Cost(if unknown { cost::UNKNOWN } else { cost::FUNCTION })
    }
}
