//! Who uses a session: an actor ends only when no handle is out, and none is given out after that.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The uses of one session.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// The estimated bytes of memory of the session.
    memory: AtomicU64,
    /// Locked to count; never across an await.
    count: Mutex<Count>,
}

#[derive(Debug, Default)]
struct Count {
    guards: usize,
    closed: bool,
}

impl Uses {
    /// A use of the session; `None` when its actor is ending.
    pub(crate) fn enter(self: &Arc<Self>) -> Option<InUse> {
        let mut count = self.lock();
        if count.closed {
            return None;
        }
        count.guards += 1;
        Some(InUse(Arc::clone(self)))
    }

    /// The estimated bytes of memory of the session.
    pub(crate) fn memory(&self) -> u64 {
        self.memory.load(Ordering::Relaxed)
    }

    /// Notes how much memory the session takes.
    pub(crate) fn set_memory(&self, bytes: u64) {
        self.memory.store(bytes, Ordering::Relaxed);
    }

    /// Lets nobody in any more, if nobody is in; returns whether that is so.
    pub(crate) fn close_if_unused(&self) -> bool {
        let mut count = self.lock();
        count.closed |= count.guards == 0;
        count.closed
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        // Counting does not panic, so a poisoned lock is safe to use.
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A guard that keeps a session awake while it lives.
#[derive(Debug)]
pub(crate) struct InUse(Arc<Uses>);

impl Clone for InUse {
    fn clone(&self) -> Self {
        self.0.lock().guards += 1;
        Self(Arc::clone(&self.0))
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        self.0.lock().guards -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_closes_only_when_every_guard_is_gone() {
        let uses = Arc::new(Uses::default());
        let first = uses.enter().unwrap();
        let second = first.clone();
        drop(first);
        assert!(!uses.close_if_unused());
        drop(second);
        assert!(uses.enter().is_some(), "it did not close before");
        assert!(uses.close_if_unused() && uses.enter().is_none());
    }
}
