//! A run that works on a goal.

use goals::Used;

use crate::goal::Faults;

/// What the current run is for.
pub(super) struct GoalRun {
    /// The task; `None` for a plan.
    pub(super) task: Option<String>,
    /// The scene's faults before.
    pub(super) faults: Faults,
    /// What the run has used so far.
    pub(super) used: Used,
    /// When it began.
    pub(super) began: tokio::time::Instant,
    /// The last answer of the model.
    pub(super) said: String,
}

impl GoalRun {
    pub(super) fn new(task: Option<String>, faults: Faults) -> Self {
        let (used, began) = (Used::default(), tokio::time::Instant::now());
        Self { task, faults, used, began, said: String::new() }
    }
}
