//! What a user asks of goals: one to reach, changes to it, a choice among variants.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::goal::{GoalBudget, GoalVerify};

/// A goal that the user sets. It ends the one before, if that is not over.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GoalRequest {
    /// What the user wants; may be left out with a workflow.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub objective: String,
    /// What has to hold at the end, in the language of `docs/evaluation.md`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub criteria: Vec<String>,
    /// The workflow to follow. Without it, one whose triggers fit the objective is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub workflow: Option<String>,
    /// Values of the workflow's parameters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, String>>")]
    pub parameters: BTreeMap<String, String>,
    /// How much it may use; the server's usual budget when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub budget: Option<GoalBudget>,
    /// Whether the user may be asked; true when left out.
    #[serde(default = "yes")]
    #[ts(optional, as = "Option<bool>")]
    pub may_ask: bool,
    /// How the work is verified; by pictures when left out.
    #[serde(default)]
    #[ts(optional, as = "Option<GoalVerify>")]
    pub verify: GoalVerify,
    /// How many variants are made, 2 to 5; one way only when left out. The budget is that of each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub variants: Option<u32>,
    /// The models that make the variants, one after the other; that of the session when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub models: Vec<String>,
}

/// The variant that the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct VariantChoice {
    /// Its number, from 1.
    pub variant: u32,
}

/// What the user changes of a goal; what is left out stays.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GoalEdit {
    /// Another objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub objective: Option<String>,
    /// All criteria anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub criteria: Option<Vec<String>>,
    /// Another budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub budget: Option<GoalBudget>,
    /// The tasks anew; completed ones stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tasks: Option<Vec<GoalTaskRequest>>,
    /// Ids of tasks to leave out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub skip: Vec<String>,
}

/// A task that the user asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GoalTaskRequest {
    /// Unique in the plan.
    pub id: String,
    /// What to do.
    pub description: String,
    /// Ids of the tasks that have to be done before.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub depends_on: Vec<String>,
    /// What has to hold when it is done.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub criteria: Vec<String>,
}

fn yes() -> bool {
    true
}
