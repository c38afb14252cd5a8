//! A goal: what is to be reached, how far it is, and what the user does to it.

use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Used};
use crate::change::GoalChange;
use crate::criterion::{Criteria, Criterion, Source, add_all};
use crate::plan::{Plan, PlanError, TaskStatus, WantedTask};
use crate::status::GoalStatus;
use crate::variants::Variants;
use crate::verify::Verify;

/// The longest objective in characters.
const MAX_OBJECTIVE: usize = 8_000;

/// A question to the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// What is asked.
    pub text: String,
    /// The task it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
}

/// A goal and how far it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// Unique in the session.
    pub id: String,
    /// What the user wants.
    pub objective: String,
    /// The workflow its plan comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// Its status.
    pub status: GoalStatus,
    /// What has to hold at the end.
    pub criteria: Vec<Criterion>,
    /// The plan; empty while there is none.
    pub plan: Plan,
    /// How much it may use.
    pub budget: Budget,
    /// What it has used.
    pub used: Used,
    /// The question that waits for the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// Why it ended or was paused, with what is unmet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether somebody is there to answer questions.
    pub may_ask: bool,
    /// How its work is verified.
    #[serde(default)]
    pub verify: Verify,
    /// The document's revision when it was set: criteria that compare do so with it.
    pub began_at: u64,
    /// How often its criteria were checked after the plan was worked off.
    #[serde(default)]
    pub rounds: u32,
    /// Rounds in which the number of unmet criteria did not fall.
    #[serde(default)]
    pub rounds_without_progress: u32,
    /// The lowest number of unmet criteria so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fewest_unmet: Option<usize>,
    /// Changes of the plan because of failures.
    #[serde(default)]
    pub replans: u32,
    /// Questions because of failures.
    #[serde(default)]
    pub questions: u32,
    /// Requests for a plan that brought none.
    #[serde(default)]
    pub plan_attempts: u32,
    /// Its variants, if it is worked on several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<Box<Variants>>,
    /// What the planner has to know: refusals, findings, answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A goal as the user sets it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewGoal {
    /// Unique in the session.
    pub id: String,
    /// What the user wants.
    pub objective: String,
    /// What has to hold at the end.
    pub criteria: Vec<String>,
    /// How much it may use; without it [`Budget::default`].
    pub budget: Option<Budget>,
    /// Whether somebody is there to answer questions.
    pub may_ask: bool,
    /// How its work is verified.
    pub verify: Verify,
    /// The document's revision.
    pub began_at: u64,
}

/// What the user changes of a goal; what is left out stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoalEdit {
    /// Another objective.
    pub objective: Option<String>,
    /// All criteria anew: those not among them are taken back.
    pub criteria: Option<Vec<String>>,
    /// Another budget.
    pub budget: Option<Budget>,
    /// The plan anew; completed tasks stay.
    pub tasks: Option<Vec<WantedTask>>,
    /// Ids of tasks to leave out.
    pub skip: Vec<String>,
}

/// Why a goal cannot be set or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GoalError {
    /// The objective is missing or too long.
    #[error("'objective' must have 1 to {MAX_OBJECTIVE} characters: say what you want to have")]
    Objective,
    /// A criterion cannot be used.
    #[error("{0}")]
    Criterion(String),
    /// The budget cannot be used.
    #[error("{0}")]
    Budget(String),
    /// The plan cannot be used.
    #[error("{0}")]
    Plan(#[from] PlanError),
    /// Its variants cannot be so.
    #[error("{0}")]
    Variants(String),
    /// There is no such task.
    #[error("there is no task '{0}' in the plan")]
    UnknownTask(String),
    /// The task is over or under way.
    #[error("task '{task}' is {status}; only tasks that were not begun can be left out")]
    NotPending {
        /// The task.
        task: String,
        /// Its status.
        status: &'static str,
    },
    /// The goal's status does not allow it.
    #[error("the goal is {status}, so it cannot be {wanted}")]
    Status {
        /// Its status.
        status: &'static str,
        /// What was asked.
        wanted: &'static str,
    },
}

