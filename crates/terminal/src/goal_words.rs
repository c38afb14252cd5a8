//! A goal in words: how it stands, its tasks and its criteria, one line each.

use protocol::{Goal, GoalChange, GoalCriterion, GoalStatus, GoalTask, GoalTaskStatus};

use crate::spans::clean;

/// Whether nothing is done for the goal any more.
pub(crate) fn is_over(status: GoalStatus) -> bool {
    !matches!(
        status,
        GoalStatus::Planning | GoalStatus::Active | GoalStatus::WaitingForUser | GoalStatus::Paused
    )
}

/// How it stands.
pub(crate) fn status(goal: &Goal) -> String {
    let done = |task: &&GoalTask| task.status == GoalTaskStatus::Completed;
    let (done, all) = (goal.tasks.iter().filter(done).count(), goal.tasks.len());
    match goal.status {
        GoalStatus::Planning => "makes a plan".into(),
        GoalStatus::Active => format!("{done} of {all} tasks done"),
        GoalStatus::WaitingForUser => "waits for your answer".into(),
        GoalStatus::Paused => format!("paused, {done} of {all} tasks done"),
        GoalStatus::Completed => "reached".into(),
        GoalStatus::Failed => "not reached".into(),
        GoalStatus::Blocked => "blocked".into(),
        GoalStatus::OutOfBudget => "out of budget".into(),
        GoalStatus::Cancelled => "ended by the user".into(),
    }
}

/// A task, with a mark for its status.
pub(crate) fn task(task: &GoalTask) -> String {
    let mark = match task.status {
        GoalTaskStatus::Pending => " ",
        GoalTaskStatus::InProgress => ">",
        GoalTaskStatus::Completed => "x",
        GoalTaskStatus::Failed => "!",
        GoalTaskStatus::Blocked => "-",
        GoalTaskStatus::Skipped => "~",
    };
    let after = match task.depends_on.as_slice() {
        [] => String::new(),
        ids => format!(" (after {})", ids.join(", ")),
    };
    clean(&format!("[{mark}] {}: {}{after}", task.id, task.description))
}

/// A criterion, with a mark if it holds, and what was found instead if it does not.
pub(crate) fn criterion(GoalCriterion { text, met, found, .. }: &GoalCriterion) -> String {
    let mark = if *met == Some(true) { "x" } else { " " };
    let found = found.as_deref().map(|found| format!(" ({found})")).unwrap_or_default();
    clean(&format!("[{mark}] {text}{found}"))
}

/// What happened: the notice, and tasks that changed by it.
pub(crate) fn news(change: &GoalChange, notice: Option<&str>, goal: &Goal) -> Vec<String> {
    let mut lines: Vec<String> = notice.into_iter().map(clean).collect();
    let is_news = |one: &&GoalTask| match change {
        GoalChange::PlanChanged { .. } => true,
        GoalChange::TaskFinished { task } => one.id == *task,
        _ => false,
    };
    lines.extend(goal.tasks.iter().filter(is_news).map(|one| format!("  {}", task(one))));
    lines
}

/// All of it.
pub(crate) fn whole(goal: &Goal) -> Vec<String> {
    let mut lines = vec![clean(&format!("goal: {} ({})", goal.objective, status(goal)))];
    lines.extend(goal.tasks.iter().map(|one| format!("  {}", task(one))));
    if !goal.criteria.is_empty() {
        lines.push("criteria:".into());
        lines.extend(goal.criteria.iter().map(|one| format!("  {}", criterion(one))));
    }
    if let Some(question) = &goal.question {
        lines.push(clean(&format!("question: {} (your next message answers it)", question.text)));
    }
    lines
}

/// The tasks that matter most now, at most `count` of them: what is being done, and what is around it.
pub(crate) fn window(tasks: &[GoalTask], count: usize) -> &[GoalTask] {
    let is_open = |task: &GoalTask| {
        matches!(task.status, GoalTaskStatus::InProgress | GoalTaskStatus::Pending)
    };
    let now = tasks.iter().position(is_open).unwrap_or(tasks.len());
    // One that is done stays above it, if there is room.
    let start = now.saturating_sub(1).min(tasks.len().saturating_sub(count));
    &tasks[start..tasks.len().min(start + count)]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tasks(done: usize, all: usize) -> Vec<GoalTask> {
        let one = |index: usize| {
            let status = if index < done { "completed" } else { "pending" };
            serde_json::from_value(json!({ "id": format!("t{index}"), "description": "do it",
                "depends_on": if index == 0 { vec![] } else { vec![format!("t{}", index - 1)] },
                "status": status, "criteria": [], "attempts": 0 }))
            .unwrap()
        };
        (0..all).map(one).collect()
    }

    #[test]
    fn a_task_in_a_line() {
        let tasks = tasks(1, 2);
        assert_eq!(task(&tasks[0]), "[x] t0: do it");
        assert_eq!(task(&tasks[1]), "[ ] t1: do it (after t0)");
    }

    #[test]
    fn the_window_is_around_what_is_done_now() {
        let ids = |done, all, count| -> Vec<String> {
            window(&tasks(done, all), count).iter().map(|task| task.id.clone()).collect()
        };
        assert_eq!(ids(0, 5, 3), ["t0", "t1", "t2"]);
        assert_eq!(ids(3, 6, 3), ["t2", "t3", "t4"]);
        assert_eq!(ids(6, 6, 3), ["t3", "t4", "t5"]);
        assert_eq!(ids(1, 2, 9), ["t0", "t1"]);
        assert!(ids(1, 2, 0).is_empty() && ids(0, 0, 3).is_empty());
    }
}
