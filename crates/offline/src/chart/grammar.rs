//! The productions of `data/grammar/*.txt`.
//!
//! ```text
//! Act -> Verb:put NP Place  => act:move theme:$2 place:$3  @0.2 ~passive
//! ```
//!
//! A category may ask for senses (`Verb:put|set`) and features (`NP+def-pl`); `?` makes it optional.
//! `+third|bare` is one of two features. After `=>` stands what the whole means: `$2` takes over the slots of the second part (the first
//! such part is the head: its sense and features are those of the whole), `slot:$2` puts it into a
//! slot, `slot+:$2` adds it to those in the slot, `slot:$2.inner` and `slot:$2.sense` take one thing
//! of it, `slot:$2.text` its words as they were said; anything else is a word or a number.
//! `@` is what the production costs. `~passive` adds the passive of a production with a verb and its
//! object: "the ball should be put on the table". `~tight` leaves no words unread between the parts.

use std::sync::LazyLock;

use crate::tokens::{Features, Symbol, Symbols, lexicon};

/// The most parts of a production.
pub(crate) const MAX_PARTS: usize = 7;

/// What a part of a production has to be.
#[derive(Debug, Clone, Default)]
pub(crate) struct Part {
    pub(crate) category: Symbol,
    /// Any of these; none for every sense.
    senses: Vec<Symbol>,
    pub(super) with: Features,
    /// One of these at least, where there are any.
    any: Features,
    without: Features,
}

impl Part {
    /// Whether something of the right category fits.
    pub(crate) fn fits(&self, sense: Symbol, features: Features) -> bool {
        features & self.with == self.with
            && (self.any == 0 || features & self.any != 0)
            && features & self.without == 0
            && (self.senses.is_empty() || self.senses.contains(&sense))
    }
}

/// Where a slot gets its value from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    Part(usize),
    Slot(usize, &'static str),
    Sense(usize),
    Text(usize),
    Symbol(&'static str),
    Number(f64),
}

/// A step in making the meaning of the whole.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    Merge(usize),
    Set(&'static str, Source),
    Add(&'static str, Source),
}

/// A production.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) category: Symbol,
    sense: Option<Symbol>,
    adds: Features,
    drops: Features,
    pub(crate) parts: Vec<Part>,
    pub(crate) head: Option<usize>,
    pub(crate) steps: Vec<Step>,
    pub(crate) cost: f32,
    /// Whether no words are left unread between its parts.
    pub(crate) tight: bool,
    /// As it is written, for those who want to know.
    pub(crate) text: &'static str,
}

impl Rule {
    /// Sense and features of the whole.
    pub(crate) fn result(&self, head: Option<(Symbol, Features)>) -> (Symbol, Features) {
        let (sense, features) = head.unwrap_or_default();
        (self.sense.unwrap_or(sense), (features & !self.drops) | self.adds)
    }
}

/// All productions, by the category they begin with.
#[derive(Debug)]
pub(crate) struct Grammar {
    pub(crate) symbols: Symbols,
    pub(crate) rules: Vec<Rule>,
    by_first: Vec<Vec<u32>>,
    /// The category of utterances.
    pub(crate) utterance: Symbol,
    /// The feature of nouns for several things.
    pub(crate) several: Features,
    /// Whether a production puts something before its noun: no mark stands between the two.
    pub(crate) before_noun: Vec<bool>,
    /// Lines that are no productions.
    pub(crate) errors: Vec<String>,
}

const FILES: &[&str] = &[
    include_str!("../../data/grammar/phrases.txt"),
    include_str!("../../data/grammar/qualities.txt"),
    include_str!("../../data/grammar/places.txt"),
    include_str!("../../data/grammar/acts.txt"),
    include_str!("../../data/grammar/views.txt"),
    include_str!("../../data/grammar/questions.txt"),
    include_str!("../../data/grammar/talk.txt"),
    include_str!("../../data/grammar/motion.txt"),
    include_str!("../../data/grammar/daylight.txt"),
];

/// The grammar, read at the first call.
pub(crate) fn grammar() -> &'static Grammar {
    static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| Grammar::read(FILES));
    &GRAMMAR
}

