//! Words and their meanings, read from `data/lexicon.txt`, tolerant of one mistyped letter.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use catalogue::catalogue;

use crate::colour::Colour;
use crate::language::words::names::Names;
use crate::language::words::slips::{
    below_zero, compound_numbers, contracted, create_for_crate, is_one_slip, little_for_a_little,
    little_things, tens_and_ones, unlikeliness,
};
use crate::language::words::tokens::{Raw, RawToken, split};
use crate::language::words::vocabulary::{Assembly, Finish, Noun, Sense};

/// A word (or several that belong together) with its meanings.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// As written, in lower case.
    pub(crate) text: String,
    /// The meanings, the likeliest first; none when the word is not known.
    pub(crate) senses: Vec<Sense>,
    /// Whether the word is known as the plural of a listed one.
    pub(crate) plural: bool,
    /// Its place in the message, in bytes.
    pub(crate) span: std::ops::Range<usize>,
}

/// Every listed expression by its words, in the order of the file. Sorted, so that nothing depends
/// on hashing.
pub(in crate::language) struct Lexicon {
    senses: BTreeMap<Vec<String>, Vec<Sense>>,
    single_words: Vec<String>,
    longest: usize,
}

pub(in crate::language) static LEXICON: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::read(include_str!("../../../data/lexicon.txt")));

impl Lexicon {
    fn read(text: &str) -> Self {
        let mut senses: BTreeMap<Vec<String>, Vec<Sense>> = BTreeMap::new();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for (name, words) in lines.filter_map(|line| line.split_once(": ")) {
            for expression in words.split(',').map(str::trim) {
                let key = word_list(expression);
                if key.is_empty() {
                    continue;
                }
                // A word without a meaning is known all the same.
                let known = senses.entry(key).or_default();
                if let Some(sense) = Sense::named(name, expression)
                    && !known.contains(&sense)
                {
                    known.push(sense);
                }
            }
        }
        for object in catalogue().objects() {
            for key in object.names().iter().map(|name| word_list(name)) {
                let known = senses.entry(key).or_default();
                known.retain(|sense| !matches!(sense, Sense::Noun(Noun::Later(_))));
                known.push(Sense::Noun(Noun::Assembly(Assembly(object.name()))));
            }
        }
        // "warm light" is a light, not what something is made of.
        for preset in scene::presets().iter().filter(|preset| !preset.name.ends_with("light")) {
            let words: Vec<String> = preset.name.split('_').map(str::to_owned).collect();
            let known = senses.entry(words).or_default();
            let meant = |sense: &Sense| matches!(sense, Sense::Finish(_) | Sense::Noun(_));
            if !known.iter().any(meant) {
                known.push(Sense::Finish(Finish::Preset(preset.name)));
            }
        }
        // What objects may have or lack: "a snowman without a hat".
        let of_objects = catalogue().objects().iter().flat_map(part_words);
        for word in of_objects.chain(catalogue().part_words().map(str::to_owned)) {
            let plural = singulars(&word).into_iter().any(|form| senses.contains_key(&vec![form]));
            if plural {
                continue;
            }
            let known = senses.entry(vec![word.clone()]).or_default();
            if known.is_empty() {
                known.push(Sense::Noun(Noun::Later(word)));
            }
        }
        for (word, object) in catalogue().stand_ins() {
            let known = senses.entry(word_list(word)).or_default();
            if only_later(known) {
                known.clear();
                known.push(Sense::Noun(Noun::Assembly(Assembly(object.name()))));
            }
        }
        for word in catalogue().categories().flat_map(|category| category.words()) {
            let known = senses.entry(word_list(word)).or_default();
            if known.is_empty() {
                known.push(Sense::Noun(Noun::Later(word.to_owned())));
            }
        }
        for theme in catalogue().themes() {
            for (name, key) in theme.names().iter().map(|name| (name, word_list(name))) {
                // As a part of a sentence they are no more than known.
                senses.entry(key).or_insert_with(|| vec![Sense::Noun(Noun::Later(name.clone()))]);
            }
        }
        let meaning = |key: &&Vec<String>| senses.get(*key).is_some_and(|s| !s.is_empty());
        let single_words = senses
            .keys()
            .filter(meaning)
            .filter(|key| key.len() == 1)
            .filter_map(|key| key.first().cloned());
        let mut single_words: Vec<String> = single_words.collect();
        single_words.extend(catalogue::colour::all().iter().map(|known| known.name.to_owned()));
        let longest = senses.keys().map(Vec::len).max().unwrap_or(1);
        Self { senses, single_words, longest }
    }

