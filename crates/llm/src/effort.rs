//! How hard a model is to think.

use serde::{Deserialize, Serialize};

/// How hard a model is to think before it answers. A provider takes the nearest level it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Not at all, where the provider allows it.
    Off,
    /// As little as possible.
    Low,
    /// What providers call medium.
    Medium,
    /// What providers call high.
    High,
    /// As much as the provider allows.
    Max,
}

impl Effort {
    /// The level called `off`, `low`, `medium`, `high` or `max`.
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
