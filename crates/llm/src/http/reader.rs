//! Conversion of answer events to chunks.

use super::bounds::Held;
use crate::model::{Chunk, ModelError};
use crate::retry::Failure;

/// Converts the events of one answer to chunks.
pub(crate) trait EventReader: Send {
    /// Reads the data of one event.
    fn read(&mut self, data: &str) -> Result<AnswerEvent, Failure>;

    /// The buffered part of the answer.
    fn held(&self) -> Held {
        Held::default()
    }
}

/// The content of one event.
#[derive(Debug, Default)]
pub(crate) struct AnswerEvent {
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) end: Option<End>,
}

/// The state of an answer.
#[derive(Debug)]
pub(crate) enum End {
    /// The answer is complete; token counts may still follow.
    Whole,
    /// Nothing more follows.
    Closed,
    /// It ended early.
    Failed(Failure),
}

impl From<ModelError> for End {
    fn from(error: ModelError) -> Self {
        Self::Failed(Failure::Final(error))
    }
}
