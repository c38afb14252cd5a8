//! What happened to a goal: the durable events of its life.

use serde::{Deserialize, Serialize};

use crate::status::GoalStatus;

/// What happened to a goal. The goal afterwards stands beside it in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GoalChange {
    /// It was set.
    Set,
    /// It has a plan, or another one.
    PlanChanged {
        /// Why.
        why: String,
    },
    /// Work on a task begins.
    TaskStarted {
        /// Its id.
        task: String,
        /// From 1.
        attempt: u32,
    },
    /// A task is done, and its criteria hold.
    TaskFinished {
        /// Its id.
        task: String,
    },
    /// An attempt of a task did not work.
    TaskFailed {
        /// Its id.
        task: String,
        /// What went wrong.
        error: String,
        /// What follows.
        next: String,
    },
    /// The program stopped in the middle of a task, which begins anew.
    TaskInterrupted {
        /// Its id.
        task: String,
    },
    /// The criteria of the goal were checked.
    CriteriaChecked {
        /// How many hold.
        met: usize,
        /// Those that do not.
        unmet: Vec<String>,
    },
    /// The plan is thought over, and why.
    Reflected {
        /// Why.
        why: String,
    },
    /// The user is asked.
    Asked {
        /// What.
        question: String,
    },
    /// The user answered.
    Answered {
        /// What.
        answer: String,
    },
    /// It was paused.
    Paused {
        /// Why, if not the user paused it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// It goes on.
    Resumed,
    /// The user changed it.
    Edited,
    /// A variant ended; others are to come, or one is to be chosen.
    VariantFinished {
        /// From 1.
        number: u32,
        /// How.
        status: GoalStatus,
        /// Why, with what is unmet.
        reason: String,
    },
    /// Another variant begins where the first one did.
    VariantStarted {
        /// From 1.
        number: u32,
    },
    /// A variant was chosen; the others stay as branches.
    VariantChosen {
        /// From 1.
        number: u32,
    },
    /// It is over.
    Finished {
        /// How.
        status: GoalStatus,
        /// Why, with what is unmet.
        reason: String,
    },
}
