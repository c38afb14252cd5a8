//! Words that mean something else where they stand: "crate a cube", "a little house", "its night".

use crate::language::words::lexicon::{LEXICON, Token};
use crate::language::words::vocabulary::{Glue, Sense, Verb};

/// "its night now", "thats too close": "it is" and "that is" without their apostrophes.
pub(in crate::language) fn contracted(tokens: &mut Vec<Token>) {
    let Some(at) =
        (0..tokens.len().min(3)).find(|at| ["its", "thats"].contains(&tokens[*at].text.as_str()))
    else {
        return;
    };
    let states = |token: &Token| {
        let says = |sense: &Sense| {
            matches!(sense, Sense::Mood(_) | Sense::Setup(_) | Sense::Tone(_) | Sense::Degree(_))
        };
        token.text == "too" || token.senses.iter().any(says)
    };
    if !tokens.get(at + 1).is_some_and(states) {
        return;
    }
    let span = tokens[at].span.clone();
    let pointing = if tokens[at].text == "its" { Glue::It } else { Glue::This };
    let word = |text: &str, glue| Token {
        text: text.to_owned(),
        senses: vec![Sense::Glue(glue)],
        plural: false,
        span: span.clone(),
    };
    let first = word(if pointing == Glue::It { "it" } else { "that" }, pointing);
    tokens.splice(at..=at, [first, word("'s", Glue::Possessive)]);
}

/// "twenty-four", "thirty five": one number.
pub(in crate::language) fn tens_and_ones(tokens: &mut Vec<Token>) {
    let number = |token: &Token| {
        let written = token.text.chars().all(char::is_alphabetic);
        token.senses.iter().find_map(|sense| match sense {
            Sense::Number(number) if written => Some(*number),
            _ => None,
        })
    };
    let mut at = 0;
    while at + 1 < tokens.len() {
        if let (Some(tens), Some(ones)) = (number(&tokens[at]), number(&tokens[at + 1]))
            && (20.0..100.0).contains(&tens)
            && tens % 10.0 == 0.0
            && (1.0..10.0).contains(&ones)
        {
            let ones_token = tokens.remove(at + 1);
            tokens[at].text = format!("{} {}", tokens[at].text, ones_token.text);
            tokens[at].span.end = ones_token.span.end;
            tokens[at].senses = vec![Sense::Number(tens + ones)];
        }
        at += 1;
    }
}

/// "minus two", "negative 3": a number below zero.
pub(in crate::language) fn below_zero(tokens: &mut Vec<Token>) {
    let mut at = 0;
    while at + 1 < tokens.len() {
        let number = tokens[at + 1].senses.iter().find_map(|sense| match sense {
            Sense::Number(number) => Some(*number),
            _ => None,
        });
        if let (Some(number), "minus" | "negative") = (number, tokens[at].text.as_str()) {
            let start = tokens[at].span.start;
            tokens.remove(at);
            tokens[at].senses = vec![Sense::Number(-number)];
            tokens[at].text = format!("-{}", tokens[at].text);
            tokens[at].span.start = start;
        }
        at += 1;
    }
}

/// "a three-seater sofa", "a four-door car": what kind of thing it is, no number of things.
pub(in crate::language) fn compound_numbers(tokens: &mut Vec<Token>) {
    const PARTS: [&str; 19] = [
        "seater", "door", "storey", "story", "storied", "legged", "wheeled", "tier", "tiered",
        "burner", "poster", "drawer", "armed", "masted", "piece", "panel", "bladed", "sided",
        "pointed",
    ];
    let number = |token: &Token| token.senses.iter().any(|s| matches!(s, Sense::Number(_)));
    let named = |token: &Token| {
        token.senses.iter().any(|sense| {
            matches!(sense, Sense::Noun(_) | Sense::Colour(_) | Sense::Finish(_) | Sense::Size(_))
        })
    };
    let mut at = 0;
    while at + 2 < tokens.len() {
        let compound = number(&tokens[at])
            && PARTS.contains(&tokens[at + 1].text.as_str())
            && named(&tokens[at + 2]);
        if compound {
            tokens.drain(at..at + 2);
        }
        at += 1;
    }
}

/// "crate a green cube": a word of its own, but before an article surely "create".
pub(in crate::language) fn create_for_crate(tokens: &mut [Token]) {
    for at in 0..tokens.len().saturating_sub(1) {
        let starts = at == 0 || {
            let before = |sense: &Sense| {
                matches!(sense, Sense::Stop | Sense::Comma | Sense::Filler)
                    || matches!(sense, Sense::Glue(Glue::And | Glue::Then))
            };
            tokens[at - 1].senses.iter().any(before)
        };
        let counted = |sense: &Sense| {
            matches!(sense, Sense::Number(_) | Sense::Glue(Glue::A | Glue::Another))
        };
        if starts && tokens[at].text == "crate" && tokens[at + 1].senses.iter().any(counted) {
            tokens[at].senses = vec![Sense::Verb(Verb::Create)];
        }
    }
}