    /// The senses of one word, also as a plural (then the flag is true).
    pub(in crate::language) fn word(&self, word: &str) -> Option<(Vec<Sense>, bool)> {
        let listed = |word: &str| -> Option<Vec<Sense>> {
            let known = self.senses.get(&vec![word.to_owned()]);
            let colour =
                Colour::named(word).or_else(|| Colour::resembling(word)).map(Sense::Colour);
            let is_known = known.is_some() || colour.is_some();
            is_known.then(|| known.cloned().unwrap_or_default().into_iter().chain(colour).collect())
        };
        let plural = || {
            singulars(word).into_iter().find_map(|singular| listed(&singular)).map(|s| (s, true))
        };
        match listed(word) {
            // "candles" is a part of a cake, too.
            Some(senses) if only_later(&senses) => {
                let better = plural().filter(|(senses, _)| !only_later(senses));
                better.or(Some((senses, false)))
            }
            Some(senses) => {
                // "rocks" is an object's name, and many of them all the same.
                let many = word.ends_with('s') && plural().is_some();
                let object = |sense: &Sense| {
                    matches!(
                        sense,
                        Sense::Noun(crate::language::words::vocabulary::Noun::Assembly(_))
                    )
                };
                let many = many && senses.iter().any(object);
                Some((senses, many))
            }
            None => plural(),
        }
    }

    /// The senses of a word with one letter wrong, missing, added, or two swapped.
    fn mistyped(&self, word: &str) -> Option<(Vec<Sense>, bool)> {
        let length = word.chars().count();
        if length == 3 {
            return self.verb_cut_short(word);
        }
        if !(4..=20).contains(&length) || word.chars().any(|letter| letter.is_ascii_digit()) {
            return None;
        }
        let forms = std::iter::once(word.to_owned()).chain(singulars(word));
        forms.enumerate().find_map(|(index, form)| {
            let near = self.single_words.iter().filter(|known| {
                let close = known.len().abs_diff(form.len()) <= 1 && known.len() >= 3;
                close
                    && form.len() >= 4
                    && is_one_slip(known, &form)
                    && (known.chars().next() == form.chars().next()
                        || (length >= 6 && self.names_something(known)))
            });
            let near = near.min_by_key(|known| unlikeliness(&form, known))?;
            let plural = self.plural_mistyped(&form, unlikeliness(&form, near));
            let near = plural.as_ref().unwrap_or(near);
            self.word(near).map(|(senses, plural)| (senses, plural || index > 0))
        })
    }

    /// Whether a word is a verb, a noun or a colour, which long slips are forgiven for.
    fn names_something(&self, word: &String) -> bool {
        let senses = self.senses.get(std::slice::from_ref(word));
        senses.is_none_or(|senses| {
            matches!(senses.first(), Some(Sense::Verb(_) | Sense::Noun(_) | Sense::Finish(_)))
        })
    }

    /// "bals": the plural of a noun, where a slip leads to it that is likelier than this.
    fn plural_mistyped(&self, typed: &str, unlikely: usize) -> Option<String> {
        let stem_length = typed.strip_suffix('s')?.chars().count();
        let noun = |word: &&String| {
            let senses = self.senses.get(std::slice::from_ref(*word));
            senses
                .and_then(|senses| senses.first())
                .is_some_and(|sense| matches!(sense, Sense::Noun(_)))
        };
        let same_start = |word: &&String| word.chars().next() == typed.chars().next();
        let long =
            |word: &&String| word.chars().count().abs_diff(stem_length) <= 1 && word.len() > 3;
        let words = self.single_words.iter().filter(long).filter(same_start).filter(noun);
        words
            .map(|word| format!("{word}s"))
            .find(|plural| is_one_slip(plural, typed) && unlikeliness(typed, plural) < unlikely)
    }

