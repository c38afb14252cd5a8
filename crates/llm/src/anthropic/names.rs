//! Names of the service and of our field.

use crate::providers::ANTHROPIC;
use crate::service::Names;

pub(super) const NAMES: Names = Names::of(&ANTHROPIC);

/// The field of a [`crate::Part`] that keeps a block this API wants back verbatim.
pub(crate) const FIELD: &str = "anthropic";
