//! Authors and results of changes.

use scene::{Applied, Change, SceneManager, Violations};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The author of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The language model.
    Model,
    /// The user.
    User,
}

impl Author {
    /// The name of the author.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::User => "user",
        }
    }

    /// The author with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Model, Self::User].into_iter().find(|author| author.name() == name)
    }
}

/// The outcome of a change.
#[derive(Debug, Clone)]
pub struct Published {
    /// The author.
    pub by: Author,
    /// The applied edits.
    pub applied: Applied,
    /// Whether undo and redo are possible.
    pub steps: Steps,
}

/// The part of the scene that the model does not know yet.
#[derive(Debug, Clone)]
pub struct Untold {
    /// The changes since it last looked; `None` if that revision is no longer in memory.
    pub changes: Option<Vec<Change>>,
    /// The revision at which the active branch was selected; earlier context may belong to another
    /// branch.
    pub branch_start: u64,
}

/// The result of a tool call.
#[derive(Debug, Clone)]
pub struct Made {
    /// The object it created or changed; the ids if there are several.
    pub result: Value,
    /// Facts about the change: bounds, contacts, overlaps; `None` if there are none.
    pub facts: Option<Value>,
    /// The change.
    pub applied: Applied,
    /// Why a batch stopped early; the other fields describe the applied calls.
    pub stopped: Option<String>,
}

/// Whether there is something to undo and to redo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    /// Whether a change can be undone.
    pub can_undo: bool,
    /// Whether an undone change can be redone.
    pub can_redo: bool,
}

impl Steps {
    /// The possible steps of `manager`.
    pub fn of(manager: &SceneManager) -> Self {
        Self { can_undo: manager.can_undo(), can_redo: manager.can_redo() }
    }
}

/// A rejected edit of the user.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// It breaks the scene's rules.
    #[error(transparent)]
    Invalid(#[from] Violations),
    /// Someone else changed the same objects in the meantime.
    #[error("{0}")]
    Stale(Violations),
}
