//! Says in the words of the grammar what was said in others: "have the cube painted red" is "paint the cube
//! red", "whichever ball is tallest" is "the tallest ball". The ways of speaking are data
//! (`data/rewordings.txt`); a rewording counts only where all of it is then understood, so that nothing is
//! ever done that the grammar itself would not do.

use std::ops::Range;
use std::sync::LazyLock;

use crate::language::dialogue::courtesy::without_courtesy;
use crate::language::words::tokens::{Raw, split};
use crate::language::words::ways_of_speaking::{TABLE, words};

/// How often one sentence is reworded: "could you have the cube that is tallest painted red" takes two.
const MOST_STEPS: usize = 3;
/// The most sentences that are tried in place of one.
const MOST_TRIED: usize = 80;
/// The most words that these have together: long sentences take long to read.
const MOST_WORDS_TRIED: usize = 600;
/// The most sentences for each way in which one was misread.
const MOST_TRIED_FURTHER: usize = 24;
/// The most ways in which a sentence was misread that are reworded further.
const MOST_MISREAD: usize = 4;
/// Reads the table now.
pub(in crate::language) fn warm() {
    LazyLock::force(&TABLE);
}

/// What was said, in other words.
#[derive(Debug, Clone)]
pub(in crate::language) struct Reworded {
    pub(in crate::language) text: String,
    /// What of it was let go.
    pub(in crate::language) passed: Vec<String>,
}

/// `text` with its sentences in plainer words that are not understood; None where that does not help.
/// `enough` tells whether a sentence can stay, `plain` whether all of one is understood as a wish.
pub(in crate::language) fn reworded(
    text: &str,
    enough: &dyn Fn(&str) -> bool,
    plain: &dyn Fn(&str) -> bool,
) -> Option<Reworded> {
    in_each_sentence(text, |said| match enough(said) {
        true => None,
        false => in_plainer_words(said, plain, MOST_TRIED),
    })
}

/// `text` with the sentences in other words that the grammar would take for something else.
pub(in crate::language) fn not_misread(
    text: &str,
    plain: &dyn Fn(&str) -> bool,
) -> Option<Reworded> {
    in_each_sentence(text, |said| {
        let mut found = meant(said, plain)?;
        // "please to make a table with chairs around": misread in two ways.
        for _ in 1..MOST_STEPS {
            let Some(mut again) =
                meant(&found.text, plain).filter(|again| again.text != found.text)
            else {
                break;
            };
            again.passed.extend(found.passed);
            found = again;
        }
        Some(found)
    })
}

/// A sentence that the grammar would take for something else in the words that say what is meant.
fn meant(said: &str, plain: &dyn Fn(&str) -> bool) -> Option<Reworded> {
    let plainly = without_courtesy(said);
    let mut meant = meanings(said);
    if plainly.len() < said.len() {
        meant.extend(meanings(plainly));
    }
    let found = meant.iter().find(|meant| plain(&meant.text)).cloned();
    found.or_else(|| meant.iter().take(MOST_MISREAD).find_map(|meant| further(meant, plain)))
}

/// What the rules for misread sentences make of one.
fn meanings(said: &str) -> Vec<Reworded> {
    let words = words(said);
    let misread = TABLE.rules_for(&words).filter(|rule| rule.misread);
    misread.flat_map(|rule| rule.apply(said, &words)).collect()
}

/// What was misread in more than one way, or has to be plainer besides.
fn further(meant: &Reworded, plain: &dyn Fn(&str) -> bool) -> Option<Reworded> {
    let mut plainer = in_plainer_words(&meant.text, plain, MOST_TRIED_FURTHER)?;
    plainer.passed.extend(meant.passed.iter().cloned());
    Some(plainer)
}

/// `text` with what `better` makes of its sentences; None where that is nothing.
fn in_each_sentence(text: &str, better: impl Fn(&str) -> Option<Reworded>) -> Option<Reworded> {
    let mut whole = Reworded { text: String::new(), passed: Vec::new() };
    let mut helped = false;
    for sentence in sentences(text) {
        let said = &text[sentence];
        match better(said) {
            Some(reworded) => {
                helped = true;
                whole.text.push_str(&reworded.text);
                whole.passed.extend(reworded.passed);
            }
            None => whole.text.push_str(said),
        }
    }
    helped.then_some(whole)
}

