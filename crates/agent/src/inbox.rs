//! The inbox: messages of the user that no run has read yet.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use llm::Content;

/// An unread message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Its id, which is reported in
    /// [`Event::MessageRead`](crate::Event::MessageRead).
    pub id: String,
    /// Its content in the history.
    pub content: Content,
}

/// A queue from the owner of a session to the run, which takes the messages before each turn.
#[derive(Debug, Clone, Default)]
pub struct Inbox {
    /// Locked only to push or drain; never across an await.
    messages: Arc<Mutex<VecDeque<Message>>>,
}

impl Inbox {
    /// Adds a message.
    pub fn push(&self, id: impl Into<String>, content: Content) {
        self.lock().push_back(Message { id: id.into(), content });
    }

    /// Replaces all messages.
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
        // The queue is consistent after every step, so a poisoned lock is safe to use.
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
