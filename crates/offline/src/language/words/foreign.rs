//! Whether a message is in another language than English, which is all this model reads.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::language::words::tokens::{Raw, split};

/// Words of other languages.
static WORDS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("../../../data/foreign.txt").lines();
    let lists =
        lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "));
    lists.flat_map(|(_, words)| words.split(',').map(str::trim)).collect()
});

/// English words that stand in nearly every wish.
const ENGLISH: [&str; 20] = [
    "the", "a", "an", "make", "create", "add", "put", "move", "of", "and", "with", "it", "to",
    "is", "please", "draw", "build", "remove", "this", "what",
];

/// The share of letters of another script that makes a message foreign.
const FOREIGN_SCRIPT: f64 = 0.3;

/// Whether `text` is in another language, as far as its script and its small words tell. Reads the beginning
/// of a long message only.
pub(crate) fn is_foreign(text: &str) -> bool {
    const READ: usize = 400;
    let letters = || text.chars().take(READ).filter(|letter| letter.is_alphabetic());
    let (all, others) = (letters().count(), letters().filter(|letter| !is_latin(*letter)).count());
    if all > 1 && others as f64 >= FOREIGN_SCRIPT * all as f64 {
        return true;
    }
    let beginning: String = text.chars().take(READ).collect();
    let words: Vec<String> = split(&beginning)
        .into_iter()
        .filter_map(|token| match token.raw {
            Raw::Word(word) => Some(word),
            _ => None,
        })
        .collect();
    let foreign = words.iter().filter(|word| WORDS.contains(word.as_str())).count();
    let english = words.iter().filter(|word| ENGLISH.contains(&word.as_str())).count();
    foreign >= 2 && 3 * foreign >= words.len() && foreign > 2 * english
}

/// Basic Latin to Latin Extended-B, and Latin Extended Additional.
fn is_latin(letter: char) -> bool {
    matches!(letter, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_languages_are_told_from_english() {
        for text in [
            "eine rote Kugel auf dem Tisch",
            "Mach bitte alle Kugeln blau",
            "una esfera roja sobre la mesa",
            "fais une sphère rouge",
            "crea una sfera rossa",
            "maak een rode bol",
            "把球变成红色",
            "сделай красный шар",
            "赤い球を作って",
            "أضف كرة حمراء",
        ] {
            assert!(is_foreign(text), "{text}");
        }
        for text in [
            "a red sphere on the table",
            "die rolls on a table",
            "crème brûlée on a plate",
            "a café with naïve décor",
            "paint the box bordeaux",
            "put the el sign on the wall",
            "red ball",
            "asdf jkl qwerty",
            "🙂🙂🙂",
            "",
        ] {
            assert!(!is_foreign(text), "{text}");
        }
    }
}
