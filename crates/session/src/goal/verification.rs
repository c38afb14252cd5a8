//! What is verified of a task when its run has ended, still as a part of the run, so that it can be stopped.

use goals::{Criterion, Verdict};
use scene::diff;

use super::criteria::{Examination, Faults, faults_of};

/// What is verified of a task.
pub(crate) struct Verification {
    pub(crate) examination: Examination,
    pub(crate) criteria: Vec<Criterion>,
    /// The scene's faults before the task.
    pub(crate) before: Faults,
    /// The larger aim, and the task.
    pub(crate) objective: String,
    pub(crate) task: String,
    /// Whether a model looks at the picture if nothing else is wrong.
    pub(crate) looks: bool,
    /// The scene when the task began.
    pub(crate) scene: std::sync::Arc<scene::Scene>,
}

/// What was found.
pub(crate) struct Verified {
    /// The revision that was looked at.
    pub(crate) revision: u64,
    pub(crate) verdicts: Vec<Verdict>,
    /// Faults since the task began.
    pub(crate) faults: Faults,
    /// What the look found.
    pub(crate) seen: Vec<String>,
}

impl Verification {
    /// Checks criteria and faults of the scene as it is now, then looks.
    pub(crate) async fn done(self) -> Verified {
        let now = self.examination.scene.current();
        let faults = faults_of(&self.examination.report().await).since(&self.before);
        let verdicts = self.examination.check(self.criteria).await;
        let is_fine = faults.is_empty()
            && verdicts.iter().all(|verdict| verdict.unknown || verdict.found.is_none());
        let changes = diff(&self.scene, &now.scene);
        let seen = match &self.examination.eyes {
            Some(eyes) if self.looks && is_fine && !changes.is_empty() => {
                // Whole groups rather than their parts.
                let mut changed: Vec<String> = Vec::new();
                for change in changes.iter().filter(|change| change.after.is_some()) {
                    let after = change.after.as_ref();
                    let group = after.and_then(|thing| thing["group"].as_str()).map(str::to_owned);
                    let name = group.or_else(|| change.id.clone());
                    changed.extend(name.filter(|name| !changed.contains(name)));
                }
                eyes.findings(&self.objective, &self.task, &changed).await
            }
            _ => Vec::new(),
        };
        Verified { revision: now.number, verdicts, faults, seen }
    }
}
