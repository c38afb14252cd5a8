//! What happened for one message.

use std::borrow::Cow;

use scene::Scene;
use serde_json::Value;

/// A call and how it ended.
#[derive(Debug, Clone)]
pub(crate) struct CallResult<'a> {
    pub(crate) name: &'a str,
    pub(crate) args: &'a Value,
    pub(crate) result: Result<&'a Value, Cow<'a, str>>,
}

impl CallResult<'_> {
    /// Whether somebody or something stopped it.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.result.as_ref().is_err_and(|error| error.contains("interrupt"))
    }
}

/// What happened, in order.
#[derive(Debug, Clone)]
pub(crate) enum Step<'a> {
    /// The scene was looked at.
    Look(&'a Value),
    /// Looking failed; the error.
    Blind(String),
    /// Calls that change the scene.
    Wave(Vec<CallResult<'a>>),
    /// The scene was looked over for mistakes: the findings, if it worked.
    Check(Option<&'a Value>),
}

/// A message and what came of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turn<'a> {
    pub(crate) message: String,
    pub(crate) selection: Vec<String>,
    /// Whether pictures came with it.
    pub(crate) pictures: bool,
    pub(crate) steps: Vec<Step<'a>>,
    /// The text it was answered with; none while it is worked on.
    pub(crate) answer: Option<String>,
    /// Whether the answer was cut off.
    pub(crate) interrupted: bool,
}

impl<'a> Turn<'a> {
    /// Whether calls were made that change the scene.
    pub(crate) fn has_acted(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Wave(_)))
    }

    /// Where the scene was looked at that was acted on: the last look before a call succeeded.
    fn basis(&self) -> Option<usize> {
        let succeeded = |step: &Step<'_>| match step {
            Step::Wave(results) => results.iter().any(|result| result.result.is_ok()),
            _ => false,
        };
        let end = self.steps.iter().position(succeeded).unwrap_or(self.steps.len());
        self.steps[..end].iter().rposition(|step| matches!(step, Step::Look(_)))
    }

    /// The scene as it was looked at.
    pub(crate) fn look(&self) -> Option<&'a Value> {
        match self.steps.get(self.basis()?)? {
            Step::Look(scene) => Some(scene),
            _ => None,
        }
    }

    /// The scene before anything was done.
    pub(crate) fn before(&self) -> Option<Scene> {
        Scene::from_json(self.look()?).ok()
    }

    /// How the calls after that look ended.
    pub(crate) fn results(&self) -> &[CallResult<'a>] {
        let after = self.basis().and_then(|at| self.steps.get(at..)).unwrap_or_default();
        let wave = after.iter().find_map(|step| match step {
            Step::Wave(results) => Some(results.as_slice()),
            _ => None,
        });
        wave.unwrap_or_default()
    }

    /// What was found when the scene was checked; null if that failed.
    pub(crate) fn check(&self) -> Option<&'a Value> {
        self.steps.iter().find_map(|step| match step {
            Step::Check(report) => Some(report.unwrap_or(&Value::Null)),
            _ => None,
        })
    }

    /// Whether it was stopped before anything was done.
    pub(crate) fn is_unfinished(&self) -> bool {
        let results = || {
            self.steps.iter().flat_map(|step| match step {
                Step::Wave(results) => results.as_slice(),
                _ => &[],
            })
        };
        (self.interrupted || results().any(CallResult::was_interrupted))
            && results().all(|result| result.result.is_err())
    }

    /// The ids of what was made or changed by whoever answered.
    pub(crate) fn touched(&self) -> Vec<String> {
        let mut ids: Vec<String> = Vec::new();
        for step in &self.steps {
            let Step::Wave(results) = step else { continue };
            for result in results.iter().filter(|result| result.result.is_ok()) {
                let id = result.args["updates"]["id"].as_str().or(result.args["id"].as_str());
                let Some(id) = id else { continue };
                if !ids.iter().any(|known| known == id) {
                    ids.push(id.to_owned());
                }
            }
        }
        ids
    }
}
