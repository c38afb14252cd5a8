//! Budgets: how much a goal may use, and what it has used.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much a goal may use. `None` is no limit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Model calls.
    pub turns: Option<u64>,
    /// Tokens of requests and answers.
    pub tokens: Option<u64>,
    /// Seconds of work; waiting for the user and pauses do not count.
    pub seconds: Option<u64>,
    /// Tool calls.
    pub tool_calls: Option<u64>,
}

impl Default for Budget {
    /// Enough for a furnished room with repairs, and an end to a goal that runs unwatched.
    fn default() -> Self {
        Self {
            turns: Some(100),
            tokens: Some(2_000_000),
            seconds: Some(3_600),
            tool_calls: Some(600),
        }
    }
}

/// What a goal has used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Model calls.
    pub turns: u64,
    /// Tokens of requests and answers.
    pub tokens: u64,
    /// Milliseconds of work.
    pub milliseconds: u64,
    /// Tool calls.
    pub tool_calls: u64,
}

impl Used {
    /// The sum.
    #[must_use]
    pub fn plus(self, more: Self) -> Self {
        Self {
            turns: self.turns.saturating_add(more.turns),
            tokens: self.tokens.saturating_add(more.tokens),
            milliseconds: self.milliseconds.saturating_add(more.milliseconds),
            tool_calls: self.tool_calls.saturating_add(more.tool_calls),
        }
    }
}

/// A limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Of model calls.
    Turns(u64),
    /// Of tokens.
    Tokens(u64),
    /// Of seconds.
    Seconds(u64),
    /// Of tool calls.
    ToolCalls(u64),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turns(most) => write!(f, "its {most} model calls are used up"),
            Self::Tokens(most) => write!(f, "its {most} tokens are used up"),
            Self::Seconds(most) => write!(f, "its {most} seconds are over"),
            Self::ToolCalls(most) => write!(f, "its {most} tool calls are used up"),
        }
    }
}

impl Budget {
    /// The first limit that `used` has reached.
    pub fn reached(&self, used: &Used) -> Option<Limit> {
        let over = |most: Option<u64>, used: u64| most.filter(|most| used >= *most);
        over(self.turns, used.turns)
            .map(Limit::Turns)
            .or_else(|| over(self.tokens, used.tokens).map(Limit::Tokens))
            .or_else(|| over(self.seconds, used.milliseconds / 1_000).map(Limit::Seconds))
            .or_else(|| over(self.tool_calls, used.tool_calls).map(Limit::ToolCalls))
    }

    /// Model calls that are left, at most `most`.
    pub fn turns_left(&self, used: &Used, most: u32) -> u32 {
        let left = self.turns.map(|turns| turns.saturating_sub(used.turns));
        left.and_then(|left| u32::try_from(left).ok()).map_or(most, |left| left.min(most))
    }

    /// Milliseconds that are left; `None` without a limit.
    pub fn milliseconds_left(&self, used: &Used) -> Option<u64> {
        let most = self.seconds?.saturating_mul(1_000);
        Some(most.saturating_sub(used.milliseconds))
    }

    /// Why the budget cannot be used: a limit of 0 would end the goal before it begins.
    pub(crate) fn check(&self) -> Result<(), String> {
        let limits = [
            ("turns", self.turns),
            ("tokens", self.tokens),
            ("seconds", self.seconds),
            ("tool_calls", self.tool_calls),
        ];
        match limits.iter().find(|(_, limit)| *limit == Some(0)) {
            Some((name, _)) => Err(format!("the budget's '{name}' must be at least 1, got 0")),
            None => Ok(()),
        }
    }
}
