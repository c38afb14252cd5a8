//! Plans: graphs of tasks, without circles and without dependencies on nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::criterion::{Criteria, Criterion, Source, add_all};

/// The most tasks of a plan.
pub const MAX_TASKS: usize = 60;
/// The longest description in characters.
const MAX_DESCRIPTION: usize = 4_000;
/// The longest id in characters.
const MAX_ID: usize = 60;

/// The status of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// Done, and its criteria held.
    Completed,
    /// Given up.
    Failed,
    /// It depends on a task that was given up.
    Blocked,
    /// The user or a new plan left it out.
    Skipped,
}

impl TaskStatus {
    /// Whether nothing more is done for it.
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Pending | Self::InProgress)
    }
}

/// A task of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Unique in the plan.
    pub id: String,
    /// What to do, as one would ask for it.
    pub description: String,
    /// Other words for it, for the attempt after the second failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<String>,
    /// A criterion that makes the task unnecessary if it holds when the task would begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unless: Option<String>,
    /// Whether the fixes that a check of the document computes are carried out first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mend: bool,
    /// Ids of the tasks that have to be done before.
    #[serde(default)]
    pub depends_on: Vec<String>,
    /// Its status.
    pub status: TaskStatus,
    /// What has to hold when it is done.
    #[serde(default)]
    pub criteria: Vec<Criterion>,
    /// What the model said of it when it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// What went wrong in the newest attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Attempts so far, the present one included.
    #[serde(default)]
    pub attempts: u32,
    /// How often the program stopped in the middle of it.
    #[serde(default)]
    pub interruptions: u32,
    /// The document's revision when the present attempt began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_at: Option<u64>,
    /// What the user answered to a question about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

impl Task {
    fn pending(id: String, description: &str) -> Self {
        Self {
            id,
            description: description.to_owned(),
            otherwise: None,
            unless: None,
            mend: false,
            depends_on: Vec::new(),
            status: TaskStatus::Pending,
            criteria: Vec::new(),
            result: None,
            error: None,
            attempts: 0,
            interruptions: 0,
            began_at: None,
            answer: None,
        }
    }
}

/// A task as a model, a user or a workflow asks for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedTask {
    /// Unique in the plan.
    pub id: String,
    /// What to do.
    pub description: String,
    /// Other words for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<String>,
    /// A criterion that makes the task unnecessary if it holds when the task would begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unless: Option<String>,
    /// Whether the fixes that a check of the document computes are carried out first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mend: bool,
    /// Ids of tasks that have to be done before.
    #[serde(default)]
    pub depends_on: Vec<String>,
    /// What has to hold when it is done.
    #[serde(default)]
    pub criteria: Vec<String>,
}

/// Why a plan is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// It has no task.
    #[error("the plan has no task; give at least one")]
    Empty,
    /// It has too many.
    #[error("a plan may have at most {MAX_TASKS} tasks, got {0}; join some")]
    TooMany(usize),
    /// An id cannot be used.
    #[error("the task id '{0}' cannot be used; use 1 to {MAX_ID} letters, digits, '_' or '-'")]
    BadId(String),
    /// Two tasks have the same id.
    #[error("there are two tasks '{0}'; give each an id of its own")]
    Duplicate(String),
    /// A description is missing or too long.
    #[error("the description of task '{0}' must have 1 to {MAX_DESCRIPTION} characters")]
    Description(String),
    /// A task depends on one that does not exist.
    #[error("task '{task}' depends on '{missing}', which is no task; the tasks are: {known}")]
    Dangling {
        /// The task.
        task: String,
        /// What it depends on.
        missing: String,
        /// The ids there are.
        known: String,
    },
    /// Tasks depend on each other.
    #[error(
        "the tasks depend on each other in a circle: {}; take one of these dependencies out",
        .0.join(" -> ")
    )]
    Cycle(Vec<String>),
    /// A criterion cannot be read.
    #[error("task '{task}': {reason}")]
    Criterion {
        /// The task.
        task: String,
        /// What is wrong.
        reason: String,
    },
}

/// A graph of tasks that is sound: ids are unique, dependencies exist, none is in a circle.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Plan {
    tasks: Vec<Task>,
}

