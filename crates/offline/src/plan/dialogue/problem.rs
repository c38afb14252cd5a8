//! Why a wish was not carried out, and what is said of it.

use crate::language::{Clause, Noun, Target};
use crate::plan::{Planner, Saying};
use crate::resolve::Lost;

/// Why an intent was not carried out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Problem {
    /// The words match nothing, or too much.
    Lost(Lost),
    /// It cannot be done; a sentence for the person.
    Cannot(String),
}

impl From<Lost> for Problem {
    fn from(lost: Lost) -> Self {
        Self::Lost(lost)
    }
}

pub(crate) type Done = Result<(), Problem>;

impl Planner {
    pub(in crate::plan) fn saying_of(&self, problem: Problem, clause: &Clause) -> Saying {
        match problem {
            Problem::Cannot(text) => Saying::Refused(text),
            Problem::Lost(Lost::NoIt) if !self.candidates().is_empty() => Saying::Question {
                clause: clause.text.clone(),
                words: "thing".to_owned(),
                candidates: self.candidates(),
            },
            Problem::Lost(Lost::NoIt) => Saying::Refused(format!(
                "I don't know what you mean in “{}”: nothing was made or changed so far. \
                 Name the object, please.",
                clause.text
            )),
            Problem::Lost(Lost::NotFound(words)) => {
                let ids: Vec<String> =
                    self.world.things.iter().map(|thing| thing.id.clone()).collect();
                let all = self.names_of(&ids);
                let names: Vec<String> = all.iter().take(12).cloned().collect();
                Saying::Refused(if names.is_empty() {
                    format!("I found no “{words}”: the scene is empty.")
                } else {
                    let rest = if all.len() > 12 { ", ..." } else { "" };
                    format!("I found no “{words}”. The scene has {}{rest}.", names.join(", "))
                })
            }
            Problem::Lost(Lost::Ambiguous(words, candidates)) => {
                Saying::Question { clause: clause.text.clone(), words, candidates }
            }
        }
    }

    /// What "it" might mean when nothing was spoken of.
    fn candidates(&self) -> Vec<String> {
        let objects = self.world.objects();
        let loose = objects.filter(|thing| !thing.is_floor() && !thing.is_wall());
        let ids: Vec<String> = loose.map(|thing| thing.id.clone()).collect();
        self.names_of(&ids)
    }
}

pub(in crate::plan) fn mentions_later(target: &Target) -> bool {
    target.0.iter().any(|phrase| matches!(phrase.head, Some(Noun::Later(_))))
}

pub(in crate::plan) fn later(target: &Target) -> Problem {
    let words = target.0.iter().find_map(|phrase| match &phrase.head {
        Some(Noun::Later(word)) => Some(word.clone()),
        _ => None,
    });
    cannot_build(&words.unwrap_or_default())
}

/// The honest answer to a wish for a thing this model cannot build yet.
pub(crate) fn cannot_build(word: &str) -> Problem {
    if let Some((category, _)) = catalogue::catalogue().category(word) {
        let known: Vec<String> = category.objects().iter().take(8).cloned().collect();
        let known = crate::answer::list(&known);
        return Problem::Cannot(format!(
            "Which {word} do you mean? I can build {known}, for example."
        ));
    }
    let article = crate::answer::article(word);
    let buildable = crate::answer::BUILDABLE;
    Problem::Cannot(format!("I cannot build {article} {word} yet. {buildable}"))
}
