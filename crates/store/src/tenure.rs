//! Who may append to a session.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::error::StoreError;
use crate::record::Append;

/// The right to append to a session, which one owner has at a time.
#[derive(Debug, Clone)]
pub struct Tenure {
    /// Its number, which appends name; that of a later tenure of the session is higher.
    pub term: u64,
    /// Cancelled when the owner has to stop acting for the session: another one may own it.
    pub lost: CancellationToken,
}

/// Whether another server may still act for its sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeState {
    /// It may.
    Alive,
    /// Its lease runs, but it has lost the connection by which others see that its process lives: that may come back.
    Unlocked,
    /// Its lease is over.
    Over,
}

/// Whether `append` is one of the owner, whose term this is; without an owner everybody may append.
pub(crate) fn check_term(append: &Append, owner: Option<u64>) -> Result<(), StoreError> {
    if append.term == owner { Ok(()) } else { Err(StoreError::Fenced(append.session.clone())) }
}

/// The owners of sessions within one process, for a store that no other process shares.
#[derive(Debug, Default)]
pub(crate) struct LocalOwners {
    /// Locked only for a lookup, an insert or a removal.
    state: Mutex<Owners>,
}

#[derive(Debug, Default)]
struct Owners {
    /// The newest term of any session.
    newest: u64,
    owned: HashMap<String, Tenure>,
}

impl LocalOwners {
    fn lock(&self) -> MutexGuard<'_, Owners> {
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a tenure; the other value is whether it ends another one.
    pub(crate) fn take(&self, id: &str) -> (Tenure, bool) {
        let mut state = self.lock();
        state.newest += 1;
        let tenure = Tenure { term: state.newest, lost: CancellationToken::new() };
        let before = state.owned.insert(id.to_owned(), tenure.clone());
        if let Some(before) = &before {
            before.lost.cancel();
        }
        (tenure, before.is_some())
    }

    /// Refuses an append that is not the owner's.
    pub(crate) fn check(&self, append: &Append) -> Result<(), StoreError> {
        let owner = self.lock().owned.get(&append.session).map(|tenure| tenure.term);
        check_term(append, owner)
    }

    /// Ends the tenure of this term, unless it has ended.
    pub(crate) fn release(&self, id: &str, term: u64) {
        let mut state = self.lock();
        if state.owned.get(id).is_some_and(|tenure| tenure.term == term) {
            state.owned.remove(id);
        }
    }
}
