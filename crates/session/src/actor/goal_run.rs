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
    let Some(Judging { verdicts, texts, .. }) = judging else {
        return std::future::pending().await;
    };
    let verdicts = verdicts.await.unwrap_or_else(|panic| {
        tracing::error!(%panic, "the check of a goal panicked");
        texts.iter().map(|text| unchecked(text)).collect()
    });
    match judging.take() {
        Some(Judging { texts, revision, began, .. }) => Judged { verdicts, texts, revision, began },
        // It was there before.
        None => std::future::pending().await,
    }
}

/// What is not known to hold does not count as reached.
fn unchecked(criterion: &str) -> Verdict {
    let why = "it could not be checked; the log of the server says more";
    Verdict { text: criterion.to_owned(), found: Some(why.to_owned()), unknown: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_check_that_panics_leaves_its_criteria_open() {
        let check = tokio::spawn(async { panic!("on purpose") });
        let mut judging = Some(Judging {
            verdicts: AbortOnDropHandle::new(check),
            texts: vec!["a ball".into(), "a box".into()],
            revision: 3,
            began: tokio::time::Instant::now(),
        });
        let judged = judged(&mut judging).await;
        assert_eq!((judged.revision, judging.is_none()), (3, true));
        let open = judged.verdicts.iter().map(|verdict| (&*verdict.text, verdict.unknown));
        assert_eq!(open.collect::<Vec<_>>(), [("a ball", true), ("a box", true)]);
        assert!(judged.verdicts.iter().all(|verdict| verdict.found.is_some()));
    }
}
