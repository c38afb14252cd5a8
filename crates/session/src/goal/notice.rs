//! What the chat shows of a goal.

use goals::{Goal, GoalChange, GoalStatus};

/// The sentence about a change in the chat; `None` for what the goal itself shows well enough.
pub(crate) fn notice(change: &GoalChange, goal: &Goal) -> Option<String> {
    let tasks = goal.plan.tasks();
    let numbered = |id: &str| {
        let at = tasks.iter().position(|task| task.id == id)?;
        Some((at + 1, &tasks[at]))
    };
    Some(match change {
        GoalChange::Set => format!("Goal: {}", goal.objective),
        GoalChange::PlanChanged { why } => match tasks.len() {
            1 => format!("Plan of one task: {why}."),
            count => format!("Plan of {count} tasks: {why}."),
        },
        GoalChange::TaskStarted { task, attempt } => {
            let (number, task) = numbered(task)?;
            let again = if *attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
            format!("Task {number} of {}{again}: {}", tasks.len(), task.request())
        }
        GoalChange::TaskFailed { task, error, next } => {
            format!("Task '{task}' did not work: {error}; {next}.")
        }
        GoalChange::TaskInterrupted { task } => {
            format!("Task '{task}' was cut off; it begins anew.")
        }
        GoalChange::CriteriaChecked { met, unmet } => {
            let all = met + unmet.len();
            match unmet.as_slice() {
                [] if all == 0 => return None,
                [] if all == 1 => "The criterion is met.".into(),
                [] => format!("All {all} criteria are met."),
                [unmet] if all == 1 => format!("The criterion is not met: {unmet}."),
                unmet => format!("{met} of {all} criteria are met; unmet: {}.", unmet.join("; ")),
            }
        }
        GoalChange::Reflected { why } => format!("Thinking the plan over: {why}."),
        GoalChange::Asked { question } => question.clone(),
        GoalChange::Paused { why: Some(why) } => format!("The goal is paused: {why}"),
        GoalChange::Paused { why: None } => "The goal is paused.".into(),
        GoalChange::Resumed => "The goal goes on.".into(),
        GoalChange::VariantFinished { number, status, reason } => {
            format!("Variant {number} of {} ended ({}): {reason}.", count(goal), status.name())
        }
        GoalChange::VariantStarted { number } => {
            format!("Variant {number} of {}: {}", count(goal), goal.objective)
        }
        GoalChange::VariantChosen { number } => {
            format!("This is variant {number} of {}; the others stay as branches.", count(goal))
        }
        GoalChange::Finished { status: GoalStatus::Completed, reason } => {
            format!("The goal is reached: {reason}.")
        }
        GoalChange::Finished { status, reason } => {
            format!("The goal is not reached ({}): {reason}.", status.name())
        }
        GoalChange::TaskFinished { .. } | GoalChange::Answered { .. } | GoalChange::Edited => {
            return None;
        }
    })
}

/// How many variants there are.
fn count(goal: &Goal) -> u32 {
    goal.variants.as_ref().map_or(1, |variants| variants.plan.count)
}
