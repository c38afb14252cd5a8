//! Variants of a goal: it is worked on several times from the same beginning, each time in another way, and
//! one is chosen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::budget::Used;
use crate::criterion::{Criterion, Source};
use crate::plan::Plan;
use crate::status::GoalStatus;

/// The most variants of a goal.
pub const MAX_VARIANTS: u32 = 5;

/// How a goal is worked on several times.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantsPlan {
    /// How many are made.
    pub count: u32,
    /// The models that make them, one after the other; that of the session if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// The workflow that the user named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// Values of its parameters that the user gave.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// The model of the session before.
    pub own_model: String,
    /// Where the conversation forks: contents of the history, and entries of the chat.
    pub fork: (usize, usize),
}

/// The variants of a goal so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variants {
    /// How they are made.
    pub plan: VariantsPlan,
    /// The one that is worked on, or was last, from 1.
    pub current: u32,
    /// Those that ended, in order.
    #[serde(default)]
    pub made: Vec<Variant>,
    /// The one that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<u32>,
}

/// A variant that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// From 1.
    pub number: u32,
    /// Its branch of the conversation.
    pub branch: usize,
    /// The revision of the document at its end.
    pub revision: u64,
    /// Likely mistakes in the document at its end.
    pub faults: usize,
    /// How it ended.
    pub status: GoalStatus,
    /// Why, with what is unmet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The criteria as they were checked.
    pub criteria: Vec<Criterion>,
    /// Its plan.
    pub plan: Plan,
    /// What it has used.
    pub used: Used,
}

impl Variant {
    /// Unmet criteria that all variants have: a model may have set itself more.
    fn unmet(&self) -> usize {
        let common = self.criteria.iter().filter(|criterion| criterion.source != Source::Model);
        common.filter(|criterion| !criterion.is_met()).count()
    }

    /// The smaller the better: whether it is incomplete, unmet criteria, faults.
    fn rank(&self) -> (bool, usize, usize, u32) {
        (self.status != GoalStatus::Completed, self.unmet(), self.faults, self.number)
    }
}

impl Variants {
    pub(crate) fn new(plan: VariantsPlan) -> Result<Self, String> {
        if !(2..=MAX_VARIANTS).contains(&plan.count) {
            let count = plan.count;
            return Err(format!(
                "'variants' must be from 2 to {MAX_VARIANTS}, got {count}; leave it out for one"
            ));
        }
        Ok(Self { plan, current: 1, made: Vec::new(), chosen: None })
    }

    /// The numbers of those that were made, the best first: by completion, criteria, faults.
    pub fn ranked(&self) -> Vec<u32> {
        let mut made: Vec<&Variant> = self.made.iter().collect();
        made.sort_by_key(|variant| variant.rank());
        made.into_iter().map(|variant| variant.number).collect()
    }

    /// The model of the present one; `None` if no models were named.
    pub fn model(&self) -> Option<&str> {
        let models = &self.plan.models;
        let index = (self.current as usize).saturating_sub(1);
        models.get(index % models.len().max(1)).map(String::as_str)
    }

    /// Whether the present one has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.made.iter().any(|variant| variant.number == self.current)
    }
}
