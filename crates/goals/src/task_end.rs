//! How an attempt of a task ended.

use crate::criterion::Verdict;
use crate::plan::Task;
use crate::verify::Verify;

/// How an attempt of a task ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskEnd {
    /// The outcome of each of its criteria.
    pub verdicts: Vec<Verdict>,
    /// New likely mistakes since it began.
    pub findings: Vec<String>,
    /// Why the work ended without a result, e.g. an error of the provider.
    pub broke_off: Option<String>,
    /// Why the model says that it cannot be done.
    pub reported: Option<String>,
    /// Whether trying again cannot help.
    pub is_final: bool,
    /// What the model said at its end.
    pub said: Option<String>,
}

impl TaskEnd {
    /// What is wrong; `None` when the task is done. What the model claims does not count: only its
    /// criteria do, or that it ended in order if it has none.
    pub(crate) fn error(&self, task: &Task, verify: Verify) -> Option<String> {
        let stopped = || self.broke_off.iter().chain(&self.reported).cloned();
        if verify == Verify::Off {
            return stopped().next();
        }
        let checked = |text: &str| self.verdicts.iter().find(|verdict| verdict.text == text);
        let mut wrong: Vec<String> = Vec::new();
        for criterion in &task.criteria {
            match checked(&criterion.text) {
                // What nobody can tell is told at the end; trying again does not help.
                Some(Verdict { found: None, .. } | Verdict { unknown: true, .. }) => {}
                Some(Verdict { found: Some(found), .. }) => {
                    wrong.push(format!("'{}' does not hold: {found}", criterion.text));
                }
                None => wrong.push(format!("'{}' was not checked", criterion.text)),
            }
        }
        wrong.extend(self.findings.iter().cloned());
        // Work that was cut off may still have reached what was asked.
        if wrong.is_empty() && !task.criteria.is_empty() {
            return None;
        }
        let all: Vec<String> = stopped().chain(wrong).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}
