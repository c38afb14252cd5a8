//! Names of things.

use serde::Serialize;
use serde_json::Value;

use crate::read::{Place, Read};
use crate::violations::Faults;

/// The longest id, in characters.
pub const LONGEST_ID: usize = 128;

/// The name of a shape, light or group: non-empty, at most [`LONGEST_ID`] characters, no control
/// characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Id(String);

impl Id {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An id from a text that keeps the rules.
    pub fn new(text: &str) -> Option<Self> {
        let good = !text.trim().is_empty()
            && text.chars().count() <= LONGEST_ID
            && !text.chars().any(char::is_control);
        good.then(|| Self(text.to_owned()))
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Read for Id {
    fn read(value: &Value, at: &Place<'_>, faults: &mut Faults) -> Option<Self> {
        let id = value.as_str().and_then(Self::new);
        if id.is_none() {
            at.must_be(&Self::expected(), value, faults);
        }
        id
    }

    fn expected() -> String {
        format!("a non-empty text of at most {LONGEST_ID} characters")
    }
}
