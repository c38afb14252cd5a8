//! What to do next for a goal.

use crate::budget::Limit;
use crate::change::GoalChange;
use crate::criterion::{Criterion, Verdict};
use crate::goal::{Goal, told};
use crate::plan::{Task, TaskStatus};
use crate::recovery::{MAX_REPLANS, Recovery, Tried};
use crate::status::GoalStatus;
use crate::task_end::TaskEnd;
use crate::variant_steps::VariantStep;
use crate::verify::Verify;

/// Requests for a plan before the plan is taken from the text.
const MAX_PLAN_ATTEMPTS: u32 = 3;
/// Rounds without progress before the goal ends.
const MAX_ROUNDS_WITHOUT_PROGRESS: u32 = 3;
/// How often the program may stop in the middle of a task before the task counts as failed.
const MAX_INTERRUPTIONS: u32 = 100;

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Nothing: it is over, paused, or waits for the user.
    Wait,
    /// A plan is needed. After too many requests that brought none it is taken from the text.
    Plan {
        /// Whether the model is to be asked.
        ask_model: bool,
    },
    /// The task with this id was cut off: what it did is taken back, and it begins anew.
    Recover(String),
    /// The task with this id is ready.
    Act(String),
    /// All tasks are over: the criteria of the goal are to be checked.
    Judge,
    /// A variant ended, and the next one begins.
    BeginVariant,
    /// All variants are made; this one is the best.
    ChooseVariant(u32),
    /// It ends.
    End(EndReason),
}

/// Why a goal ends without its criteria having been checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndReason {
    /// A limit of the budget was reached.
    Budget(Limit),
}

impl Goal {
    /// What to do next, when no task is being worked on. `can_plan` says whether the model makes plans.
    pub fn next_step(&self, can_plan: bool) -> Step {
        if !self.status.is_working() {
            return Step::Wait;
        }
        match self.variant_step() {
            Some(VariantStep::Begin) => return Step::BeginVariant,
            Some(VariantStep::Choose(best)) => return Step::ChooseVariant(best),
            None => {}
        }
        if let Some(limit) = self.budget.reached(&self.used) {
            return Step::End(EndReason::Budget(limit));
        }
        if self.status == GoalStatus::Planning {
            let ask_model = can_plan && self.plan_attempts < MAX_PLAN_ATTEMPTS;
            return Step::Plan { ask_model };
        }
        if let Some(task) = self.plan.in_progress() {
            return Step::Recover(task.id.clone());
        }
        match self.plan.ready().next() {
            Some(task) => Step::Act(task.id.clone()),
            None => Step::Judge,
        }
    }

    /// Ends it for a reason of [`Step::End`].
    pub fn end_for(&mut self, reason: EndReason) -> GoalChange {
        match reason {
            EndReason::Budget(limit) => self.end(GoalStatus::OutOfBudget, &limit.to_string()),
        }
    }

    /// The model cannot go on, and says why.
    pub fn block(&mut self, why: &str) -> GoalChange {
        self.end(GoalStatus::Blocked, why)
    }

    /// A request for a plan begins.
    pub fn plan_requested(&mut self) -> GoalChange {
        self.plan_attempts += 1;
        let why = match self.notes.last() {
            Some(note) => note.clone(),
            None => "there is no plan yet".into(),
        };
        GoalChange::Reflected { why }
    }

    /// Work on the task `id` begins at `revision` of the document; `None` if it is not ready.
    pub fn start_task(&mut self, id: &str, revision: u64) -> Option<GoalChange> {
        self.plan.ready().find(|task| task.id == id)?;
        let task = self.plan.task_mut(id)?;
        task.status = TaskStatus::InProgress;
        task.attempts += 1;
        task.began_at = Some(revision);
        Some(GoalChange::TaskStarted { task: id.to_owned(), attempt: task.attempts })
    }

    /// The task `id` is not necessary: what would make it so holds already.
    pub fn task_unnecessary(&mut self, id: &str) -> Option<GoalChange> {
        let task = self.plan.task_mut(id).filter(|task| task.status == TaskStatus::Pending)?;
        task.status = TaskStatus::Completed;
        let unless = task.unless.as_deref().unwrap_or_default();
        task.result = Some(format!("not necessary: '{unless}' holds already"));
        Some(GoalChange::TaskFinished { task: id.to_owned() })
    }

    /// The program stopped in the middle of the task `id`; it begins anew. This is no failed attempt.
    pub fn task_interrupted(&mut self, id: &str) -> Option<GoalChange> {
        let task = self.plan.task_mut(id).filter(|task| task.status == TaskStatus::InProgress)?;
        task.interruptions += 1;
        if task.interruptions < MAX_INTERRUPTIONS {
            task.attempts = task.attempts.saturating_sub(1);
            task.status = TaskStatus::Pending;
        } else {
            task.status = TaskStatus::Failed;
            task.error = Some("the program stopped in the middle of it again and again".into());
            self.plan.block_dependents();
        }
        Some(GoalChange::TaskInterrupted { task: id.to_owned() })
    }

