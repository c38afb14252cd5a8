//! Ways through the undo stack.

use scene::Step;
use serde::{Deserialize, Serialize};

/// A way through the undo stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryStep {
    /// The last step was taken back.
    Undo,
    /// What was taken back was made again.
    Redo,
}

impl HistoryStep {
    /// `None` for a step that is new.
    pub(crate) fn of(step: Step) -> Option<Self> {
        match step {
            Step::Do | Step::More => None,
            Step::Undo => Some(Self::Undo),
            Step::Redo => Some(Self::Redo),
        }
    }
}
