//! Messages of the user that no run has read yet.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use llm::Content;

/// A message on its way into the history.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// What its owner knows it by; comes back in
    /// [`Event::MessageRead`](crate::Event::MessageRead).
    pub id: String,
    /// As it will stand in the history.
    pub content: Content,
}

/// A queue between the owner of a session, who puts messages in, and the run, which takes them
/// before each turn.
#[derive(Debug, Clone, Default)]
pub struct Inbox {
    /// Held only to push or drain; never across an await.
    messages: Arc<Mutex<VecDeque<Message>>>,
}

impl Inbox {
    /// Puts a message in.
    pub fn push(&self, id: impl Into<String>, content: Content) {
        self.lock().push_back(Message { id: id.into(), content });
    }

    /// Puts these in place of what is in it.
    pub fn replace(&self, messages: impl IntoIterator<Item = Message>) {
        *self.lock() = messages.into_iter().collect();
    }

    /// Takes all messages, in order.
    pub fn drain(&self) -> Vec<Message> {
        self.lock().drain(..).collect()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// How many it holds.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Message>> {
        // A queue is whole after every step, so a panic elsewhere leaves nothing half-done.
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