/// "a little ball" is a small one, "a little bigger" is bigger by little.
pub(in crate::language) fn little_for_a_little(tokens: &mut Vec<Token>) {
    let thing =
        |sense: &Sense| matches!(sense, Sense::Noun(_) | Sense::Colour(_) | Sense::Finish(_));
    let at = (1..tokens.len()).find(|at| {
        tokens[at - 1].text == "a little" && tokens[*at].senses.first().is_some_and(thing)
    });
    let Some(at) = at.map(|at| at - 1) else { return };
    let span = tokens[at].span.clone();
    let word = |text: &str, span| {
        let senses = LEXICON.word(text).map(|(senses, _)| senses).unwrap_or_default();
        Token { text: text.to_owned(), senses, plural: false, span }
    };
    let parts = [word("a", span.start..span.start + 1), word("little", span.start + 1..span.end)];
    tokens.splice(at..=at, parts);
}

/// "a little house": an article and a size, where "a little bigger" is a degree.
pub(in crate::language) fn little_things(tokens: &mut Vec<Token>) {
    let names_thing = |token: &Token| {
        let compared = |sense: &Sense| {
            matches!(sense, Sense::Compare(_) | Sense::Way(_) | Sense::Degree(_) | Sense::From(_))
        };
        let thing = |sense: &Sense| {
            matches!(sense, Sense::Noun(_) | Sense::Colour(_) | Sense::Finish(_) | Sense::Size(_))
        };
        token.senses.iter().any(thing) && !token.senses.iter().any(compared)
    };
    let mut at = 0;
    while at + 1 < tokens.len() {
        // "a little round table".
        let shaped = ["round", "nice", "cute", "pretty", "old", "simple"]
            .contains(&tokens[at + 1].text.as_str())
            && tokens.get(at + 2).is_some_and(names_thing);
        if tokens[at].text == "a little" && (shaped || names_thing(&tokens[at + 1])) {
            let (start, end) = (tokens[at].span.start, tokens[at].span.end);
            let little = LEXICON.word("little").map(|(senses, _)| senses).unwrap_or_default();
            let token = Token {
                text: "little".to_owned(),
                senses: little,
                plural: false,
                span: end - "little".len()..end,
            };
            tokens[at].text = "a".to_owned();
            tokens[at].senses = vec![Sense::Glue(Glue::A)];
            tokens[at].span = start..start + 1;
            tokens.insert(at + 1, token);
        }
        at += 1;
    }
}

/// How unlikely a slip leads from `known` to `typed`: letters swapped, left out, added, mistaken.
pub(in crate::language) fn unlikeliness(typed: &str, known: &str) -> usize {
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    match typed.len().cmp(&known.len()) {
        _ if letters(typed) == letters(known) => 0,
        std::cmp::Ordering::Less => 1,
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Equal => 3,
    }
}

/// What is written without its apostrophe.
pub(in crate::language) fn contraction(word: &str) -> Option<&'static str> {
    const WRITTEN: [(&str, &str); 12] = [
        ("dont", "don't"),
        ("doesnt", "doesn't"),
        ("didnt", "didn't"),
        ("isnt", "isn't"),
        ("arent", "aren't"),
        ("wasnt", "wasn't"),
        ("cant", "can't"),
        ("wont", "won't"),
        ("shouldnt", "shouldn't"),
        ("im", "i'm"),
        ("youre", "you're"),
        ("theyre", "they're"),
    ];
    WRITTEN.into_iter().find(|(bare, _)| *bare == word).map(|(_, whole)| whole)
}

/// Whether one letter is wrong, missing, added, or two are swapped: an edit distance of just 1. Asked of
/// hundreds of words for each unknown one, it counts no further.
pub(in crate::language) fn is_one_slip(word: &str, other: &str) -> bool {
    let same = |(one, other): &(char, char)| one == other;
    let ahead = word.chars().zip(other.chars()).take_while(same).map(|(one, _)| one.len_utf8());
    let ahead: usize = ahead.sum();
    let (word, other) = (&word[ahead..], &other[ahead..]);
    let behind = word.chars().rev().zip(other.chars().rev()).take_while(same);
    let behind: usize = behind.map(|(one, _)| one.len_utf8()).sum();
    let (mut word, mut other) =
        (word[..word.len() - behind].chars(), other[..other.len() - behind].chars());
    let differing = (word.next(), word.next(), other.next(), other.next());
    let no_more = word.next().is_none() && other.next().is_none();
    no_more
        && match differing {
            (Some(first), Some(second), Some(third), Some(fourth)) => {
                first == fourth && second == third
            }
            (one, None, other, None) => one.is_some() || other.is_some(),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_slip_is_an_edit_distance_of_one(word in "[abä]{0,5}", other in "[abä]{0,5}") {
            let distance = strsim::damerau_levenshtein(&word, &other);
            prop_assert_eq!(is_one_slip(&word, &other), distance == 1);
        }
    }
}
