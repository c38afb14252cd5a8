//! From the events of an answer to chunks.

use super::bounds::Held;
use crate::model::{Chunk, ModelError};
use crate::retry::Failure;

/// From the events of one answer to chunks.
pub(crate) trait EventReader: Send {
    /// Reads the data of one event.
    fn read(&mut self, data: &str) -> Result<AnswerEvent, Failure>;

    /// What has come of the answer and was not given out yet.
    fn held(&self) -> Held {
        Held::default()
    }
}

/// What one event says.
#[derive(Debug, Default)]
pub(crate) struct AnswerEvent {
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) end: Option<End>,
}

/// How far an answer has come.
#[derive(Debug)]
pub(crate) enum End {
    /// The answer is whole; token counts may still follow.
    Whole,
    /// Nothing more follows.
    Closed,
    /// It ended before it was whole.
    Failed(Failure),
}

impl From<ModelError> for End {
    fn from(error: ModelError) -> Self {
        Self::Failed(Failure::Final(error))
    }
}
