//! Levels of reasoning effort.

use serde::{Deserialize, Serialize};

/// The reasoning effort of a model. Each provider gets the nearest level that it supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// No reasoning, if the provider allows that.
    Off,
    /// The lowest level.
    Low,
    /// The provider's medium level.
    Medium,
    /// The provider's high level.
    High,
    /// The highest level.
    Max,
}

impl Effort {
    /// The level named `off`, `low`, `medium`, `high` or `max`.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "off" => Self::Off,
            "low" => Self::Low,
            "medium" => Self::Medium,
            "high" => Self::High,
            "max" => Self::Max,
            _ => return None,
        })
    }
}
