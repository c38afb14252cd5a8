//! A queue in front of what only so many may do at a time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use llm::ModelError;
use studio::Bound;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::shares::of_one;

/// A queue of requests to models, in order of arrival. One address has at most three quarters of the places.
#[derive(Debug)]
pub(crate) struct Queue {
    /// The names of its limits in the metrics.
    names: [&'static str; 2],
    most_running: usize,
    most_waiting: usize,
    running: Arc<Semaphore>,
    /// Locked only to count.
    waiting: Mutex<Counts>,
}

/// Queued requests.
#[derive(Debug, Default)]
struct Counts {
    all: usize,
    /// Only addresses that have some.
    by_address: HashMap<IpAddr, usize>,
}

/// A queued request; counted while it lives.
struct Waiting<'a> {
    queue: &'a Queue,
    address: Option<IpAddr>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut counts = self.queue.lock();
        counts.all -= 1;
        let Some(address) = self.address else { return };
        if let Some(count) = counts.by_address.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                counts.by_address.remove(&address);
            }
        }
    }
}

impl Queue {
    /// A queue of `most_waiting` requests of which `most_running` are answered at the same time.
    pub(crate) fn new(names: [&'static str; 2], most_running: usize, most_waiting: usize) -> Self {
        let (running, waiting) = (Arc::new(Semaphore::new(most_running)), Mutex::default());
        Self { names, most_running, most_waiting, running, waiting }
    }

    /// Waits for a turn, which lasts for as long as the permit. The request counts for `address`, if one is known.
    pub(crate) async fn enter(
        &self,
        address: Option<IpAddr>,
    ) -> Result<OwnedSemaphorePermit, ModelError> {
        let _waiting = self.wait(address).map_err(ModelError::Unavailable)?;
        let turn = Arc::clone(&self.running).acquire_owned().await;
        // The semaphore is never closed.
        turn.map_err(|_| ModelError::Unavailable("the server is stopping".to_owned()))
    }

    /// A place among those that wait.
    fn wait(&self, address: Option<IpAddr>) -> Result<Waiting<'_>, String> {
        let mut counts = self.lock();
        let (before, most) = (counts.all, self.most_waiting);
        if before >= most {
            return Err(format!(
                "{before} requests to models are waiting, which is the limit of this server. Try again \
                 in a minute."
            ));
        }
        if let Some(address) = address {
            let own = counts.by_address.entry(address).or_default();
            if *own >= of_one(most) {
                return Err(format!(
                    "{own} requests to models of this address are waiting, which is the limit for one. \
                     Try again in a minute."
                ));
            }
            *own += 1;
        }
        counts.all += 1;
        Ok(Waiting { queue: self, address })
    }

    /// The number of queued requests.
    pub(crate) fn waiting(&self) -> usize {
        self.lock().all
    }

    /// The limits that all clients share.
    pub(crate) fn bounds(&self) -> [Bound; 2] {
        let [running, waiting] = self.names;
        let running = Bound::of_permits(running, &self.running, self.most_running as u64, 1);
        let (used, limit) = (self.waiting() as u64, self.most_waiting as u64);
        [running, Bound { name: waiting, used, limit }]
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        // A panic cannot leave the counts inconsistent, so a poisoned lock is safe to use.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_leaves_places_in_the_queue_to_others() {
        let queue = Queue::new(["running", "waiting"], 1, 8);
        let greedy = Some("10.0.0.1".parse().unwrap());
        let other = Some("10.0.0.2".parse().unwrap());
        let waiting: Vec<_> = (0..6).map(|_| queue.wait(greedy).unwrap()).collect();
        let refused = queue.wait(greedy).map(drop).unwrap_err();
        assert!(refused.contains("6 requests to models of this address"), "{refused}");
        let others = [queue.wait(other).unwrap(), queue.wait(None).unwrap()];
        let refused = queue.wait(other).map(drop).unwrap_err();
        assert!(refused.contains("8 requests to models are waiting"), "{refused}");
        drop((waiting, others));
        assert!(queue.enter(greedy).await.is_ok());
        assert_eq!((queue.waiting(), queue.lock().by_address.len()), (0, 0));
    }
}
