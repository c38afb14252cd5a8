//! The provider's names, and the name of our field.

use crate::http::Names;
use crate::providers::ANTHROPIC;

pub(super) const NAMES: Names = Names::of(&ANTHROPIC);

/// The field of a [`crate::Part`] that stores a content block, to be sent back verbatim.
pub(crate) const FIELD: &str = "anthropic";
