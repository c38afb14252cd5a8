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

/// What happened, in order.
#[derive(Debug, Clone)]
pub(crate) enum Step<'a> {
    /// The scene was looked at.
    Look(&'a Value),
    /// Looking failed; the error.
    Blind(String),
    /// Calls that change the scene.
    Wave(Vec<CallResult<'a>>),
    /// The scene was looked over for mistakes.
    Check,
}

/// A message and what came of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turn<'a> {
    pub(crate) message: String,
    pub(crate) selection: Vec<String>,
    pub(crate) steps: Vec<Step<'a>>,
    /// The text it was answered with; none while it is worked on.
    pub(crate) answer: Option<String>,
}

impl<'a> Turn<'a> {
    /// Whether calls were made that change the scene.
    pub(crate) fn has_acted(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Wave(_)))
    }

    /// The scene as it was first looked at.
    pub(crate) fn look(&self) -> Option<&'a Value> {
        self.steps.iter().find_map(|step| match step {
            Step::Look(scene) => Some(*scene),
            _ => None,
        })
    }

    /// The scene before anything was done.
    pub(crate) fn before(&self) -> Option<Scene> {
        Scene::from_json(self.look()?).ok()
    }
}
