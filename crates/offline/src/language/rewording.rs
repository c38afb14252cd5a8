//! Says in the words of the grammar what was said in others: "have the cube painted red" is "paint the cube
//! red", "whichever ball is tallest" is "the tallest ball". The ways of speaking are data
//! (`data/rewordings.txt`); a rewording counts only where all of it is then understood, so that nothing is
//! ever done that the grammar itself would not do.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::courtesy::without_courtesy;
use super::slips::contraction;
use super::tokens::{Raw, split};

/// How often one sentence is reworded: "could you have the cube that is tallest painted red" takes two.
const MOST_STEPS: usize = 3;
/// The most sentences that are tried in place of one.
const MOST_TRIED: usize = 80;
/// The most words that these have together: long sentences take long to read.
const MOST_WORDS_TRIED: usize = 600;
/// The most sentences for each way in which one was misread.
const MOST_TRIED_FURTHER: usize = 24;
/// The most ways in which one rule is laid over a sentence.
const MOST_FITS: usize = 4;
/// The most ways in which a sentence was misread that are reworded further.
const MOST_MISREAD: usize = 4;
/// The longest sentence that is reworded, in words.
const MOST_WORDS: usize = 60;

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::read(include_str!("../../data/rewordings.txt")));

/// All ways of speaking. Hundreds are laid over dozens of sentences for one message, so each is asked first
/// whether the words are there that it cannot do without.
#[derive(Debug, Default)]
struct Table {
    rules: Vec<Rule>,
    /// The words that rules ask for, each with its number.
    numbers: HashMap<String, usize>,
}

/// Reads the table now.
pub(super) fn warm() {
    LazyLock::force(&TABLE);
}

/// What was said, in other words.
#[derive(Debug, Clone)]
pub(super) struct Reworded {
    pub(super) text: String,
    /// What of it was let go.
    pub(super) passed: Vec<String>,
}

/// One way of speaking and what it is in plainer words.
#[derive(Debug)]
struct Rule {
    pattern: Vec<Piece>,
    /// The numbers of the first words of what has to be said, one of each.
    needed: Vec<Vec<usize>>,
    plainer: String,
    /// The grammar reads such a sentence, but as something else: reworded first.
    misread: bool,
}

/// What a pattern is made of.
#[derive(Debug)]
enum Piece {
    /// One of these expressions, told by a name when the plainer words repeat it.
    Words { name: Option<String>, choices: Vec<Vec<String>>, optional: bool },
    /// Any words, at most so many; none at all only where that is allowed.
    Gap { name: String, most: usize, optional: bool },
}

/// A word of a sentence as rules see it, and its place in the text.
#[derive(Debug)]
struct Word {
    text: String,
    span: Range<usize>,
}

