//! Names of the provider and of our field.

use crate::http::Names;
use crate::providers::ANTHROPIC;

pub(super) const NAMES: Names = Names::of(&ANTHROPIC);

/// The field of a [`crate::Part`] that keeps a block this API wants back verbatim.
pub(crate) const FIELD: &str = "anthropic";
