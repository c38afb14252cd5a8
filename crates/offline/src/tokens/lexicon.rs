//! The words: `data/lexicon/*.txt`, with the names of the catalogue, of colours and of materials.
//!
//! ```text
//! [Noun]                                  the category of the lines below; +features for all of them
//! shape shape=box : box/boxes, block      sense, slots, features (+indef), cost (@1): words
//! ```
//!
//! Nouns get plurals (`+pl`), verbs the forms `+ing`, `+past`; irregular ones stand after a slash:
//! `mouse/mice`, `make/made`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::forms::{plural, verb_forms};
use super::sound::sound;
use super::symbols::{Features, Symbol, Symbols};

/// What a slot of a word holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Feature {
    /// One of the words of the data files.
    Symbol(&'static str),
    /// A number.
    Number(f64),
    /// A name of the scene or the catalogue, or what the user wrote.
    Text(Arc<str>),
}

/// The slots of a word.
pub(crate) type Slots = Vec<(&'static str, Feature)>;

/// A meaning of a word.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) category: Symbol,
    pub(crate) sense: Symbol,
    pub(crate) features: Features,
    pub(crate) cost: f32,
    pub(crate) slots: Arc<Slots>,
}

/// All words that are known before a scene is.
#[derive(Debug)]
pub(crate) struct Lexicon {
    pub(crate) symbols: Symbols,
    entries: Vec<Entry>,
    /// Entries by the words they are written with, one space between them.
    by_words: HashMap<Arc<str>, Vec<u32>>,
    /// Single words by their number of letters, for finding what was mistyped.
    by_length: Vec<Vec<Arc<str>>>,
    /// The same by how they sound, for finding what was spelled by ear.
    by_sound: HashMap<String, Vec<Arc<str>>>,
    /// Words with an apostrophe, and those that stand in several words: "i'd" of "i'd like".
    contractions: HashSet<String>,
    /// The words of entries of several, for finding what was mistyped inside of them.
    in_phrases: HashMap<usize, HashSet<String>>,
    /// Words that are English and mean nothing here: no slips of other words.
    known: HashSet<&'static str>,
}

/// What a shortened word costs, and a mistyped one among others.
pub(super) const SHORTENED: f32 = 0.1;
const RESPELLED: f32 = 0.7;
/// Shorter words sound like too many others.
const MIN_HEARD: usize = 4;

/// The most words of an entry.
pub(crate) const MAX_WORDS: usize = 7;

const FILES: &[&str] = &[
    include_str!("../../data/lexicon/nouns.txt"),
    include_str!("../../data/lexicon/qualities.txt"),
    include_str!("../../data/lexicon/verbs.txt"),
    include_str!("../../data/lexicon/places.txt"),
    include_str!("../../data/lexicon/function.txt"),
    include_str!("../../data/lexicon/speech.txt"),
    include_str!("../../data/lexicon/motion.txt"),
    include_str!("../../data/lexicon/plain.txt"),
    include_str!("../../data/lexicon/measures.txt"),
    include_str!("../../data/lexicon/daylight.txt"),
];
/// Senses that only note what a word is like.
const NOTES: [&str; 10] = [
    "plain", "filled", "vacant", "shell", "barrier", "composed", "water", "afloat", "beneath",
    "sit_at",
];
const KNOWN: [&str; 2] =
    [include_str!("../../data/lexicon/known.txt"), include_str!("../../data/lexicon/common.txt")];

