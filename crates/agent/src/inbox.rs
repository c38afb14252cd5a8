//! Messages that arrive while a run is going.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use llm::Content;

/// A queue between the owner of a session, who puts messages in, and the run, which takes them
/// before each turn. What a run has left over is the owner's to take.
#[derive(Debug, Clone, Default)]
pub struct Inbox {
    /// Held only to push or drain; never across an await.
    messages: Arc<Mutex<VecDeque<Content>>>,
}

impl Inbox {
    /// Puts a message in.
    pub fn push(&self, message: Content) {
        self.lock().push_back(message);
    }

    /// Takes all messages, in order.
    pub fn drain(&self) -> Vec<Content> {
        self.lock().drain(..).collect()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Content>> {
        // A queue is whole after every step, so a panic elsewhere leaves nothing half-done.
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
