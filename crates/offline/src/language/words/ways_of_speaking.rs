//! The table of ways of speaking (`data/rewordings.txt`): patterns of words with gaps, laid over a sentence.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use crate::language::words::rewording::Reworded;
use crate::language::words::slips::contraction;
use crate::language::words::tokens::{Raw, split};

/// The most ways in which one rule is laid over a sentence.
const MOST_FITS: usize = 4;
/// The longest sentence that is reworded, in words.
const MOST_WORDS: usize = 60;

pub(in crate::language) static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::read(include_str!("../../../data/rewordings.txt")));

/// All ways of speaking. Hundreds are laid over dozens of sentences for one message, so each is asked first
/// whether the words are there that it cannot do without.
#[derive(Debug, Default)]
pub(in crate::language) struct Table {
    rules: Vec<Rule>,
    /// The words that rules ask for, each with its number.
    numbers: HashMap<String, usize>,
}

/// One way of speaking and what it is in plainer words.
#[derive(Debug)]
pub(in crate::language) struct Rule {
    pattern: Vec<Piece>,
    /// The numbers of the first words of what has to be said, one of each.
    needed: Vec<Vec<usize>>,
    plainer: String,
    /// The grammar reads such a sentence, but as something else: reworded first.
    pub(in crate::language) misread: bool,
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
pub(in crate::language) struct Word {
    text: String,
    span: Range<usize>,
}

/// The words of a sentence and what ends it.
pub(in crate::language) fn words(said: &str) -> Vec<Word> {
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
    pub(in crate::language) fn apply(&self, said: &str, words: &[Word]) -> Vec<Reworded> {
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
    pub(in crate::language) fn rules_for(&self, words: &[Word]) -> impl Iterator<Item = &Rule> {
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
