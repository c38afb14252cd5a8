//! Hears a message: as it stands, or in plainer words where that is not understood whole. What was heard
//! lately is remembered, since the messages of a conversation are read again with every request.

use crate::language::acts::clause::{Clause, Heard, clauses};
use crate::language::acts::intent::Intent;
use crate::language::acts::passing::is_wish;
use crate::language::words::lexicon::{Token, tag};
use crate::language::words::names::Names;
use crate::language::words::rewording::{not_misread, reworded};
use crate::language::words::vocabulary::{Noun, Sense};
use crate::memory::Memory;

/// The messages of a few conversations at a time.
static HEARD: Memory<(String, Vec<String>), Vec<Clause>> = Memory::new(48);

/// The same messages without the names of the scene, as they stand.
static SAID: Memory<String, Vec<Clause>> = Memory::new(48);

/// Messages and lists of names that are longer are read anew: remembering must not weigh much.
const LONGEST: usize = 1_000;
const MOST_NAMES: usize = 2_000;

/// Reads a message; `names` are the ids and groups that stand in the scene.
pub(crate) fn hear(text: &str, names: &Names) -> Vec<Clause> {
    let known = HEARD.recall(|(known, there)| known == text && there == names.texts());
    known.unwrap_or_else(|| {
        let heard = listen(text, names);
        if text.len() <= LONGEST && names.texts().len() <= MOST_NAMES {
            HEARD.keep((text.to_owned(), names.texts().to_vec()), heard.clone());
        }
        heard
    })
}

fn listen(text: &str, names: &Names) -> Vec<Clause> {
    let meant = not_misread(text, &|text| {
        let clauses = clauses(text, names, true);
        wish(&clauses) || answer(&clauses)
    });
    let passed = meant.as_ref().map(|meant| meant.passed.clone()).unwrap_or_default();
    let text = meant.as_ref().map_or(text, |meant| &meant.text);
    let heard = clauses(text, names, false);
    if heard.iter().all(Clause::is_whole) {
        return telling(heard, passed);
    }
    let enough = |said: &str| clauses(said, names, false).iter().all(Clause::is_whole);
    match reworded(text, &enough, &|text| wish(&clauses(text, names, true))) {
        Some(plainer) => {
            let heard = clauses(&plainer.text, names, false);
            telling(heard, [passed, plainer.passed].concat())
        }
        None => telling(heard, passed),
    }
}

/// Whether they are whole wishes and nothing else.
fn wish(clauses: &[Clause]) -> bool {
    !clauses.is_empty() && clauses.iter().all(|clause| clause.is_whole() && clause.is_wish())
}

/// Whether they are one whole answer to a question and no more.
fn answer(clauses: &[Clause]) -> bool {
    let answers = |clause: &Clause| {
        let picks = |intent: &Intent| matches!(intent, Intent::Answer(_));
        matches!(&clause.heard, Heard::Intents(intents) if intents.iter().all(picks))
    };
    matches!(clauses, [only] if only.is_whole() && answers(only))
}

/// The clauses, the last that is understood with what was let go of the message.
fn telling(mut heard: Vec<Clause>, passed: Vec<String>) -> Vec<Clause> {
    let understood = |clause: &&mut Clause| matches!(clause.heard, Heard::Intents(_));
    if let Some(last) = heard.iter_mut().rev().find(understood) {
        let told = last.passed.clone();
        last.passed.extend(passed.into_iter().filter(|words| !told.contains(words)));
    }
    heard
}

/// Reads a message without looking for plainer words: enough to tell whether it greets, corrects or goes on.
pub(crate) fn hear_as_said(text: &str) -> Vec<Clause> {
    let known = SAID.recall(|known| known == text);
    known.unwrap_or_else(|| {
        let said = clauses(text, &Names::default(), false);
        if text.len() <= LONGEST {
            SAID.keep(text.to_owned(), said.clone());
        }
        said
    })
}

/// Whether no word of a message means anything by itself: numbers and unknown words only.
pub(crate) fn is_nonsense(text: &str) -> bool {
    let says_nothing = |token: &Token| {
        let empty = |sense: &Sense| matches!(sense, Sense::Number(_) | Sense::Comma | Sense::Stop);
        token.senses.iter().all(empty)
    };
    let tokens = tag(text, &Names::default());
    // "no, seven" corrects.
    let refuses = tokens.first().is_some_and(|token| token.text == "no");
    !refuses && tokens.iter().all(says_nothing)
}

impl Clause {
    /// Whether every word of it is understood and names something that can be made.
    fn is_whole(&self) -> bool {
        let known = |intent: &Intent| match intent {
            Intent::Create(phrases) => {
                !phrases.iter().any(|phrase| matches!(phrase.head, Some(Noun::Later(_))))
            }
            Intent::Stage(staging) => staging.unknown.is_empty(),
            _ => true,
        };
        let Heard::Intents(intents) = &self.heard else { return false };
        self.passed.is_empty() && self.left_out.is_empty() && intents.iter().all(known)
    }

    fn is_wish(&self) -> bool {
        // What was done last, done differently, is a wish as well.
        let corrects = |intent: &Intent| matches!(intent, Intent::Correct(_));
        let wishes = |intent: &Intent| is_wish(intent) || corrects(intent);
        matches!(&self.heard, Heard::Intents(intents) if intents.iter().all(wishes))
    }
}
