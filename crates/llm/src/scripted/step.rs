//! What a scripted answer is made of.

use super::gate::Gate;
use crate::content::Part;
use crate::model::{Chunk, ModelError};

/// What a scripted answer does next.
#[derive(Debug, Clone)]
pub enum Step {
    /// Streams a chunk.
    Chunk(Chunk),
    /// Waits until the gate is opened, or for ever: so a test can cancel in the middle.
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
