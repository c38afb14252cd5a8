//! Who talks to which session.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Who talked to each session last: what models are asked for it counts for that address.
#[derive(Debug, Default)]
pub(crate) struct Talkers {
    /// Locked only for a lookup or an insert.
    by_session: Mutex<HashMap<Arc<str>, IpAddr>>,
}

/// The session that a model is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Asker {
    pub(crate) session: Arc<str>,
    pub(crate) talkers: Arc<Talkers>,
}

impl Asker {
    /// The address for which it counts.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        self.talkers.of(&self.session)
    }
}

impl Talkers {
    /// Who talked to a session last; `None` where nobody has since the start.
    pub(crate) fn of(&self, session: &str) -> Option<IpAddr> {
        self.lock().get(session).copied()
    }

    /// Forgets sessions that are not in memory.
    pub(crate) fn keep(&self, is_in_memory: impl Fn(&str) -> bool) {
        self.lock().retain(|session, _| is_in_memory(session));
    }

    pub(super) fn note(&self, session: &str, address: IpAddr) {
        self.lock().insert(session.into(), address);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, IpAddr>> {
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        self.by_session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
