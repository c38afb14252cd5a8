//! Working on the variants of a goal, one after the other, and choosing one.

use crate::budget::Used;
use crate::change::GoalChange;
use crate::criterion::Source;
use crate::goal::{Goal, GoalError};
use crate::plan::Plan;
use crate::status::GoalStatus;
use crate::variants::{Variant, Variants, VariantsPlan};

/// Characters of the plan of another variant that a model is told.
const MAX_TOLD_PLAN: usize = 400;

/// What is next for the variants of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VariantStep {
    /// The next one begins.
    Begin,
    /// All are made: this one is the best.
    Choose(u32),
}

impl Goal {
    /// Makes several variants of it. Only a goal that was not begun may be given some.
    pub fn with_variants(mut self, plan: VariantsPlan) -> Result<Self, GoalError> {
        let variants = Variants::new(plan).map_err(GoalError::Variants)?;
        self.variants = Some(Box::new(variants));
        Ok(self)
    }

    /// The number of the variant that is worked on, from 1; 1 without variants.
    pub fn variant(&self) -> u32 {
        self.variants.as_ref().map_or(1, |variants| variants.current)
    }

    pub(crate) fn variant_step(&self) -> Option<VariantStep> {
        let variants = self.variants.as_ref()?;
        if variants.chosen.is_some() || !variants.has_ended() {
            return None;
        }
        match variants.current < variants.plan.count {
            true => Some(VariantStep::Begin),
            false => variants.ranked().first().copied().map(VariantStep::Choose),
        }
    }

    /// The present variant ended: it is kept, and the goal goes on with the next one. `None` if the goal ends
    /// with it, because it has no variants or one was chosen.
    pub(crate) fn keep_variant(&mut self, status: GoalStatus, reason: &str) -> Option<GoalChange> {
        let variants = self.variants.as_mut()?;
        if status == GoalStatus::Cancelled || variants.chosen.is_some() || variants.has_ended() {
            return None;
        }
        let number = variants.current;
        variants.made.push(Variant {
            number,
            branch: 0,
            revision: 0,
            faults: 0,
            status,
            reason: Some(reason.to_owned()),
            criteria: self.criteria.clone(),
            plan: self.plan.clone(),
            used: self.used,
        });
        self.status = GoalStatus::Active;
        Some(GoalChange::VariantFinished { number, status, reason: reason.to_owned() })
    }

    /// Where the variant is kept that ended last, and the faults of its document.
    pub fn measure_variant(&mut self, branch: usize, revision: u64, faults: usize) {
        let last = self.variants.as_mut().and_then(|variants| variants.made.last_mut());
        if let Some(last) = last {
            (last.branch, last.revision, last.faults) = (branch, revision, faults);
        }
    }

    /// Begins the next variant: as the goal was when it was set.
    pub fn begin_variant(&mut self) -> Option<GoalChange> {
        let variants = self.variants.as_mut()?;
        variants.current += 1;
        let number = variants.current;
        self.status = GoalStatus::Planning;
        self.plan = Plan::default();
        self.criteria.retain(|criterion| criterion.source == Source::User);
        for criterion in &mut self.criteria {
            (criterion.met, criterion.found) = (None, None);
        }
        (self.used, self.question, self.reason) = (Used::default(), None, None);
        (self.rounds, self.rounds_without_progress, self.fewest_unmet) = (0, 0, None);
        (self.replans, self.questions, self.plan_attempts) = (0, 0, 0);
        self.notes.clear();
        Some(GoalChange::VariantStarted { number })
    }

    /// Chooses a variant: the goal is as that one ended. The others stay.
    pub fn choose_variant(&mut self, number: u32) -> Result<GoalChange, GoalError> {
        let status = self.status.name();
        let none = || GoalError::Variants("the goal has no variants".into());
        let variants = self.variants.as_mut().ok_or_else(none)?;
        let are_made = variants.made.len() == variants.plan.count as usize;
        if !are_made && !self.status.is_over() {
            return Err(GoalError::Status {
                status,
                wanted: "chosen from before all variants are made",
            });
        }
        let Some(variant) = variants.made.iter().find(|variant| variant.number == number) else {
            let made: Vec<String> =
                variants.made.iter().map(|variant| variant.number.to_string()).collect();
            let made = made.join(", ");
            return Err(GoalError::Variants(format!(
                "there is no variant {number}; there are: {made}"
            )));
        };
        variants.chosen = Some(number);
        self.status = variant.status;
        self.reason.clone_from(&variant.reason);
        self.criteria.clone_from(&variant.criteria);
        self.plan = variant.plan.clone();
        self.used = variants.made.iter().fold(Used::default(), |sum, made| sum.plus(made.used));
        self.question = None;
        Ok(GoalChange::VariantChosen { number })
    }

    /// The branch of a variant.
    pub fn branch_of_variant(&self, number: u32) -> Option<usize> {
        let variants = self.variants.as_ref()?;
        variants.made.iter().find(|made| made.number == number).map(|made| made.branch)
    }

    /// What a model reads of the other variants; `None` for the first.
    pub(crate) fn variants_line(&self) -> Option<String> {
        let variants = self.variants.as_ref().filter(|variants| variants.current > 1)?;
        let plan = |variant: &Variant| {
            let tasks: Vec<&str> =
                variant.plan.tasks().iter().map(|task| task.description.as_str()).collect();
            tasks.join("; ").chars().take(MAX_TOLD_PLAN).collect::<String>()
        };
        let plans: Vec<String> = variants.made.iter().map(plan).collect();
        Some(format!(
            "Variant {} of {} of the same goal. Make it recognisably different from the others, which were: {}",
            variants.current,
            variants.plan.count,
            plans.join(" | ")
        ))
    }
}
