//! The status of a goal.

use serde::{Deserialize, Serialize};

/// The status of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

impl GoalStatus {
    /// Whether nothing more is done for it.
    pub fn is_over(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed | Self::Blocked | Self::OutOfBudget | Self::Cancelled
        )
    }

    /// Whether there is work to do without the user.
    pub fn is_working(self) -> bool {
        matches!(self, Self::Planning | Self::Active)
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planning => "planning",
            Self::Active => "active",
            Self::WaitingForUser => "waiting for you",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Blocked => "blocked",
            Self::OutOfBudget => "out of budget",
            Self::Cancelled => "cancelled",
        }
    }
}