/// The first rewording of a sentence that is understood, by as few rules as possible.
fn in_plainer_words(said: &str, plain: &dyn Fn(&str) -> bool, most: usize) -> Option<Reworded> {
    let most = most.min(MOST_WORDS_TRIED / words(said).len().max(1));
    let mut tried = vec![Reworded { text: said.to_owned(), passed: Vec::new() }];
    let mut latest = 0..1;
    for _ in 0..MOST_STEPS {
        for at in latest.clone() {
            let before = tried[at].clone();
            let words = words(&before.text);
            let rules = TABLE.rules_for(&words);
            for mut candidate in rules.flat_map(|rule| rule.apply(&before.text, &words)) {
                if tried.iter().any(|known| known.text == candidate.text) {
                    continue;
                }
                candidate.passed.extend(before.passed.iter().cloned());
                if plain(&candidate.text) {
                    return Some(candidate);
                }
                tried.push(candidate);
                if tried.len() > most {
                    return None;
                }
            }
        }
        latest = latest.end..tried.len();
    }
    None
}

/// The sentences of a text, each with what ends it.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for piece in split(text) {
        let ends = piece.raw == Raw::Stop && !text[piece.span.clone()].contains(':');
        if ends {
            found.push(start..piece.span.end);
            start = piece.span.end;
        }
    }
    if start < text.len() {
        found.push(start..text.len());
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::language::{Heard, Intent, Names, hear};

    const NAMES: [&str; 4] = ["red_ball", "blue_cube", "green_cone", "lamp"];

    fn heard(text: &str) -> Vec<Intent> {
        let names = Names::new(NAMES);
        let clauses = hear(text, &names).into_iter();
        clauses
            .flat_map(|clause| match clause.heard {
                Heard::Intents(intents) => intents,
                Heard::Unclear(words) => panic!("{text}: {words:?}"),
            })
            .collect()
    }

    /// What is wanted, without the words it was said in.
    fn wanted(text: &str) -> String {
        let shown = format!("{:?}", heard(text));
        without_words(&shown).join("")
    }

    /// A debug text without the lists called `words`.
    fn without_words(text: &str) -> Vec<&str> {
        let mut parts = text.split("words: [");
        let first = parts.next().into_iter();
        first.chain(parts.filter_map(|part| part.split_once(']').map(|(_, rest)| rest))).collect()
    }

    #[test]
    fn other_words_for_a_wish_are_the_same_wish() {
        for (said, plainer) in [
            ("the ball should be turned blue", "paint the ball blue"),
            ("have the cube dyed red", "paint the cube red"),
            (
                "could the cone be moved to the left of the cube?",
                "move the cone to the left of the cube",
            ),
            ("the cone has to go", "remove the cone"),
            ("please let the ball disappear", "remove the ball"),
            ("swap the ball for a torus", "replace the ball with a torus"),
            ("Lamp off!", "turn off lamp"),
            ("whichever is tallest should be gold", "the tallest thing should be gold"),
            ("remove whatever is blue", "remove the blue things"),
            ("everything blue should become red", "all blue things should be red"),
            ("what if the cube were dark green?", "make the cube dark green"),
            ("the cube needs a lick of green paint", "paint the cube green"),
            ("hide the ball behind the cube", "move the ball behind the cube"),
            ("my daughter wants a teddy bear", "make a teddy bear"),
            ("twenty-four balls", "24 balls"),
            ("a waist-high fence", "a 1 m high fence"),
        ] {
            assert_eq!(wanted(said), wanted(plainer), "{said}");
        }
    }

    #[test]
    fn what_is_not_understood_is_told_in_the_words_it_was_said_in() {
        let names = Names::new(NAMES);
        for text in [
            "have the zorbl painted red",
            "the ball should be frobnicated",
            "swap the ball for a zorbl thing",
        ] {
            let clauses = hear(text, &names);
            let [clause] = clauses.as_slice() else { panic!("{clauses:?}") };
            assert!(matches!(clause.heard, Heard::Unclear(_)), "{text}: {clause:?}");
            assert_eq!(clause.text, text);
        }
    }
}
