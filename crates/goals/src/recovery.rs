//! What follows when a task did not work, in this order: try again with what was found, try another way,
//! change the plan, ask the user, give up.

/// Attempts of a task before the plan is changed: the first, one with what was found, and one in another
/// way.
pub const MAX_ATTEMPTS: u32 = 3;
/// How often a plan is changed because of failures.
pub const MAX_REPLANS: u32 = 3;
/// How often the user is asked because of failures.
pub(crate) const MAX_QUESTIONS: u32 = 3;

/// What follows a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// The same again, knowing what was found.
    Retry,
    /// In another, simpler way.
    OtherWay,
    /// With another plan.
    Replan,
    /// The user is asked.
    Ask,
    /// The task is given up; what depends on it is blocked.
    GiveUp,
}

/// What was tried so far, and what may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tried {
    /// Attempts of the task.
    pub(crate) attempts: u32,
    /// Changes of the plan because of failures.
    pub(crate) replans: u32,
    /// Questions because of failures.
    pub(crate) questions: u32,
    /// Whether whoever works on it can make plans.
    pub(crate) can_plan: bool,
    /// Whether somebody is there to answer.
    pub(crate) may_ask: bool,
    /// Whether the failure cannot pass by trying again.
    pub(crate) is_final: bool,
}

impl Recovery {
    pub(crate) fn after(tried: Tried) -> Self {
        match tried {
            Tried { attempts: 0 | 1, is_final: false, .. } => Self::Retry,
            Tried { attempts, is_final: false, .. } if attempts < MAX_ATTEMPTS => Self::OtherWay,
            Tried { replans, can_plan: true, .. } if replans < MAX_REPLANS => Self::Replan,
            Tried { questions, may_ask: true, .. } if questions < MAX_QUESTIONS => Self::Ask,
            _ => Self::GiveUp,
        }
    }
}
