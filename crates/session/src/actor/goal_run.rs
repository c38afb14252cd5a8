//! A run that works on a goal, and the check of the goal's criteria.

use goals::{Used, Verdict};
use tokio_util::task::AbortOnDropHandle;

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

/// A check of the goal's criteria that is going. Dropping it ends it.
pub(super) struct Judging {
    pub(super) verdicts: AbortOnDropHandle<Vec<Verdict>>,
    /// The criteria that are checked, and the revision of the scene.
    pub(super) texts: Vec<String>,
    pub(super) revision: u64,
    /// When it began.
    pub(super) began: tokio::time::Instant,
}

/// What a check found.
pub(super) struct Judged {
    pub(super) verdicts: Vec<Verdict>,
    pub(super) texts: Vec<String>,
    pub(super) revision: u64,
    pub(super) began: tokio::time::Instant,
}

/// Waits for the check; pending forever when there is none.
pub(super) async fn judged(judging: &mut Option<Judging>) -> Judged {
    let Some(Judging { verdicts, .. }) = judging else { return std::future::pending().await };
    // A check that panics has no verdicts, so its criteria stay unchecked.
    let verdicts = verdicts.await.unwrap_or_default();
    match judging.take() {
        Some(Judging { texts, revision, began, .. }) => Judged { verdicts, texts, revision, began },
        // It was there before.
        None => std::future::pending().await,
    }
}
