//! Names of the provider and of our field.

use crate::http::Names;
use crate::providers::OLLAMA;

pub(super) const NAMES: Names = Names::of(&OLLAMA);

/// The field of a [`crate::Part`] that says which model of Ollama's thought it.
pub(crate) const FIELD: &str = "ollama";
