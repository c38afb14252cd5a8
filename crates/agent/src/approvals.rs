//! The user's leave for calls that need it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Questions that wait for the user. Clones share them: one belongs to the run, one to whoever
/// hears the user.
#[derive(Debug, Clone, Default)]
pub struct Approvals {
    /// By call id. Held only to put in and take out; never across an await.
    waiting: Arc<Mutex<HashMap<String, oneshot::Sender<bool>>>>,
}

impl Approvals {
    /// Gives the user's answer to the call `call_id`; false when no such call waits.
    pub fn answer(&self, call_id: &str, allow: bool) -> bool {
        let asked = self.lock().remove(call_id);
        asked.is_some_and(|asked| asked.send(allow).is_ok())
    }

    /// Puts a question; the answer comes over the receiver.
    pub(crate) fn ask(&self, call_id: &str) -> oneshot::Receiver<bool> {
        let (sender, receiver) = oneshot::channel();
        self.lock().insert(call_id.to_owned(), sender);
        receiver
    }

    /// Takes a question back.
    pub(crate) fn withdraw(&self, call_id: &str) {
        self.lock().remove(call_id);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, oneshot::Sender<bool>>> {
        // A map is whole after every step, so a panic elsewhere leaves nothing half-done.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