impl Lexicon {
    /// The words of the data files.
    pub(super) fn read() -> Self {
        let known = KNOWN.iter().flat_map(|words| words.lines());
        let known = known.filter(|line| !line.starts_with('#'));
        let mut lexicon = Self {
            symbols: Symbols::default(),
            entries: Vec::new(),
            by_words: HashMap::new(),
            by_length: Vec::new(),
            by_sound: HashMap::new(),
            contractions: HashSet::new(),
            in_phrases: HashMap::new(),
            known: known.flat_map(|line| line.split(',')).map(str::trim).collect(),
        };
        // What no list holds: texts in quotes, words as they are, unknown nouns, names of the scene.
        for name in ["Quote", "quote", "Word", "word", "unknown", "named", "mood", "plain"] {
            lexicon.symbols.intern(name);
        }
        for file in FILES {
            let mut category = "";
            let mut features = 0;
            for line in file.lines().map(str::trim) {
                match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                    Some(head) => {
                        let mut parts = head.split_whitespace();
                        category = parts.next().unwrap_or_default();
                        features = 0;
                        for name in parts {
                            features |= lexicon.symbols.feature(name.trim_start_matches('+'));
                        }
                    }
                    None if line.is_empty() || line.starts_with('#') => {}
                    None => lexicon.line(category, features, line),
                }
            }
        }
        lexicon
    }

    /// Sorts single words by their length, once all are there.
    pub(super) fn index(&mut self) {
        // What makes no difference is no better than what was typed.
        let means = |words: &&Arc<str>| self.find(words).any(|entry| !self.is_plain(entry));
        let single = self.by_words.keys().filter(|words| !words.contains(' ')).filter(means);
        let mut single: Vec<Arc<str>> = single.cloned().collect();
        single.sort();
        for word in single {
            let letters = word.chars().count();
            if self.by_length.len() <= letters {
                self.by_length.resize(letters + 1, Vec::new());
            }
            if letters >= MIN_HEARD {
                self.by_sound.entry(sound(&word)).or_default().push(Arc::clone(&word));
            }
            self.by_length[letters].push(word);
        }
    }

    fn line(&mut self, category: &'static str, features: Features, line: &'static str) {
        let (head, words) = line.split_once(" : ").unwrap_or((line, ""));
        let mut parts = head.split_whitespace();
        let sense = parts.next().unwrap_or_default();
        let (mut slots, mut features, mut cost) = (Slots::new(), features, 0.0);
        for part in parts {
            if let Some(name) = part.strip_prefix('+') {
                features |= self.symbols.feature(name);
            } else if let Some(number) = part.strip_prefix('@') {
                cost = number.parse().unwrap_or(0.0);
            } else if let Some((slot, value)) = part.split_once('=') {
                let feature = value.parse().map_or(Feature::Symbol(value), Feature::Number);
                slots.push((slot, feature));
            }
        }
        let slots = Arc::new(slots);
        for form in words.split(',').map(str::trim).filter(|form| !form.is_empty()) {
            // The comma parts the words of a line, so it goes by a name.
            let form = if form == "comma_mark" { "," } else { form };
            self.add(category, sense, features, cost, &slots, form);
        }
    }

    /// Adds a word with its other forms.
    pub(crate) fn add(
        &mut self,
        category: &'static str,
        sense: &'static str,
        features: Features,
        cost: f32,
        slots: &Arc<Slots>,
        form: &str,
    ) {
        // Only nouns and verbs have other forms; "w/" is a word.
        let (base, irregular) = match form.split_once('/') {
            Some((base, irregular)) if matches!(category, "Noun" | "Verb") => {
                (base, Some(irregular))
            }
            _ => (form, None),
        };
        let category_number = self.symbols.intern(category);
        let sense = self.symbols.intern(sense);
        let put = |lexicon: &mut Self, words: &str, features: Features| {
            let entry = Entry {
                category: category_number,
                sense,
                features,
                cost,
                slots: Arc::clone(slots),
            };
            lexicon.put(words, entry);
        };
        let fixed = self.symbols.feature("fixed");
        match category {
            _ if features & fixed != 0 => put(self, base, features),
            "Noun" => {
                let several = self.symbols.feature("pl");
                let one = self.symbols.feature("sg");
                let number = if features & several != 0 { 0 } else { one };
                put(self, base, features | number);
                if features & several == 0 && irregular != Some("") {
                    let form = irregular.map_or_else(|| plural(base), str::to_owned);
                    put(self, &form, features | several);
                }
            }
            "Verb" => {
                let bare = self.symbols.feature("bare");
                put(self, base, features | bare);
                for (name, form) in verb_forms(base, irregular) {
                    let feature = self.symbols.feature(name);
                    put(self, &form, features | feature);
                }
            }
            _ => put(self, base, features),
        }
    }

    fn put(&mut self, words: &str, entry: Entry) {
        let words = if words.len() > 2 { words.replace('-', " ") } else { words.to_owned() };
        let inner = words.split(' ').filter(|word| word.contains('\''));
        self.contractions.extend(inner.map(str::to_owned));
        for word in words.split(' ').filter(|word| words.contains(' ') && word.len() >= MIN_HEARD) {
            self.in_phrases.entry(word.len()).or_default().insert(word.to_owned());
        }
        let number = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.entries.push(entry);
        // "i dont want", "thats it": many leave the apostrophe out. A word by itself may be another one then: "its".
        if words.contains("n't") || (words.contains(['\'', ' ']) && !words.starts_with('\'')) {
            let plain = words.replace('\'', "");
            if plain != words {
                self.by_words.entry(plain.into()).or_default().push(number);
            }
        }
        self.by_words.entry(words.into()).or_default().push(number);
    }

    /// Whether a word of this category stands there already.
    pub(crate) fn has(&self, words: &str, category: &str) -> bool {
        let category = self.symbols.number(category);
        self.find(words).any(|entry| Some(entry.category) == category)
    }

    /// The meanings of some words, written with one space between them.
    pub(crate) fn find(&self, words: &str) -> impl Iterator<Item = &Entry> {
        let numbers = self.by_words.get(words).map_or(&[][..], Vec::as_slice);
        numbers.iter().filter_map(|number| self.entries.get(*number as usize))
    }

    /// Whether it is an adjective that makes no difference here.
    pub(super) fn is_plain(&self, entry: &Entry) -> bool {
        Some(entry.sense) == self.symbols.number("plain")
    }

    /// The meanings that stand for something, not those that only note what a word is like.
    pub(crate) fn meanings(&self, words: &str) -> impl Iterator<Item = &Entry> {
        let notes = NOTES.map(|name| self.symbols.number(name));
        self.find(words).filter(move |entry| !notes.contains(&Some(entry.sense)))
    }

    /// Whether a word says something of what a thing looks like.
    pub(crate) fn tells(&self, word: &str) -> bool {
        self.by_words.contains_key(word) && !self.find(word).all(|entry| self.is_plain(entry))
    }

    /// Whether a word is English, whatever it means.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.by_words.contains_key(word)
            || self.known.contains(word)
            || self.contractions.contains(word)
    }

    /// Whether a word stands in entries of several: no slip of another one.
    pub(super) fn is_in_phrase(&self, word: &str) -> bool {
        self.in_phrases.get(&word.len()).is_some_and(|words| words.contains(word))
    }

    /// What a token stands for inside of several words, and what that costs: "u" is "you", "shuld" in "shuld be" is
    /// "should".
    pub(super) fn respelled(&self, word: &str) -> Option<(String, f32)> {
        let spelling = self.symbols.number("Spelling");
        let short = self.find(word).filter(|entry| Some(entry.category) == spelling);
        let meant =
            short.flat_map(|entry| entry.slots.iter()).find_map(|(_, feature)| match feature {
                Feature::Symbol(meant) => Some((meant.replace('_', " "), SHORTENED)),
                _ => None,
            });
        if meant.is_some() || self.knows(word) || word.len() < MIN_HEARD {
            return meant;
        }
        let lengths = word.len() - 1..=word.len() + 1;
        let all = lengths.filter_map(|length| self.in_phrases.get(&length)).flatten();
        let mut near: Vec<&String> = all
            .filter(|known| known.chars().next() == word.chars().next())
            .filter(|known| strsim::osa_distance(word, known) == 1)
            .collect();
        near.sort();
        near.first().map(|known| ((*known).clone(), RESPELLED))
    }

    /// Single words that sound the same.
    pub(super) fn sounding_like(&self, word: &str) -> &[Arc<str>] {
        self.by_sound.get(&sound(word)).map_or(&[], Vec::as_slice)
    }

    /// Single words of this many letters.
    pub(crate) fn of_length(&self, letters: usize) -> &[Arc<str>] {
        self.by_length.get(letters).map_or(&[], Vec::as_slice)
    }
}