impl Plan {
    /// Its tasks, in the order they were given.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// The task `id`.
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    pub(crate) fn task_mut(&mut self, id: &str) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|task| task.id == id)
    }

    /// The task that is being worked on.
    pub fn in_progress(&self) -> Option<&Task> {
        self.tasks.iter().find(|task| task.status == TaskStatus::InProgress)
    }

    /// The pending tasks whose dependencies are completed or skipped.
    pub fn ready(&self) -> impl Iterator<Item = &Task> {
        self.tasks.iter().filter(|task| {
            task.status == TaskStatus::Pending
                && task.depends_on.iter().all(|id| {
                    self.task(id).is_some_and(|before| {
                        matches!(before.status, TaskStatus::Completed | TaskStatus::Skipped)
                    })
                })
        })
    }

    /// How many tasks have this status.
    pub fn count(&self, status: TaskStatus) -> usize {
        self.tasks.iter().filter(|task| task.status == status).count()
    }

    /// This plan with `wanted` in place of what was not begun. What is completed or in progress stays
    /// as it is: nothing is done twice. A failed task of the same id may be tried anew.
    pub(crate) fn replaced(
        &self,
        wanted: &[WantedTask],
        source: Source,
        by: &dyn Criteria,
    ) -> Result<Self, PlanError> {
        if wanted.is_empty() {
            return Err(PlanError::Empty);
        }
        let mut ids = BTreeSet::new();
        for task in wanted {
            check_words(task)?;
            if !ids.insert(&task.id) {
                return Err(PlanError::Duplicate(task.id.clone()));
            }
        }
        let stays = |task: &&Task| match task.status {
            TaskStatus::Completed | TaskStatus::InProgress => true,
            TaskStatus::Failed | TaskStatus::Skipped => !ids.contains(&task.id),
            TaskStatus::Pending | TaskStatus::Blocked => false,
        };
        let mut tasks: Vec<Task> = self.tasks.iter().filter(stays).cloned().collect();
        for wanted in wanted {
            if tasks.iter().any(|task| task.id == wanted.id) {
                continue;
            }
            // What the user or a workflow demands of a task stays, whoever makes the new plan.
            if let Some(unless) = &wanted.unless {
                by.read(unless)
                    .map_err(|reason| PlanError::Criterion { task: wanted.id.clone(), reason })?;
            }
            let kept = self.task(&wanted.id).map_or(&[][..], |task| &task.criteria);
            let kept = kept.iter().filter(|criterion| criterion.source != Source::Model);
            let mut criteria: Vec<Criterion> = kept.cloned().collect();
            add_all(&mut criteria, &wanted.criteria, source, by)
                .map_err(|reason| PlanError::Criterion { task: wanted.id.clone(), reason })?;
            tasks.push(Task {
                otherwise: wanted.otherwise.clone(),
                unless: wanted.unless.clone(),
                mend: wanted.mend,
                depends_on: wanted.depends_on.clone(),
                criteria,
                ..Task::pending(wanted.id.clone(), wanted.description.trim())
            });
        }
        let plan = Self { tasks };
        plan.check()?;
        Ok(plan)
    }

    /// Blocks what depends on a task that was given up, directly or through others.
    pub(crate) fn block_dependents(&mut self) {
        loop {
            let lost: BTreeSet<String> = self
                .tasks
                .iter()
                .filter(|task| matches!(task.status, TaskStatus::Failed | TaskStatus::Blocked))
                .map(|task| task.id.clone())
                .collect();
            let next = self.tasks.iter_mut().find(|task| {
                task.status == TaskStatus::Pending
                    && task.depends_on.iter().any(|id| lost.contains(id))
            });
            let Some(task) = next else { return };
            let on: Vec<&str> = task
                .depends_on
                .iter()
                .filter(|id| lost.contains(*id))
                .map(String::as_str)
                .collect();
            task.error = Some(format!("it depends on '{}', which was given up", on.join("', '")));
            task.status = TaskStatus::Blocked;
        }
    }

    /// Adds what the user answered as a task, if there is a plan.
    pub(crate) fn add_answer(&mut self, text: &str) {
        if self.tasks.is_empty() || self.tasks.len() >= MAX_TASKS {
            return;
        }
        let mut number = 1;
        while self.task(&format!("answer_{number}")).is_some() {
            number += 1;
        }
        self.tasks.push(Task::pending(format!("answer_{number}"), text));
    }

    /// Makes a task that was under way pending again.
    pub(crate) fn lay_down(&mut self) {
        for task in &mut self.tasks {
            if task.status == TaskStatus::InProgress {
                task.status = TaskStatus::Pending;
            }
        }
    }

    /// Makes given-up and blocked tasks pending again, with all their attempts.
    pub(crate) fn reopen(&mut self) {
        for task in &mut self.tasks {
            if matches!(task.status, TaskStatus::Failed | TaskStatus::Blocked) {
                (task.status, task.attempts) = (TaskStatus::Pending, 0);
            }
        }
    }

    fn check(&self) -> Result<(), PlanError> {
        if self.tasks.len() > MAX_TASKS {
            return Err(PlanError::TooMany(self.tasks.len()));
        }
        let known: Vec<&str> = self.tasks.iter().map(|task| task.id.as_str()).collect();
        for task in &self.tasks {
            if let Some(missing) = task.depends_on.iter().find(|id| !known.contains(&id.as_str())) {
                return Err(PlanError::Dangling {
                    task: task.id.clone(),
                    missing: missing.clone(),
                    known: known.join(", "),
                });
            }
        }
        match self.cycle() {
            Some(cycle) => Err(PlanError::Cycle(cycle)),
            None => Ok(()),
        }
    }

    /// Ids of tasks in a circle, the first one again at the end. Takes away tasks whose dependencies are
    /// gone until none is left (Kahn); what remains leads into a circle.
    fn cycle(&self) -> Option<Vec<String>> {
        let mut left: BTreeMap<&str, &Task> =
            self.tasks.iter().map(|task| (task.id.as_str(), task)).collect();
        loop {
            let free: Vec<&str> = left
                .values()
                .filter(|task| !task.depends_on.iter().any(|id| left.contains_key(id.as_str())))
                .map(|task| task.id.as_str())
                .collect();
            if free.is_empty() {
                break;
            }
            for id in free {
                left.remove(id);
            }
        }
        let mut path: Vec<&str> = vec![left.keys().next()?];
        loop {
            let task = left.get(path.last()?)?;
            let next = task.depends_on.iter().find(|id| left.contains_key(id.as_str()))?;
            let seen = path.iter().position(|id| id == next);
            path.push(next);
            if let Some(start) = seen {
                return Some(path[start..].iter().map(ToString::to_string).collect());
            }
        }
    }
}

fn check_words(task: &WantedTask) -> Result<(), PlanError> {
    let is_fine = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let length = task.id.chars().count();
    if length == 0 || length > MAX_ID || !task.id.chars().all(is_fine) {
        return Err(PlanError::BadId(task.id.chars().take(MAX_ID).collect()));
    }
    for text in [Some(&task.description), task.otherwise.as_ref()].into_iter().flatten() {
        let length = text.trim().chars().count();
        if length == 0 || length > MAX_DESCRIPTION {
            return Err(PlanError::Description(task.id.clone()));
        }
    }
    Ok(())
}