    /// "mak": three letters are too few for any other word to be meant for sure.
    fn verb_cut_short(&self, word: &str) -> Option<(Vec<Sense>, bool)> {
        let near = self.single_words.iter().find(|known| {
            let starts = known.len() == 4 && known.starts_with(word);
            let verb = |senses: &Vec<Sense>| {
                let first = senses.first();
                matches!(
                    first,
                    Some(Sense::Verb(_) | Sense::Noun(Noun::Shape(_)) | Sense::Number(_))
                )
            };
            starts && self.senses.get(std::slice::from_ref(*known)).is_some_and(verb)
        })?;
        self.word(near)
    }
}

/// The words of the options and of the parts of an object, without numbers and sides.
fn part_words(object: &catalogue::Object) -> Vec<String> {
    const SIDES: [&str; 8] = ["left", "right", "front", "back", "top", "bottom", "upper", "lower"];
    let options = object
        .options()
        .flat_map(|(name, words)| std::iter::once(name.to_owned()).chain(words.iter().cloned()));
    let parts = object.part_names().map(str::to_owned);
    parts
        .chain(options)
        .flat_map(|name| id_words(&name))
        .filter(|word| word.chars().all(char::is_alphabetic) && word.chars().count() > 2)
        .filter(|word| !SIDES.contains(&word.as_str()) && word != "part")
        .filter(|word| Colour::named(word).is_none())
        .collect()
}

fn word_list(expression: &str) -> Vec<String> {
    split(expression)
        .into_iter()
        .filter_map(|token| match token.raw {
            Raw::Word(word) => Some(word),
            _ => None,
        })
        .collect()
}

/// What `word` may be the plural of.
fn singulars(word: &str) -> Vec<String> {
    let mut forms = Vec::new();
    if let Some(stem) = word.strip_suffix("ies") {
        forms.push(format!("{stem}y"));
    }
    if let Some(stem) = word.strip_suffix("ves") {
        forms.push(format!("{stem}f"));
    }
    if let Some(stem) = word.strip_suffix("es").filter(|stem| stem.len() > 2) {
        forms.push(stem.to_owned());
    }
    if let Some(stem) = word.strip_suffix('s').filter(|stem| stem.len() > 2) {
        forms.push(stem.to_owned());
    }
    forms
}

/// The singular of a word that ends in s, or the word itself.
pub(crate) fn singular(word: &str) -> String {
    if !word.ends_with('s') {
        return word.to_owned();
    }
    LEXICON
        .word(word)
        .filter(|(_, plural)| *plural)
        .and_then(|_| singulars(word).into_iter().find(|form| LEXICON.word(form).is_some()))
        .unwrap_or_else(|| word.to_owned())
}

/// The meanings of the verb that a participle comes from: "moved", "scaled", "dimmed", "copied".
pub(crate) fn lemma(participle: &str) -> Option<Vec<Sense>> {
    let stem = participle.strip_suffix("ed")?;
    let mut stems = vec![stem.to_owned(), format!("{stem}e")];
    stems.extend(stem.strip_suffix('i').map(|stem| format!("{stem}y")));
    let mut letters = stem.chars();
    let (last, before) = (letters.next_back(), letters.next_back());
    if last == before {
        // "dimmed", "stopped".
        stems.extend(last.and_then(|last| stem.strip_suffix(last)).map(str::to_owned));
    }
    stems.iter().find_map(|stem| {
        let senses = LEXICON.senses.get(std::slice::from_ref(stem))?;
        matches!(senses.first(), Some(Sense::Verb(_))).then(|| senses.clone())
    })
}

/// Reads the lexicon and the rewordings now.
pub(crate) fn warm() {
    LazyLock::force(&LEXICON);
    crate::language::words::rewording::warm();
}

