//! Words that a mistyped word may be.

use super::lexicon::{Entry, Lexicon};

/// Words of no more letters are as likely slips as words that hardly anybody uses.
pub(super) const SHORT: usize = 4;
/// Shorter words are too often other words.
const MIN_LETTERS: usize = 4;
/// What a slip of the finger costs.
const SLIP: f32 = 1.1;
/// What is spelled by ear costs less.
const BY_EAR: f32 = 0.8;
/// Another first letter is rare.
const OTHER_INITIAL: f32 = 0.6;
/// The most words that are tried for one.
const MAX_WORDS: usize = 4;

/// The entries that differ by a slip from a word, or by two if it is long, with what each costs.
pub(super) fn slips<'a>(word: &str, lexicon: &'a Lexicon) -> Vec<(&'a str, &'a Entry, f32)> {
    let letters = word.chars().count();
    if letters + 1 < MIN_LETTERS {
        return Vec::new();
    }
    let most = if letters >= 7 { 2 } else { 1 };
    let mut found: Vec<(&'a str, f32)> =
        lexicon.sounding_like(word).iter().map(|known| (&**known, BY_EAR)).collect();
    for length in letters.saturating_sub(most).max(3)..=letters + most {
        for known in lexicon.of_length(length) {
            if !is_alike(word, known) || found.iter().any(|(heard, _)| **heard == **known) {
                continue;
            }
            let distance = strsim::osa_distance(word, known);
            if distance == 0 || distance > most {
                continue;
            }
            // Of a short word only a letter is missing.
            if letters < MIN_LETTERS && !(known.len() > word.len() && is_within(word, known)) {
                continue;
            }
            let same_initial = word.chars().next() == known.chars().next();
            let initial = if same_initial { 0.0 } else { OTHER_INITIAL };
            // A letter too many or too few is likelier than another one.
            let whole = if is_within(word, known) || is_within(known, word) { -0.2 } else { 0.0 };
            found.push((known, SLIP * distance as f32 + initial + whole));
        }
    }
    found.sort_by(|one, other| one.1.total_cmp(&other.1));
    found.truncate(MAX_WORDS);
    let entries =
        |(known, cost): (&'a str, f32)| lexicon.find(known).map(move |entry| (known, entry, cost));
    found.into_iter().flat_map(entries).collect()
}

/// Whether the letters of a word stand in another one in the same order.
fn is_within(short: &str, long: &str) -> bool {
    let mut letters = long.chars();
    short.chars().all(|letter| letters.any(|other| other == letter))
}

/// Whether two words share enough letters at their ends for a comparison to be worth it.
fn is_alike(one: &str, other: &str) -> bool {
    let start = one.bytes().zip(other.bytes()).take(2).filter(|(a, b)| a == b).count();
    let end = one.bytes().rev().zip(other.bytes().rev()).take(2).filter(|(a, b)| a == b).count();
    start + end >= 2
}