    /// An attempt of the task `id` ended, and its criteria were checked. Returns what happened, in order.
    pub fn task_ended(&mut self, id: &str, end: TaskEnd, can_plan: bool) -> Vec<GoalChange> {
        let (may_ask, replans, questions) = (self.may_ask, self.replans, self.questions);
        let verify = self.verify;
        let Some(task) = self.plan.task_mut(id) else { return Vec::new() };
        take_verdicts(&mut task.criteria, &end.verdicts);
        let Some(error) = end.error(task, verify) else {
            task.status = TaskStatus::Completed;
            task.error = None;
            task.result = end.said;
            return vec![GoalChange::TaskFinished { task: id.to_owned() }];
        };
        task.error = Some(error.clone());
        let attempts = task.attempts;
        let tried =
            Tried { attempts, replans, questions, can_plan, may_ask, is_final: end.is_final };
        let recovery = Recovery::after(tried);
        let next = recovery.told().to_owned();
        let failed = GoalChange::TaskFailed { task: id.to_owned(), error: error.clone(), next };
        let mut changes = vec![failed];
        match recovery {
            Recovery::Retry | Recovery::OtherWay => task.status = TaskStatus::Pending,
            Recovery::Replan => {
                task.status = TaskStatus::Failed;
                changes.push(self.reflect(format!("task '{id}' did not work: {error}")));
            }
            Recovery::Ask => {
                task.status = TaskStatus::Pending;
                self.questions += 1;
                let question = format!("I could not do \"{}\": {error}. What shall I do?", {
                    self.plan.task(id).map_or("", |task| &task.description)
                });
                changes.extend(self.ask(&question, Some(id.to_owned())));
            }
            Recovery::GiveUp => {
                task.status = TaskStatus::Failed;
                self.plan.block_dependents();
            }
        }
        changes
    }

    /// The criteria of the goal were checked after the plan was worked off: it is completed if all hold.
    /// If not, the plan is changed, the user is asked, or it ends with what is unmet.
    pub fn judged(&mut self, verdicts: &[Verdict], can_plan: bool) -> Vec<GoalChange> {
        take_verdicts(&mut self.criteria, verdicts);
        self.rounds += 1;
        let unmet: Vec<String> = self.unmet().map(told).collect();
        let met = self.criteria.len() - unmet.len();
        let mut changes = vec![GoalChange::CriteriaChecked { met, unmet: unmet.clone() }];
        let failed: Vec<&Task> =
            self.plan.tasks().iter().filter(|task| is_lost(task.status)).collect();
        // Without criteria of its own a goal is what its tasks are.
        if unmet.is_empty() && (failed.is_empty() || !self.criteria.is_empty()) {
            changes.push(self.end(GoalStatus::Completed, "all criteria are met"));
            return changes;
        }
        let mut open = unmet;
        open.extend(failed.iter().map(|task| {
            let error = task.error.as_deref().unwrap_or("it did not work");
            format!("task '{}' ({error})", task.id)
        }));
        // What nobody can tell does not change by more work.
        let only_unknown = failed.is_empty() && self.unmet().all(Criterion::is_unknown);
        let fell = self.fewest_unmet.is_none_or(|fewest| open.len() < fewest);
        self.rounds_without_progress = if fell { 0 } else { self.rounds_without_progress + 1 };
        self.fewest_unmet = Some(self.fewest_unmet.map_or(open.len(), |few| few.min(open.len())));
        let why = open.join("; ");
        changes.push(if only_unknown {
            self.end(GoalStatus::Blocked, "the rest could not be checked")
        } else if self.verify == Verify::Off {
            self.end(GoalStatus::Failed, "it was not reached")
        } else if self.rounds_without_progress >= MAX_ROUNDS_WITHOUT_PROGRESS {
            let rounds = self.rounds_without_progress;
            self.end(GoalStatus::Failed, &format!("no progress in {rounds} rounds"))
        } else if can_plan && self.replans < MAX_REPLANS {
            self.reflect(format!("not reached yet: {why}"))
        } else if self.may_ask && self.questions < crate::recovery::MAX_QUESTIONS {
            self.questions += 1;
            let question = format!("Not reached yet: {why}. What shall I do?");
            match self.ask(&question, None) {
                Ok(asked) => asked,
                Err(_) => self.end(GoalStatus::Failed, "it was not reached"),
            }
        } else {
            self.end(GoalStatus::Failed, "nothing more can be tried")
        });
        changes
    }

    /// The plan is to be changed.
    fn reflect(&mut self, why: String) -> GoalChange {
        self.replans += 1;
        self.plan_attempts = 0;
        self.notes.push(why.clone());
        self.status = GoalStatus::Planning;
        GoalChange::Reflected { why }
    }

    /// Requests for a plan brought none: what was given up stays so, and the rest goes on.
    pub fn plan_not_changed(&mut self) -> GoalChange {
        self.plan.block_dependents();
        self.status = GoalStatus::Active;
        self.replans = MAX_REPLANS;
        GoalChange::PlanChanged {
            why: "no other plan was made; the rest of this one goes on".into(),
        }
    }
}

fn is_lost(status: TaskStatus) -> bool {
    matches!(status, TaskStatus::Failed | TaskStatus::Blocked)
}

fn take_verdicts(criteria: &mut [Criterion], verdicts: &[Verdict]) {
    for criterion in criteria {
        if let Some(verdict) = verdicts.iter().find(|verdict| verdict.text == criterion.text) {
            criterion.take(verdict);
        }
    }
}

impl Recovery {
    /// What follows, in words.
    fn told(self) -> &'static str {
        match self {
            Self::Retry => "it is tried again with what was found",
            Self::OtherWay => "it is tried in another way",
            Self::Replan => "the plan is changed",
            Self::Ask => "you are asked",
            Self::GiveUp => "it is given up",
        }
    }
}
