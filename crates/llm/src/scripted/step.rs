//! Steps of scripted answers.

use super::gate::Gate;
use crate::content::Part;
use crate::model::{Chunk, ModelError};

/// A step of a scripted answer.
#[derive(Debug, Clone)]
pub enum Step {
    /// Streams a chunk.
    Chunk(Chunk),
    /// Waits until the gate is open, or for ever, so that a test can cancel the answer.
    Gate(Gate),
    /// Ends the answer with an error.
    Error(ModelError),
}

impl Step {
    /// Streams a part.
    pub fn part(part: Part) -> Self {
        Self::Chunk(Chunk::Part(part))
    }

    /// Streams a text part.
    pub fn text(text: impl Into<String>) -> Self {
        Self::part(Part::text(text))
    }
}
