//! Goals: what is to be reached, the plan to reach it, and what to do next. Pure: no model, no scene,
//! no waiting. Whoever runs a goal asks [`Goal::next_step`], does it, and tells the goal what came of it.
//!
//! ```text
//! Goal { objective, criteria, plan: graph of tasks, budget } ─ next_step ─▶ Step ─ done by the session ─┐
//!   ▲                                                                                                   │
//!   └──────────── GoalChange ◀─ task_ended, judged, paused, answered, ... ◀─────────────────────────────┘
//! ```
//!
//! Whether a criterion holds is told by [`Criteria`], which knows the document; this crate knows none.

mod budget;
mod change;
mod criterion;
mod goal;
mod message;
mod plan;
mod recovery;
mod split;
mod status;
mod step;
mod task_end;
mod variant_steps;
mod variants;
mod verify;
mod workflow;

pub use budget::{Budget, Limit, Used};
pub use change::GoalChange;
pub use criterion::{Criteria, Criterion, Source, Verdict, check_criteria};
pub use goal::{Goal, GoalEdit, GoalError, NewGoal, Question};
pub use plan::{MAX_TASKS, Plan, PlanError, Task, TaskStatus, WantedTask};
pub use recovery::{MAX_ATTEMPTS, MAX_REPLANS, Recovery};
pub use split::tasks_of_text;
pub use status::GoalStatus;
pub use step::{EndReason, Step};
pub use task_end::TaskEnd;
pub use variants::{MAX_VARIANTS, Variant, Variants, VariantsPlan};
pub use verify::Verify;
pub use workflow::{Parameter, ParameterKind, Workflow, WorkflowError, Workflows};
