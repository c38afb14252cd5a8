//! Conversion of goals between the wire and the domain.

use goals::{Budget, Goal, GoalChange, GoalEdit, GoalStatus, Source, Task, TaskStatus, WantedTask};
use protocol as wire;
use session::StartGoal;

/// A goal for clients.
pub(crate) fn goal(goal: Goal) -> wire::Goal {
    let Goal {
        id,
        objective,
        workflow,
        status,
        criteria,
        plan,
        budget,
        used,
        question,
        reason,
        may_ask,
        ..
    } = goal;
    wire::Goal {
        id,
        objective,
        workflow,
        status: status_of(status),
        criteria: criteria.into_iter().map(criterion).collect(),
        tasks: plan.tasks().iter().cloned().map(task).collect(),
        budget: wire::GoalBudget {
            turns: budget.turns,
            tokens: budget.tokens,
            seconds: budget.seconds,
            tool_calls: budget.tool_calls,
        },
        used: wire::GoalUsage {
            turns: used.turns,
            tokens: used.tokens,
            seconds: used.milliseconds as f64 / 1e3,
            tool_calls: used.tool_calls,
        },
        question: question
            .map(|question| wire::GoalQuestion { text: question.text, task: question.task }),
        reason,
        may_ask,
    }
}

/// What happened to a goal, for clients.
pub(crate) fn change(change: GoalChange) -> wire::GoalChange {
    match change {
        GoalChange::Set => wire::GoalChange::Set,
        GoalChange::PlanChanged { why } => wire::GoalChange::PlanChanged { why },
        GoalChange::TaskStarted { task, attempt } => {
            wire::GoalChange::TaskStarted { task, attempt }
        }
        GoalChange::TaskFinished { task } => wire::GoalChange::TaskFinished { task },
        GoalChange::TaskFailed { task, error, next } => {
            wire::GoalChange::TaskFailed { task, error, next }
        }
        GoalChange::TaskInterrupted { task } => wire::GoalChange::TaskInterrupted { task },
        GoalChange::CriteriaChecked { met, unmet } => {
            wire::GoalChange::CriteriaChecked { met, unmet }
        }
        GoalChange::Reflected { why } => wire::GoalChange::Reflected { why },
        GoalChange::Asked { question } => wire::GoalChange::Asked { question },
        GoalChange::Answered { answer } => wire::GoalChange::Answered { answer },
        GoalChange::Paused { why } => wire::GoalChange::Paused { why },
        GoalChange::Resumed => wire::GoalChange::Resumed,
        GoalChange::Edited => wire::GoalChange::Edited,
        GoalChange::Finished { status, reason } => {
            wire::GoalChange::Finished { status: status_of(status), reason }
        }
    }
}

/// A goal that a client sets.
pub(crate) fn start(request: wire::GoalRequest) -> StartGoal {
    let wire::GoalRequest { objective, criteria, workflow, parameters, budget, may_ask } = request;
    let budget = budget.map(budget_of);
    StartGoal { objective, criteria, workflow, parameters, budget, may_ask }
}

/// What a client changes of a goal.
pub(crate) fn edit(edit: wire::GoalEdit) -> GoalEdit {
    let wire::GoalEdit { objective, criteria, budget, tasks, skip } = edit;
    let wanted = |task: wire::GoalTaskRequest| WantedTask {
        id: task.id,
        description: task.description,
        otherwise: None,
        unless: None,
        mend: false,
        depends_on: task.depends_on,
        criteria: task.criteria,
    };
    GoalEdit {
        objective,
        criteria,
        budget: budget.map(budget_of),
        tasks: tasks.map(|tasks| tasks.into_iter().map(wanted).collect()),
        skip,
    }
}

fn budget_of(budget: wire::GoalBudget) -> Budget {
    let wire::GoalBudget { turns, tokens, seconds, tool_calls } = budget;
    Budget { turns, tokens, seconds, tool_calls }
}

fn criterion(criterion: goals::Criterion) -> wire::GoalCriterion {
    let goals::Criterion { text, source, met, found } = criterion;
    let source = match source {
        Source::User => wire::GoalSource::User,
        Source::Model => wire::GoalSource::Model,
        Source::Workflow => wire::GoalSource::Workflow,
    };
    wire::GoalCriterion { text, source, met, found }
}

fn task(task: Task) -> wire::GoalTask {
    let Task { id, description, depends_on, status, criteria, result, error, attempts, .. } = task;
    let status = match status {
        TaskStatus::Pending => wire::GoalTaskStatus::Pending,
        TaskStatus::InProgress => wire::GoalTaskStatus::InProgress,
        TaskStatus::Completed => wire::GoalTaskStatus::Completed,
        TaskStatus::Failed => wire::GoalTaskStatus::Failed,
        TaskStatus::Blocked => wire::GoalTaskStatus::Blocked,
        TaskStatus::Skipped => wire::GoalTaskStatus::Skipped,
    };
    let criteria = criteria.into_iter().map(criterion).collect();
    wire::GoalTask { id, description, depends_on, status, criteria, result, error, attempts }
}

fn status_of(status: GoalStatus) -> wire::GoalStatus {
    match status {
        GoalStatus::Planning => wire::GoalStatus::Planning,
        GoalStatus::Active => wire::GoalStatus::Active,
        GoalStatus::WaitingForUser => wire::GoalStatus::WaitingForUser,
        GoalStatus::Paused => wire::GoalStatus::Paused,
        GoalStatus::Completed => wire::GoalStatus::Completed,
        GoalStatus::Failed => wire::GoalStatus::Failed,
        GoalStatus::Blocked => wire::GoalStatus::Blocked,
        GoalStatus::OutOfBudget => wire::GoalStatus::OutOfBudget,
        GoalStatus::Cancelled => wire::GoalStatus::Cancelled,
    }
}
