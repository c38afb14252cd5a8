//! Clients of the renderer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::Semaphore;

/// The most pictures one client may have in progress or queued; beyond it, requests are rejected. More
/// than any page requests at once.
pub(crate) const MAX_PICTURES_PER_CLIENT: usize = 8;

/// A client of the renderer: a session, or an address without one. Scheduling is fair between
/// clients. Cheap to clone; clones are the same client.
#[derive(Debug, Clone, Default)]
pub struct RenderClient(Arc<Account>);

#[derive(Debug)]
struct Account {
    /// Microseconds of turns it has had on each pool; see [`Scheduler`](crate::schedule::Scheduler).
    used: [AtomicU64; 2],
    /// Pictures in progress or queued.
    pictures: AtomicUsize,
    /// One permit: large pictures of a client are rendered one after another.
    large: Arc<Semaphore>,
    /// One permit: small pictures of a client are rendered one after another, concurrently with a large
    /// one.
    small: Arc<Semaphore>,
}

impl Default for Account {
    fn default() -> Self {
        let one = || Arc::new(Semaphore::new(1));
        Self { used: Default::default(), pictures: AtomicUsize::new(0), large: one(), small: one() }
    }
}

impl RenderClient {
    /// The time used on the pool with this number.
    pub(crate) fn used(&self, pool: usize) -> &AtomicU64 {
        &self.0.used[pool]
    }

    /// Whether both are the same client.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The semaphore for its pictures of this size.
    pub(crate) fn lane(&self, is_large: bool) -> Arc<Semaphore> {
        Arc::clone(if is_large { &self.0.large } else { &self.0.small })
    }

    /// Counts a picture until the guard is dropped; `None` if the client has too many.
    pub(crate) fn accept_picture(&self) -> Option<AcceptedPicture> {
        let count = self.0.pictures.fetch_add(1, Ordering::Relaxed);
        let accepted = AcceptedPicture(self.clone());
        (count < MAX_PICTURES_PER_CLIENT).then_some(accepted)
    }
}

/// A guard that counts one picture of a client.
pub(crate) struct AcceptedPicture(RenderClient);

impl Drop for AcceptedPicture {
    fn drop(&mut self) {
        self.0.0.pictures.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Clients by name, for as long as they are in use.
#[derive(Debug, Default)]
pub(crate) struct NamedClients(Mutex<HashMap<String, Weak<Account>>>);

impl NamedClients {
    /// The client of this name.
    pub(crate) fn get(&self, name: &str) -> RenderClient {
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        let mut named = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(account) = named.get(name).and_then(Weak::upgrade) {
            return RenderClient(account);
        }
        named.retain(|_, account| account.strong_count() > 0);
        let client = RenderClient::default();
        named.insert(name.to_owned(), Arc::downgrade(&client.0));
        client
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_client_while_somebody_holds_it() {
        let clients = NamedClients::default();
        let first = clients.get("a");
        assert!(first.is(&clients.get("a")) && !first.is(&clients.get("b")));
        drop(first);
        let _ = clients.get("c");
        assert_eq!(clients.0.lock().unwrap().len(), 1);
    }

    #[test]
    fn a_client_has_a_bounded_number_of_pictures() {
        let client = RenderClient::default();
        let accepted: Vec<_> =
            (0..MAX_PICTURES_PER_CLIENT).map(|_| client.accept_picture()).collect();
        assert!(accepted.iter().all(Option::is_some) && client.accept_picture().is_none());
        drop(accepted);
        assert!(client.accept_picture().is_some());
    }
}