impl Goal {
    /// A goal without a plan.
    pub fn new(wanted: NewGoal, by: &dyn Criteria) -> Result<Self, GoalError> {
        let mut criteria = Vec::new();
        add_all(&mut criteria, &wanted.criteria, Source::User, by).map_err(GoalError::Criterion)?;
        let budget = wanted.budget.unwrap_or_default();
        budget.check().map_err(GoalError::Budget)?;
        Ok(Self {
            id: wanted.id,
            objective: objective(&wanted.objective)?,
            workflow: None,
            status: GoalStatus::Planning,
            criteria,
            plan: Plan::default(),
            budget,
            used: Used::default(),
            question: None,
            reason: None,
            may_ask: wanted.may_ask,
            verify: wanted.verify,
            began_at: wanted.began_at,
            rounds: 0,
            rounds_without_progress: 0,
            fewest_unmet: None,
            replans: 0,
            questions: 0,
            plan_attempts: 0,
            variants: None,
            notes: Vec::new(),
        })
    }

    /// The criteria that did not hold when they were last checked, or were not checked yet.
    pub fn unmet(&self) -> impl Iterator<Item = &Criterion> {
        self.criteria.iter().filter(|criterion| !criterion.is_met())
    }

    /// Gives it a plan, or another one, and more criteria. Criteria are only added here: no plan weakens
    /// them.
    pub fn set_plan(
        &mut self,
        tasks: &[WantedTask],
        criteria: &[String],
        source: Source,
        why: &str,
        by: &dyn Criteria,
    ) -> Result<GoalChange, GoalError> {
        let mut all = self.criteria.clone();
        add_all(&mut all, criteria, source, by).map_err(GoalError::Criterion)?;
        self.plan = self.plan.replaced(tasks, source, by)?;
        self.criteria = all;
        self.notes.clear();
        self.plan_attempts = 0;
        if self.status == GoalStatus::Planning {
            self.status = GoalStatus::Active;
        }
        Ok(GoalChange::PlanChanged { why: why.to_owned() })
    }

    /// Pauses it. `why` tells it if not the user did.
    pub fn pause(&mut self, why: Option<String>) -> Result<GoalChange, GoalError> {
        if self.status.is_over() || self.status == GoalStatus::Paused {
            return Err(GoalError::Status { status: self.status.name(), wanted: "paused" });
        }
        self.status = GoalStatus::Paused;
        self.reason.clone_from(&why);
        Ok(GoalChange::Paused { why })
    }

    /// Goes on with a paused goal, or with one that ended short of completion: with a new budget, a new
    /// plan or after edits by hand.
    pub fn resume(&mut self) -> Result<GoalChange, GoalError> {
        let goes_on = matches!(
            self.status,
            GoalStatus::Paused | GoalStatus::Failed | GoalStatus::Blocked | GoalStatus::OutOfBudget
        );
        if !goes_on {
            return Err(GoalError::Status { status: self.status.name(), wanted: "resumed" });
        }
        if let Some(limit) = self.budget.reached(&self.used) {
            return Err(GoalError::Budget(format!("{limit}; give it a larger budget first")));
        }
        if self.status.is_over() {
            self.plan.reopen();
            self.rounds_without_progress = 0;
            self.fewest_unmet = None;
            self.replans = 0;
            self.questions = 0;
        }
        self.reason = None;
        self.status = match (&self.question, self.plan.tasks()) {
            (Some(_), _) => GoalStatus::WaitingForUser,
            (None, []) => GoalStatus::Planning,
            (None, _) => GoalStatus::Active,
        };
        Ok(GoalChange::Resumed)
    }

    /// Ends it for the user.
    pub fn cancel(&mut self) -> Result<GoalChange, GoalError> {
        if self.status.is_over() {
            return Err(GoalError::Status { status: self.status.name(), wanted: "cancelled" });
        }
        Ok(self.end(GoalStatus::Cancelled, "you ended it"))
    }

