//! Criteria: sentences that have to hold, and what a check found.

use serde::{Deserialize, Serialize};

/// The most criteria of a goal or a task.
pub(crate) const MAX_CRITERIA: usize = 40;
/// The longest criterion in characters.
const MAX_TEXT: usize = 400;

/// Reads and checks criteria. The implementation knows the document.
pub trait Criteria {
    /// Whether `criterion` can be read; if not, what is wrong with it.
    fn read(&self, criterion: &str) -> Result<(), String>;

    /// Whether `criterion` holds now; if not, what was found instead.
    fn check(&self, criterion: &str) -> Result<(), String>;
}

/// Who set a criterion. Only the user takes one back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The user.
    User,
    /// The model proposed it.
    Model,
    /// A workflow has it.
    Workflow,
}

/// A sentence that has to hold, and the outcome of the newest check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// In the language of [`Criteria`].
    pub text: String,
    /// Who set it.
    pub source: Source,
    /// Whether it held when it was last checked; `None` before the first check, and when nobody could tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub met: Option<bool>,
    /// What was found instead, if it did not hold, or why nobody could tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}

impl Criterion {
    /// An unchecked criterion.
    pub fn new(text: impl Into<String>, source: Source) -> Self {
        Self { text: text.into(), source, met: None, found: None }
    }

    /// Whether it held when it was last checked.
    pub fn is_met(&self) -> bool {
        self.met == Some(true)
    }

    /// Whether the newest check could not tell.
    pub(crate) fn is_unknown(&self) -> bool {
        self.met.is_none() && self.found.is_some()
    }

    /// Takes over the outcome of a check.
    pub(crate) fn take(&mut self, verdict: &Verdict) {
        self.met = (!verdict.unknown).then_some(verdict.found.is_none());
        self.found.clone_from(&verdict.found);
    }
}

/// The outcome of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The criterion.
    pub text: String,
    /// What was found instead; `None` if it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Whether it could not be checked; `found` then says why.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unknown: bool,
}

/// Checks each of `criteria`.
pub fn check_criteria<'a>(
    criteria: impl IntoIterator<Item = &'a Criterion>,
    by: &dyn Criteria,
) -> Vec<Verdict> {
    let check = |criterion: &Criterion| Verdict {
        text: criterion.text.clone(),
        found: by.check(&criterion.text).err(),
        unknown: false,
    };
    criteria.into_iter().map(check).collect()
}

/// Adds those of `texts` that are not in `criteria` yet; every one must be readable.
pub(crate) fn add_all(
    criteria: &mut Vec<Criterion>,
    texts: &[String],
    source: Source,
    by: &dyn Criteria,
) -> Result<(), String> {
    let mut added = criteria.clone();
    for text in texts {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() > MAX_TEXT {
            return Err(format!("a criterion may have at most {MAX_TEXT} characters"));
        }
        by.read(&text)?;
        if !added.iter().any(|criterion| criterion.text == text) {
            added.push(Criterion::new(text, source));
        }
    }
    if added.len() > MAX_CRITERIA {
        return Err(format!("there may be at most {MAX_CRITERIA} criteria, got {}", added.len()));
    }
    *criteria = added;
    Ok(())
}
