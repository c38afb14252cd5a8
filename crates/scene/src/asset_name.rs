//! Names of assets.

use serde::Serialize;
use serde_json::Value;

use crate::read::{Place, Read};
use crate::violations::Faults;

/// The longest name of an asset, in characters.
pub const LONGEST_ASSET_NAME: usize = 512;

/// The name of an asset: non-empty, at most [`LONGEST_ASSET_NAME`] characters, no control
/// characters. What it means is up to the [`Assets`](crate::Assets) it is looked up in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct AssetName(String);

impl AssetName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for AssetName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Read for AssetName {
    fn read(value: &Value, at: &Place<'_>, faults: &mut Faults) -> Option<Self> {
        let name = value.as_str().filter(|name| {
            !name.trim().is_empty()
                && name.chars().count() <= LONGEST_ASSET_NAME
                && !name.chars().any(char::is_control)
        });
        if name.is_none() {
            at.must_be(&Self::expected(), value, faults);
        }
        name.map(|name| Self(name.to_owned()))
    }

    fn expected() -> String {
        format!("the name of an asset, a text of at most {LONGEST_ASSET_NAME} characters")
    }
}
