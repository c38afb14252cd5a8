//! How the work on a goal is verified.

use serde::{Deserialize, Serialize};

/// How the work on a goal is verified. Whether it is completed is computed in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verify {
    /// Not before the end, and nothing is repaired: for comparisons.
    Off,
    /// After each task its criteria and the document are checked by computation.
    Computed,
    /// Also by a look at the picture, if the model sees.
    #[default]
    Pictures,
}
