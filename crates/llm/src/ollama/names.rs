//! Names of the service and of our field.

use crate::providers::OLLAMA;
use crate::service::Names;

pub(super) const NAMES: Names = Names::of(&OLLAMA);

/// The field of a [`crate::Part`] that says which model of Ollama's thought it.
pub(crate) const FIELD: &str = "ollama";