impl Grammar {
    /// Reads productions, one a line.
    pub(crate) fn read(files: &[&'static str]) -> Self {
        let mut symbols = lexicon().symbols.clone();
        // What begins without a head has the sense 0.
        let utterance = symbols.intern("Utt");
        let several = symbols.feature("pl");
        let (rules, by_first, before_noun, errors) = Default::default();
        let mut grammar =
            Self { symbols, rules, by_first, utterance, several, before_noun, errors };
        for line in files.iter().flat_map(|file| file.lines()).map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            for line in alternatives(line) {
                if grammar.production(line).is_none() {
                    grammar.errors.push(line.to_owned());
                }
            }
        }
        let nouns = ["Nb", "Noun"].map(|name| grammar.symbols.intern(name));
        let ends =
            |rule: &Rule| rule.parts.last().is_some_and(|last| nouns.contains(&last.category));
        grammar.before_noun = grammar.rules.iter().map(ends).collect();
        grammar.by_first.resize(grammar.symbols.len(), Vec::new());
        for (at, rule) in grammar.rules.iter().enumerate() {
            let first = usize::from(rule.parts[0].category);
            grammar.by_first[first].push(u32::try_from(at).unwrap_or_default());
        }
        grammar
    }

    /// Whether something is a description of what is there, and no pronoun.
    pub(crate) fn names_known(&self, category: Symbol, features: Features) -> bool {
        let has = |name: &str| features & self.symbols.feature_named(name) != 0;
        self.symbols.number("NP") == Some(category) && has("def") && !has("pron")
    }

    /// The productions that begin with a category.
    pub(crate) fn starting(&self, category: Symbol) -> &[u32] {
        self.by_first.get(usize::from(category)).map_or(&[], Vec::as_slice)
    }

    fn production(&mut self, line: &'static str) -> Option<()> {
        let (form, rest) = line.split_once("=>").unwrap_or((line, ""));
        let (whole, parts) = form.split_once("->")?;
        let (whole, _) = self.part(whole.trim())?;
        let read: Vec<(Part, bool)> =
            parts.split_whitespace().map(|part| self.part(part)).collect::<Option<_>>()?;
        let (mut steps, mut cost, mut passive, mut tight) = (Vec::new(), 0.0, false, false);
        for word in rest.split_whitespace() {
            if let Some(number) = word.strip_prefix('@') {
                cost = number.parse().ok()?;
            } else if word == "~passive" {
                passive = true;
            } else if word == "~tight" {
                tight = true;
            } else {
                steps.push(step(word)?);
            }
        }
        let whole = Whole { part: whole, cost, tight, text: line };
        self.expand(&whole, &read, &steps);
        if passive && read.len() >= 2 {
            self.passive(&whole, &read, &steps)?;
        }
        Some(())
    }

    /// A rule for each choice of the optional parts.
    pub(super) fn expand(&mut self, whole: &Whole, read: &[(Part, bool)], steps: &[Step]) {
        let optional: Vec<usize> = (0..read.len()).filter(|at| read[*at].1).collect();
        for choice in 0..1_u32 << optional.len() {
            let left_out: Vec<usize> = optional
                .iter()
                .enumerate()
                .filter(|(bit, _)| choice & (1 << bit) == 0)
                .map(|(_, at)| *at)
                .collect();
            let kept: Vec<usize> = (0..read.len()).filter(|at| !left_out.contains(at)).collect();
            if kept.is_empty() || kept.len() > MAX_PARTS {
                continue;
            }
            let place = |at: usize| kept.iter().position(|kept| *kept == at).unwrap_or(usize::MAX);
            let steps: Vec<Step> = steps
                .iter()
                .map(|step| step.renumbered(&place))
                .filter(|step| step.part() != Some(usize::MAX))
                .collect();
            let head = steps.iter().find_map(|step| match step {
                Step::Merge(at) => Some(*at),
                _ => None,
            });
            self.rules.push(Rule {
                category: whole.part.category,
                sense: whole.part.senses.first().copied(),
                adds: whole.part.with,
                drops: whole.part.without,
                parts: kept.iter().map(|at| read[*at].0.clone()).collect(),
                head,
                steps,
                cost: whole.cost,
                tight: whole.tight,
                text: whole.text,
            });
        }
    }

