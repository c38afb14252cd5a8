//! The provider's names, and the name of our field.

use crate::http::Names;
use crate::providers::OLLAMA;

pub(super) const NAMES: Names = Names::of(&OLLAMA);

/// The field of a [`crate::Part`] that names the Ollama model that made a thought.
pub(crate) const FIELD: &str = "ollama";