    /// Changes it for the user, who alone may take criteria back. All or nothing.
    pub fn edit(&mut self, edit: &GoalEdit, by: &dyn Criteria) -> Result<GoalChange, GoalError> {
        if matches!(self.status, GoalStatus::Completed | GoalStatus::Cancelled) {
            return Err(GoalError::Status { status: self.status.name(), wanted: "edited" });
        }
        let mut edited = self.clone();
        if let Some(text) = &edit.objective {
            edited.objective = objective(text)?;
        }
        if let Some(texts) = &edit.criteria {
            let mut criteria = Vec::new();
            add_all(&mut criteria, texts, Source::User, by).map_err(GoalError::Criterion)?;
            // One that stays keeps who set it and what was found.
            for criterion in &mut criteria {
                let before = self.criteria.iter().find(|before| before.text == criterion.text);
                *criterion = before.unwrap_or(criterion).clone();
            }
            edited.criteria = criteria;
            edited.fewest_unmet = None;
        }
        if let Some(budget) = edit.budget {
            budget.check().map_err(GoalError::Budget)?;
            edited.budget = budget;
        }
        if let Some(tasks) = &edit.tasks {
            edited.set_plan(tasks, &[], Source::User, "you changed it", by)?;
        }
        for id in &edit.skip {
            let task =
                edited.plan.task_mut(id).ok_or_else(|| GoalError::UnknownTask(id.clone()))?;
            if !matches!(
                task.status,
                TaskStatus::Pending | TaskStatus::Blocked | TaskStatus::Failed
            ) {
                let status = task_status_name(task.status);
                return Err(GoalError::NotPending { task: id.clone(), status });
            }
            task.status = TaskStatus::Skipped;
        }
        *self = edited;
        Ok(GoalChange::Edited)
    }

    /// Asks the user. The work stops until the answer.
    pub fn ask(&mut self, text: &str, task: Option<String>) -> Result<GoalChange, GoalError> {
        if !self.status.is_working() {
            return Err(GoalError::Status { status: self.status.name(), wanted: "asked about" });
        }
        self.status = GoalStatus::WaitingForUser;
        self.question = Some(Question { text: text.to_owned(), task });
        Ok(GoalChange::Asked { question: text.to_owned() })
    }

    /// Takes the user's answer to the question; `None` when no question waits.
    pub fn answer(&mut self, text: &str) -> Option<GoalChange> {
        if self.status != GoalStatus::WaitingForUser {
            return None;
        }
        let question = self.question.take()?;
        self.notes.push(format!("you asked: {}; the user answered: {text}", question.text));
        match question.task.and_then(|id| self.plan.task_mut(&id)) {
            Some(task) => {
                task.attempts = match task.status {
                    // A question in the middle of a task is no failed attempt.
                    TaskStatus::InProgress => task.attempts.saturating_sub(1),
                    _ => 0,
                };
                task.status = TaskStatus::Pending;
                task.answer = Some(text.to_owned());
            }
            None => self.plan.add_answer(text),
        }
        self.status = match self.plan.tasks() {
            [] => GoalStatus::Planning,
            _ => GoalStatus::Active,
        };
        Some(GoalChange::Answered { answer: text.to_owned() })
    }

    /// Counts what was used.
    pub fn spend(&mut self, more: Used) {
        self.used = self.used.plus(more);
    }

    /// Ends it. The reason tells what is unmet.
    pub(crate) fn end(&mut self, status: GoalStatus, why: &str) -> GoalChange {
        let unmet: Vec<String> = self.unmet().map(told).collect();
        let reason = match (status, unmet.as_slice()) {
            (GoalStatus::Completed, _) | (_, []) => why.to_owned(),
            _ => format!("{why}; unmet: {}", unmet.join("; ")),
        };
        self.status = status;
        self.question = None;
        self.reason = Some(reason.clone());
        // A task that was under way is not done; a goal that goes on later begins it anew.
        self.plan.lay_down();
        match self.keep_variant(status, &reason) {
            Some(change) => change,
            None => GoalChange::Finished { status, reason },
        }
    }
}

/// A criterion with what was found instead.
pub(crate) fn told(criterion: &Criterion) -> String {
    match (&criterion.found, criterion.met) {
        (Some(found), None) => format!("'{}' (nobody could tell: {found})", criterion.text),
        (Some(found), _) => format!("'{}' ({found})", criterion.text),
        (None, None) => format!("'{}' (not checked)", criterion.text),
        (None, Some(_)) => format!("'{}'", criterion.text),
    }
}

pub(crate) fn task_status_name(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::Pending => "pending",
        TaskStatus::InProgress => "in progress",
        TaskStatus::Completed => "completed",
        TaskStatus::Failed => "failed",
        TaskStatus::Blocked => "blocked",
        TaskStatus::Skipped => "skipped",
    }
}

fn objective(text: &str) -> Result<String, GoalError> {
    let text = text.trim();
    match text.chars().count() {
        1..=MAX_OBJECTIVE => Ok(text.to_owned()),
        _ => Err(GoalError::Objective),
    }
}