/// `text` with its sentences in plainer words that are not understood; None where that does not help.
/// `enough` tells whether a sentence can stay, `plain` whether all of one is understood as a wish.
pub(super) fn reworded(
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
pub(super) fn not_misread(text: &str, plain: &dyn Fn(&str) -> bool) -> Option<Reworded> {
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

/// The words of a sentence and what ends it.
fn words(said: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for piece in split(said) {
        let written = &said[piece.span.clone()];
        let text = match piece.raw {
            Raw::Word(word) if word == "apostrophe_s" => "'s".to_owned(),
            Raw::Word(word) if contraction(&word).is_some() => {
                contraction(&word).unwrap_or_default().to_owned()
            }
            Raw::Word(word) => word,
            Raw::Comma => ",".to_owned(),
            Raw::Stop if written == ":" => ":".to_owned(),
            Raw::Stop => continue,
            _ => written.to_lowercase(),
        };
        // "we are three - add a chair": a dash between spaces parts what is said.
        let between = words.last().map_or("", |last| &said[last.span.end..piece.span.start]);
        let dash = ["-", "–", "—", "--"].contains(&between.trim());
        let arrow = ["->", "-->", "=>", "→"].contains(&between.trim());
        let apart = between.starts_with(' ') && between.ends_with(' ');
        if arrow || dash && apart {
            let text = if arrow { "->" } else { "-" };
            let end = piece.span.start;
            words.push(Word { text: text.to_owned(), span: end..end });
        }
        words.push(Word { text, span: piece.span });
    }
    words
}

impl Rule {
    /// What the rule makes of a sentence, in every way it fits.
    fn apply(&self, said: &str, words: &[Word]) -> Vec<Reworded> {
        if words.is_empty() || words.len() > MOST_WORDS {
            return Vec::new();
        }
        let mut fits = Vec::new();
        fit(&self.pattern, words, 0, &mut Vec::new(), &mut fits);
        let end = words.last().map_or(0, |word| word.span.end);
        let reworded = |taken: &Vec<(&str, Range<usize>)>| Reworded {
            text: self.plainer_with(said, words, taken) + &said[end..],
            passed: self.let_go(said, words, taken),
        };
        fits.iter().map(reworded).collect()
    }

    /// The runs of words with a gap in them that the plainer words do not repeat.
    fn let_go(&self, said: &str, words: &[Word], taken: &[(&str, Range<usize>)]) -> Vec<String> {
        let repeated = |name: &str| self.plainer.contains(&format!("{{{name}}}"));
        let kept = |at: usize| {
            let within =
                |(name, range): &(&str, Range<usize>)| repeated(name) && range.contains(&at);
            taken.iter().any(within) || words[at].text == ","
        };
        let gap = |wanted: &str| {
            let same = |piece: &Piece| matches!(piece, Piece::Gap { name, .. } if name == wanted);
            self.pattern.iter().any(same)
        };
        let lost =
            taken.iter().filter(|(name, range)| gap(name) && !repeated(name) && !range.is_empty());
        let mut let_go: Vec<String> = lost
            .map(|(_, range)| {
                let start = (0..range.start).rev().take_while(|at| !kept(*at)).last();
                let end = (range.end..words.len()).take_while(|at| !kept(*at)).last();
                let first = &words[start.unwrap_or(range.start)];
                let last = &words[end.unwrap_or(range.end - 1)];
                said[first.span.start..last.span.end].to_lowercase()
            })
            .collect();
        let_go.dedup();
        let_go
    }

    /// The plainer words, the gaps filled with what was said there.
    fn plainer_with(&self, said: &str, words: &[Word], taken: &[(&str, Range<usize>)]) -> String {
        let mut text = self.plainer.clone();
        for (name, range) in taken {
            let (first, last) = (words.get(range.start), words.get(range.end.wrapping_sub(1)));
            let said = match (first, last) {
                (Some(first), Some(last)) if !range.is_empty() => {
                    &said[first.span.start..last.span.end]
                }
                _ => "",
            };
            let gap = format!("{{{name}}}");
            // What was put in quotation marks gets no second ones.
            let quoted = text.contains(&format!("\"{gap}\""));
            let said = if quoted { said.trim_matches(['"', '“', '”']) } else { said };
            text = text.replace(&gap, said);
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        text.replace(" ,", ",").replace(" .", ".").trim_matches([',', ' ']).to_owned()
    }
}

/// Lays the rest of a pattern over the words from `at` on; what the gaps take goes to `fits`.
fn fit<'a>(
    pattern: &'a [Piece],
    words: &[Word],
    at: usize,
    taken: &mut Vec<(&'a str, Range<usize>)>,
    fits: &mut Vec<Vec<(&'a str, Range<usize>)>>,
) {
    let Some((piece, rest)) = pattern.split_first() else {
        if at == words.len() {
            fits.push(taken.clone());
        }
        return;
    };
    let (name, ends): (Option<&str>, Vec<usize>) = match piece {
        Piece::Gap { name, most, optional } => {
            let least = at + usize::from(!optional);
            let ends = least..=words.len().min(at + most);
            // "the" alone, or with "of" behind it, says nothing yet.
            let whole = |end: &usize| *optional || !goes_on(&words[end - 1].text);
            (Some(name.as_str()), ends.filter(whole).collect())
        }
        Piece::Words { name, choices, optional } => {
            let said = |choice: &&Vec<String>| {
                words.get(at..at + choice.len()).is_some_and(|words| {
                    words.iter().zip(choice.iter()).all(|(word, wanted)| word.text == *wanted)
                })
            };
            let found = choices.iter().filter(said).map(|choice| at + choice.len());
            (name.as_deref(), found.chain(optional.then_some(at)).collect())
        }
    };
    for end in ends {
        if fits.len() >= MOST_FITS {
            return;
        }
        taken.extend(name.map(|name| (name, at..end)));
        fit(rest, words, end, taken, fits);
        if name.is_some() {
            taken.pop();
        }
    }
}

/// Whether more has to follow a word.
fn goes_on(word: &str) -> bool {
    ["the", "a", "an", "and", "of", "my", "with", "every", "each"].contains(&word)
}

impl Table {
    /// Reads the table: `pattern = plainer words`, `@name: choices`; `!` before what would be misread.
    fn read(text: &str) -> Self {
        let mut table = Self::default();
        let mut named: Vec<(&str, &str)> = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            let choices = line.strip_prefix('@').and_then(|line| line.split_once(": "));
            if let Some((name, choices)) = choices {
                named.push((name, choices));
            } else if let Some((pattern, plainer)) = line.split_once(" = ") {
                let misread = pattern.starts_with('!');
                let pieces = pattern.trim_start_matches('!').split_whitespace();
                let pattern: Vec<Piece> = pieces.map(|piece| piece_of(piece, &named)).collect();
                let needed = pattern.iter().filter_map(|piece| table.needed(piece)).collect();
                table.rules.push(Rule { pattern, needed, plainer: plainer.to_owned(), misread });
            }
        }
        table
    }

    /// The numbers of the first words of what has to be said.
    fn needed(&mut self, piece: &Piece) -> Option<Vec<usize>> {
        let Piece::Words { choices, optional: false, .. } = piece else { return None };
        let words = choices.iter().map(|choice| {
            let free = self.numbers.len();
            Some(*self.numbers.entry(choice.first()?.clone()).or_insert(free))
        });
        words.collect()
    }

    /// The rules that a sentence may fit.
    fn rules_for(&self, words: &[Word]) -> impl Iterator<Item = &Rule> {
        let mut said = vec![false; self.numbers.len()];
        for number in words.iter().filter_map(|word| self.numbers.get(&word.text)) {
            said[*number] = true;
        }
        self.rules
            .iter()
            .filter(move |rule| rule.needed.iter().all(|any| any.iter().any(|word| said[*word])))
    }
}

/// `word`, `one|the_other`, `@named`, each with `?` where it may be missing; `{gap}`, `{gap?}`, `{gap3}` of at most
/// three words, `{name:one|other}`.
fn piece_of(piece: &str, named: &[(&str, &str)]) -> Piece {
    let choices = |text: &str| -> Vec<Vec<String>> {
        let listed = |choice: &'_ str| {
            let (_, choices) =
                named.iter().find(|(name, _)| choice.strip_prefix('@') == Some(name))?;
            Some(*choices)
        };
        let all = text.split('|').flat_map(|choice| listed(choice).unwrap_or(choice).split('|'));
        all.map(|choice| choice.split('_').map(str::to_owned).collect()).collect()
    };
    // A question mark alone is no choice.
    let may_miss = |text: &str| text.len() > 1 && text.ends_with('?');
    let (outer, missing) = match may_miss(piece) {
        true => (&piece[..piece.len() - 1], true),
        false => (piece, false),
    };
    let inner = outer.strip_prefix('{').and_then(|piece| piece.strip_suffix('}'));
    let (text, optional) = match inner.unwrap_or(outer) {
        text if may_miss(text) => (&text[..text.len() - 1], true),
        text => (text, missing),
    };
    match (inner, text.split_once(':')) {
        (Some(_), Some((name, listed))) => {
            Piece::Words { name: Some(name.to_owned()), choices: choices(listed), optional }
        }
        (Some(_), None) => {
            let name = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
            let most = text[name.len()..].parse().unwrap_or(MOST_WORDS);
            Piece::Gap { name: name.to_owned(), most, optional }
        }
        (None, _) => Piece::Words { name: None, choices: choices(text), optional },
    }
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

    #[test]
    fn what_plainer_words_repeat_is_in_the_pattern() {
        for rule in super::TABLE.rules.iter() {
            for (at, _) in rule.plainer.match_indices('{') {
                let name = rule.plainer[at + 1..].split('}').next().unwrap_or_default();
                let known = rule.pattern.iter().any(|piece| match piece {
                    super::Piece::Gap { name: own, .. } => own == name,
                    super::Piece::Words { name: own, .. } => own.as_deref() == Some(name),
                });
                assert!(known, "{{{name}}} of “{}” is in no pattern", rule.plainer);
            }
        }
    }
}
