//! Goals on the wire: what is to be reached, the plan, and how far it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A goal of a session and how far it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Goal {
    /// Unique in the session.
    pub id: String,
    /// What the user wants.
    pub objective: String,
    /// The workflow its plan comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub workflow: Option<String>,
    /// Its status.
    pub status: GoalStatus,
    /// What has to hold at the end, with the outcome of the newest check.
    pub criteria: Vec<GoalCriterion>,
    /// The tasks of the plan; none while there is no plan.
    pub tasks: Vec<GoalTask>,
    /// How much it may use.
    pub budget: GoalBudget,
    /// What it has used.
    pub used: GoalUsage,
    /// The question that waits for the user; the next `user_message` answers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub question: Option<GoalQuestion>,
    /// Why it ended or was paused, with what is unmet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
    /// Whether the user may be asked.
    pub may_ask: bool,
    /// How its work is verified.
    pub verify: GoalVerify,
    /// Its variants, if it is worked on several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub variants: Option<GoalVariants>,
}

/// The variants of a goal: it is worked on several times from the same beginning, and one is chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GoalVariants {
    /// How many are made.
    pub count: u32,
    /// The one that is worked on, or was last, from 1.
    pub current: u32,
    /// The one that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub chosen: Option<u32>,
    /// Those that ended, the best first: by completion, unmet criteria, likely mistakes.
    pub made: Vec<GoalVariant>,
}

/// A variant of a goal that ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GoalVariant {
    /// From 1.
    pub number: u32,
    /// Its branch of the conversation.
    pub branch: usize,
    /// The revision of the scene at its end.
    pub revision: u64,
    /// The model that made it; left out if it is that of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub model: Option<String>,
    /// How it ended.
    pub status: GoalStatus,
    /// Why, with what is unmet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
    /// The criteria as they were checked.
    pub criteria: Vec<GoalCriterion>,
    /// Overlaps and floating objects in its scene.
    pub faults: usize,
    /// What it has used.
    pub used: GoalUsage,
}

/// How the work on a goal is verified. Whether it is completed is computed in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GoalVerify {
    /// Not before the end, and nothing is repaired: for comparisons.
    Off,
    /// After each task its criteria and the scene are checked by computation.
    Computed,
    /// Also by a look at the picture, if the model sees.
    #[default]
    Pictures,
}

/// The status of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GoalStatus {
    /// A plan is being made.
    Planning,
    /// Tasks are being worked on.
    Active,
    /// A question waits for the user.
    WaitingForUser,
    /// The user paused it.
    Paused,
    /// All criteria hold.
    Completed,
    /// It was given up.
    Failed,
    /// The model told that it cannot go on.
    Blocked,
    /// The budget is used up.
    OutOfBudget,
    /// The user ended it.
    Cancelled,
}

/// A sentence that has to hold, in the language of `docs/evaluation.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GoalCriterion {
    /// The sentence.
    pub text: String,
    /// Who set it.
    pub source: GoalSource,
    /// Whether it held when it was last checked; left out before the first check, and with `found` when nobody
    /// could tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub met: Option<bool>,
    /// What was found instead, if it did not hold, or why nobody could tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub found: Option<String>,
}

/// Who set a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GoalSource {
    /// The user.
    User,
    /// The model proposed it.
    Model,
    /// A workflow has it.
    Workflow,
}

/// A task of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GoalTask {
    /// Unique in the plan.
    pub id: String,
    /// What to do.
    pub description: String,
    /// Ids of the tasks that have to be done before.
    pub depends_on: Vec<String>,
    /// Its status.
    pub status: GoalTaskStatus,
    /// What has to hold when it is done.
    pub criteria: Vec<GoalCriterion>,
    /// What the model said of it when it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub result: Option<String>,
    /// What went wrong in the newest attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<String>,
    /// Attempts so far, the present one included.
    pub attempts: u32,
}

/// The status of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum GoalTaskStatus {
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

/// How much a goal may use; what is left out has no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GoalBudget {
    /// Model calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub turns: Option<u64>,
    /// Tokens of requests and answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tokens: Option<u64>,
    /// Seconds of work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seconds: Option<u64>,
    /// Tool calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tool_calls: Option<u64>,
}

/// What a goal has used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GoalUsage {
    /// Model calls.
    pub turns: u64,
    /// Tokens of requests and answers.
    pub tokens: u64,
    /// Seconds of work; waiting and pauses do not count.
    pub seconds: f64,
    /// Tool calls.
    pub tool_calls: u64,
}

/// A question to the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GoalQuestion {
    /// What is asked.
    pub text: String,
    /// The task it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub task: Option<String>,
}

/// What happened to a goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
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
        /// Those that do not, with what was found.
        unmet: Vec<String>,
    },
    /// The plan is thought over.
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
        #[ts(optional)]
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
