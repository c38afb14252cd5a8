//! Names of assets.

use serde::Serialize;
use serde_json::Value;

use crate::read::{PropertyPath, Read};
use crate::violations::ReadErrors;

/// The longest name of an asset, in characters.
pub const MAX_ASSET_NAME_LENGTH: usize = 512;

/// The name of an asset: non-empty, at most [`MAX_ASSET_NAME_LENGTH`] characters, no control
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
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let name = value.as_str().filter(|name| {
            !name.trim().is_empty()
                && name.chars().count() <= MAX_ASSET_NAME_LENGTH
                && !name.chars().any(char::is_control)
        });
        if name.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        name.map(|name| Self(name.to_owned()))
    }

    fn expected() -> String {
        format!("the name of an asset, a text of at most {MAX_ASSET_NAME_LENGTH} characters")
    }
}
