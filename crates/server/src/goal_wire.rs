//! Conversion of goals between the wire and the domain.

use goals::{
    Budget, Goal, GoalChange, GoalEdit, GoalStatus, Source, Task, TaskStatus, Used, Variants,
    Verify, WantedTask,
};
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
        verify,
        variants,
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
        used: usage(used),
        question: question
            .map(|question| wire::GoalQuestion { text: question.text, task: question.task }),
        reason,
        may_ask,
        verify: match verify {
            Verify::Off => wire::GoalVerify::Off,
            Verify::Computed => wire::GoalVerify::Computed,
            Verify::Pictures => wire::GoalVerify::Pictures,
        },
        variants: variants.map(|variants| of_variants(*variants)),
    }
}

fn usage(used: Used) -> wire::GoalUsage {
    wire::GoalUsage {
        turns: used.turns,
        tokens: used.tokens,
        seconds: used.milliseconds as f64 / 1e3,
        tool_calls: used.tool_calls,
    }
}

fn of_variants(variants: Variants) -> wire::GoalVariants {
    let models = variants.plan.models.clone();
    let model = |number: u32| models.get((number as usize - 1) % models.len().max(1)).cloned();
    let ranked = variants.ranked();
    let mut made: Vec<wire::GoalVariant> = variants
        .made
        .into_iter()
        .map(|variant| wire::GoalVariant {
            number: variant.number,
            branch: variant.branch,
            revision: variant.revision,
            model: model(variant.number),
            status: status_of(variant.status),
            reason: variant.reason,
            criteria: variant.criteria.into_iter().map(criterion).collect(),
            faults: variant.faults,
            used: usage(variant.used),
        })
        .collect();
    made.sort_by_key(|variant| ranked.iter().position(|number| *number == variant.number));
    let (current, chosen) = (variants.current, variants.chosen);
    wire::GoalVariants { count: variants.plan.count, current, chosen, made }
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
        GoalChange::VariantFinished { number, status, reason } => {
            wire::GoalChange::VariantFinished { number, status: status_of(status), reason }
        }
        GoalChange::VariantStarted { number } => wire::GoalChange::VariantStarted { number },
        GoalChange::VariantChosen { number } => wire::GoalChange::VariantChosen { number },
        GoalChange::Finished { status, reason } => {
            wire::GoalChange::Finished { status: status_of(status), reason }
        }
    }
}

/// A goal that a client sets.
pub(crate) fn start(request: wire::GoalRequest) -> StartGoal {
    let wire::GoalRequest {
        objective,
        criteria,
        workflow,
        parameters,
        budget,
        may_ask,
        verify,
        variants,
        models,
    } = request;
    // One is what there is without any.
    let variants = variants.unwrap_or(1);
    let budget = budget.map(budget_of);
    let verify = match verify {
        wire::GoalVerify::Off => Verify::Off,
        wire::GoalVerify::Computed => Verify::Computed,
        wire::GoalVerify::Pictures => Verify::Pictures,
    };
    StartGoal {
        objective,
        criteria,
        workflow,
        parameters,
        budget,
        may_ask,
        verify,
        variants,
        models,
    }
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
