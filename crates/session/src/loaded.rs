//! The sessions in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::Tenure;
use tokio::sync::OnceCell;

use crate::handle::SessionHandle;
use crate::in_use::Uses;

/// A session in memory, as the list has it.
pub(crate) struct Awake {
    pub(crate) session: SessionHandle,
    pub(crate) uses: Arc<Uses>,
    pub(crate) tenure: Tenure,
}

impl Awake {
    /// A handle; `None` when the actor is ending.
    pub(crate) fn handle(&self) -> Option<SessionHandle> {
        let in_use = self.uses.enter().filter(|_| !self.session.commands.is_closed())?;
        Some(SessionHandle { in_use: Some(in_use), ..self.session.clone() })
    }
}

/// A session's place in memory; its first request fills the cell.
pub(crate) type Slot = Arc<OnceCell<Awake>>;

/// The estimated bytes of memory of these sessions.
pub(crate) fn memory_of(slots: &HashMap<Arc<str>, Slot>) -> u64 {
    slots.values().filter_map(|slot| slot.get()).map(|one| one.uses.memory()).sum()
}

/// The sessions in memory.
#[derive(Default)]
pub(crate) struct Loaded {
    /// Locked only for a lookup, an insert or a removal.
    slots: Mutex<HashMap<Arc<str>, Slot>>,
}

impl Loaded {
    /// How many sessions there are, and the estimated bytes of their memory.
    pub(crate) fn size(&self) -> (usize, u64) {
        let slots = self.lock();
        (slots.len(), memory_of(&slots))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, Slot>> {
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes a session whose actor has ended, but not one that was opened since.
    pub(crate) fn forget_ended(&self, id: &str) {
        let mut slots = self.lock();
        let slot = slots.get(id).and_then(|slot| slot.get());
        if slot.is_some_and(|one| one.session.ended.is_cancelled()) {
            slots.remove(id);
        }
    }
}
