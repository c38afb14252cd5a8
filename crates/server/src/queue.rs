//! A queue in front of what only so many may do at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use llm::ModelError;
use studio::Bound;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A queue of requests to models, in order of arrival.
#[derive(Debug)]
pub(crate) struct Queue {
    /// The names of its limits in the metrics.
    names: [&'static str; 2],
    most_running: usize,
    most_waiting: usize,
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// A queued request; counted while it lives.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Queue {
    /// A queue of `most_waiting` requests of which `most_running` are answered at the same time.
    pub(crate) fn new(names: [&'static str; 2], most_running: usize, most_waiting: usize) -> Self {
        let (running, waiting) = (Arc::new(Semaphore::new(most_running)), AtomicUsize::new(0));
        Self { names, most_running, most_waiting, running, waiting }
    }

    /// Waits for a turn, which lasts for as long as the permit.
    pub(crate) async fn enter(&self) -> Result<OwnedSemaphorePermit, ModelError> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(&self.waiting);
        let full = || {
            ModelError::Unavailable(format!(
                "{before} requests to models are waiting, which is the limit of this server. Try again \
                 in a minute."
            ))
        };
        if before >= self.most_waiting {
            return Err(full());
        }
        // The semaphore is never closed.
        Arc::clone(&self.running).acquire_owned().await.map_err(|_| full())
    }

    /// The number of queued requests.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// The limits that all clients share.
    pub(crate) fn bounds(&self) -> [Bound; 2] {
        let [running, waiting] = self.names;
        let running = Bound::of_permits(running, &self.running, self.most_running as u64, 1);
        let (used, limit) = (self.waiting() as u64, self.most_waiting as u64);
        [running, Bound { name: waiting, used, limit }]
    }
}