    /// Reads `Cat:a|b+with-without?`; whether it is optional.
    pub(super) fn part(&mut self, text: &'static str) -> Option<(Part, bool)> {
        let (text, optional) = match text.strip_suffix('?') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let mut part = Part::default();
        let mut rest = text;
        let mut mark = ' ';
        let mut of_features = false;
        loop {
            let end = rest.find([':', '+', '-', '|']).unwrap_or(rest.len());
            let name = &rest[..end];
            if name.is_empty() {
                return None;
            }
            match mark {
                ' ' => part.category = self.symbols.intern(name),
                '|' if of_features => {
                    part.any |= std::mem::take(&mut part.with) | self.symbols.feature(name);
                }
                ':' | '|' => part.senses.push(self.symbols.intern(name)),
                '+' => {
                    of_features = true;
                    part.with |= self.symbols.feature(name);
                }
                _ => part.without |= self.symbols.feature(name),
            }
            match rest[end..].chars().next() {
                Some(next) => {
                    mark = next;
                    rest = &rest[end + 1..];
                }
                None => return Some((part, optional)),
            }
        }
    }
}

/// A line for each choice between categories: `A -> B|C D` is `A -> B D` and `A -> C D`.
fn alternatives(line: &'static str) -> Vec<&'static str> {
    let Some((form, rest)) = line.split_once("=>") else { return vec![line] };
    for part in form.split_whitespace() {
        let choices: Vec<&str> = part.trim_end_matches('?').split('|').collect();
        let is_choice = choices.len() > 1
            && choices.iter().all(|choice| choice.starts_with(char::is_uppercase));
        if !is_choice {
            continue;
        }
        let optional = if part.ends_with('?') { "?" } else { "" };
        let with = |choice: &&str| {
            let words: Vec<String> = form
                .split_whitespace()
                .map(
                    |word| {
                        if word == part { format!("{choice}{optional}") } else { word.to_owned() }
                    },
                )
                .collect();
            let line: &'static str = format!("{} =>{rest}", words.join(" ")).leak();
            alternatives(line)
        };
        return choices.iter().flat_map(with).collect();
    }
    vec![line]
}

/// What holds for all forms of a production.
#[derive(Debug, Clone)]
pub(super) struct Whole {
    pub(super) part: Part,
    pub(super) cost: f32,
    pub(super) tight: bool,
    pub(super) text: &'static str,
}

impl Step {
    fn part(&self) -> Option<usize> {
        let of = |source: &Source| match source {
            Source::Part(at) | Source::Slot(at, _) | Source::Sense(at) | Source::Text(at) => {
                Some(*at)
            }
            Source::Symbol(_) | Source::Number(_) => None,
        };
        match self {
            Self::Merge(at) => Some(*at),
            Self::Set(_, source) | Self::Add(_, source) => of(source),
        }
    }

    pub(super) fn renumbered(&self, place: &dyn Fn(usize) -> usize) -> Self {
        let of = |source: &Source| match source {
            Source::Part(at) => Source::Part(place(*at)),
            Source::Slot(at, slot) => Source::Slot(place(*at), slot),
            Source::Sense(at) => Source::Sense(place(*at)),
            Source::Text(at) => Source::Text(place(*at)),
            other => other.clone(),
        };
        match self {
            Self::Merge(at) => Self::Merge(place(*at)),
            Self::Set(slot, source) => Self::Set(slot, of(source)),
            Self::Add(slot, source) => Self::Add(slot, of(source)),
        }
    }
}

fn step(word: &'static str) -> Option<Step> {
    let index = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
    if let Some(number) = word.strip_prefix('$') {
        return Some(Step::Merge(index(number)?));
    }
    let (slot, value) = word.split_once(':')?;
    let source = match value.strip_prefix('$') {
        None => value.parse().map_or(Source::Symbol(value), Source::Number),
        Some(path) => match path.split_once('.') {
            None => Source::Part(index(path)?),
            Some((number, "sense")) => Source::Sense(index(number)?),
            Some((number, "text")) => Source::Text(index(number)?),
            Some((number, slot)) => Source::Slot(index(number)?, slot),
        },
    };
    Some(match slot.strip_suffix('+') {
        Some(slot) => Step::Add(slot, source),
        None => Step::Set(slot, source),
    })
}