/// The words of an id: `red_sphere_2` has red, sphere, 2.
pub(crate) fn id_words(id: &str) -> Vec<String> {
    id.to_lowercase()
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Looks up every word of `text`; `names` are the ids and groups of the scene.
pub(crate) fn tag(text: &str, names: &Names) -> Vec<Token> {
    let raw = split(text);
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(piece) = raw.get(at) {
        let (senses, plural, length) = meaning(&raw[at..], names);
        let span = piece.span.start..raw.get(at + length - 1).unwrap_or(piece).span.end;
        // Of rgb(255, 128, 0) the commas join nothing.
        let text = text[span.clone()].to_lowercase();
        let text = if matches!(piece.raw, Raw::Hex(_)) { text.replace(',', " ") } else { text };
        tokens.push(Token { text, senses, plural, span });
        at += length;
    }
    tens_and_ones(&mut tokens);
    below_zero(&mut tokens);
    compound_numbers(&mut tokens);
    contracted(&mut tokens);
    create_for_crate(&mut tokens);
    little_for_a_little(&mut tokens);
    little_things(&mut tokens);
    tokens
}

fn meaning(rest: &[RawToken], names: &Names) -> (Vec<Sense>, bool, usize) {
    let single = |sense| (vec![sense], false, 1);
    let word = match rest.first().map(|token| &token.raw) {
        Some(Raw::Word(word)) => word,
        Some(Raw::Number(number)) => return single(Sense::Number(*number)),
        Some(Raw::Dimensions(sides)) => return single(Sense::Dimensions(sides.clone())),
        Some(Raw::Hex(rgb)) => return single(Sense::Colour(Colour::unnamed(*rgb))),
        Some(Raw::Edges(order)) => return single(Sense::Edges(order.clone())),
        Some(Raw::Quoted(text)) => return single(Sense::Quoted(text.clone())),
        Some(Raw::Comma) => return single(Sense::Comma),
        Some(Raw::Stop) | None => return single(Sense::Stop),
    };
    if let Some((name, length)) = named_in_scene(rest, names) {
        return (vec![Sense::Noun(Noun::Named(name))], false, length);
    }
    for length in (2..=LEXICON.longest).rev() {
        if let Some((senses, plural)) = expression(rest, length) {
            return (senses, plural, length);
        }
    }
    let part = std::iter::once(word.clone())
        .chain(singulars(word))
        .enumerate()
        .find(|(_, form)| names.have(form));
    match (LEXICON.word(word), part) {
        (Some((senses, plural)), part) if part.is_none() || !only_later(&senses) => {
            (senses, plural, 1)
        }
        (_, Some((index, form))) => (vec![Sense::Noun(Noun::Named(form))], index > 0, 1),
        (Some((senses, plural)), None) => (senses, plural, 1),
        (None, None) => {
            let (senses, plural) = LEXICON.mistyped(word).unwrap_or_default();
            (senses, plural, 1)
        }
    }
}

fn only_later(senses: &[Sense]) -> bool {
    senses.iter().all(|sense| matches!(sense, Sense::Noun(Noun::Later(_))))
}

/// The words of the first `length` pieces, when they are all words.
fn words_of(rest: &[RawToken], length: usize) -> Option<Vec<String>> {
    let words = rest.get(..length)?.iter().map(|token| match &token.raw {
        Raw::Word(word) => Some(word.clone()),
        _ => None,
    });
    words.collect()
}

/// An expression of `length` words; its last word may be a plural.
fn expression(rest: &[RawToken], length: usize) -> Option<(Vec<Sense>, bool)> {
    let words = words_of(rest, length)?;
    if let Some(senses) = LEXICON.senses.get(&words) {
        return Some((senses.clone(), false));
    }
    let (last, start) = words.split_last()?;
    singulars(last).into_iter().find_map(|form| {
        let key: Vec<String> = start.iter().cloned().chain([form]).collect();
        let senses = LEXICON.senses.get(&key)?;
        // Only nouns have plurals of several words.
        senses.iter().any(|s| matches!(s, Sense::Noun(_))).then(|| (senses.clone(), true))
    })
}

/// An id or group that starts here: written as it stands in the scene, or its words one after the
/// other when at least one of them means nothing else ("big ben" for `big_ben`).
fn named_in_scene(rest: &[RawToken], names: &Names) -> Option<(String, usize)> {
    let first = words_of(rest, 1)?.pop()?;
    if let Some(name) = names.called(&first) {
        // A scene may call a shape "box": then the word still means any box.
        if LEXICON.word(&first).is_none_or(|(senses, _)| only_later(&senses)) {
            return Some((name.to_owned(), 1));
        }
    }
    let said = names.beginning(&first).filter(|(words, _)| {
        let matches = words_or_numbers(rest, words.len()).is_some_and(|said| said == *words);
        // "table top": no colour or size that would tell one table from another.
        let telling = || {
            words.iter().any(|word| LEXICON.word(word).is_none())
                || words.iter().all(|word| is_part_word(word))
                // "the key light", where one stands: a thing, no wish for one.
                || LEXICON.senses.get(*words).is_some_and(|senses| {
                    senses.iter().all(|sense| matches!(sense, Sense::Setup(_)))
                })
        };
        matches && telling() && !starts_a_unit(&rest[words.len()..])
    });
    said.max_by_key(|(words, _)| words.len()).map(|(words, name)| (name.to_owned(), words.len()))
}

/// Whether a word names a thing, or where on it: "table", "top".
fn is_part_word(word: &str) -> bool {
    let names = |sense: &Sense| {
        matches!(sense, Sense::Noun(Noun::Assembly(_) | Noun::Later(_) | Noun::Wall | Noun::Floor))
    };
    LEXICON.word(word).is_some_and(|(senses, _)| {
        senses.iter().any(names) || matches!(word, "top" | "bottom" | "front" | "back")
    })
}

/// Whether a unit follows: "the box 2 m tall" is no `box_2`.
fn starts_a_unit(rest: &[RawToken]) -> bool {
    let word = words_of(rest, 1).and_then(|mut words| words.pop()).unwrap_or_default();
    LEXICON.word(&word).is_some_and(|(senses, _)| {
        senses.iter().any(|sense| matches!(sense, Sense::Unit(_) | Sense::Measure(_)))
    })
}

fn words_or_numbers(rest: &[RawToken], length: usize) -> Option<Vec<String>> {
    let words = rest.get(..length)?.iter().map(|token| match &token.raw {
        Raw::Word(word) => Some(word.clone()),
        Raw::Number(number) if number.fract() == 0.0 => Some(format!("{number}")),
        _ => None,
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_lexicon_names_a_meaning_and_has_words() {
        let text = include_str!("../../../data/lexicon.txt");
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, words) = line.split_once(": ").expect(line);
            assert!(name == "unknown" || Sense::named(name, "word").is_some(), "{name}");
            for expression in words.split(',') {
                assert!(!word_list(expression).is_empty(), "{name}: '{expression}'");
            }
        }
    }

    #[test]
    fn one_wrong_letter_is_forgiven() {
        for (typed, meant) in [
            ("shpere", "sphere"),
            ("spere", "sphere"),
            ("cilinder", "cylinder"),
            ("crate", "crate"),
            ("creat", "create"),
            ("boxs", "box"),
            ("yelow", "yellow"),
            ("remvoe", "remove"),
            ("biger", "bigger"),
            ("gren", "green"),
            ("cubr", "cube"),
            ("mak", "make"),
            ("purpel", "purple"),
        ] {
            let senses = |word: &str| tag(word, &Names::default()).remove(0).senses;
            assert_eq!(senses(typed), senses(meant), "{typed}");
        }
        for unknown in ["xyzzy", "flubber", "qwertz", "tin", "sow"] {
            assert!(tag(unknown, &Names::default())[0].senses.is_empty(), "{unknown}");
        }
    }

    #[test]
    fn names_of_the_scene_are_words_too() {
        let names = Names::new(["big_ben", "bob", "tree_trunk"]);
        for (text, name) in [("big ben", "big_ben"), ("Bob", "bob"), ("trunk", "trunk")] {
            let tokens = tag(text, &names);
            assert_eq!(tokens[0].senses, [Sense::Noun(Noun::Named(name.into()))], "{text}");
        }
    }
}
