//! Texts for clients: kept while somebody may ask for them again or is being sent them, and shared by all who are.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use axum::http::StatusCode;
use bytes::Bytes;
use studio::Bound;
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::super::problem::Problem;

/// Bytes of one permit.
const UNIT: u64 = 1024;
/// How long a text waits for room, until clients that read slowly are cut off.
const PATIENCE: Duration = Duration::from_secs(20);

/// The memory of texts.
#[derive(Debug, Clone)]
pub(super) struct Room {
    units: u64,
    free: Arc<Semaphore>,
}

/// A text that holds its room until the last one who has it lets go of it.
struct Counted {
    text: Vec<u8>,
    _room: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

impl Room {
    /// Room for so many bytes of all texts that are kept or on their way to clients.
    pub(super) fn new(bytes: u64) -> Self {
        let units = bytes / UNIT;
        Self { units, free: Arc::new(Semaphore::new(units as usize)) }
    }

    /// The limit that all clients share.
    pub(super) fn bound(&self) -> Bound {
        Bound::of_permits("answer_bytes", &self.free, self.units * UNIT, UNIT)
    }

    /// A text, once there is room for it. `make_room` drops what nobody is being sent.
    pub(super) async fn of(
        &self,
        text: Vec<u8>,
        make_room: impl FnOnce(),
    ) -> Result<Bytes, Problem> {
        let permit = self.take(text.capacity() as u64, make_room).await?;
        Ok(Bytes::from_owner(Counted { text, _room: permit }))
    }

    /// Room for so many bytes, once there is some.
    pub(super) async fn take(
        &self,
        bytes: u64,
        make_room: impl FnOnce(),
    ) -> Result<OwnedSemaphorePermit, Problem> {
        let units = bytes.div_ceil(UNIT).min(self.units) as u32;
        let room = Arc::clone(&self.free);
        if let Ok(permit) = Arc::clone(&room).try_acquire_many_owned(units) {
            return Ok(permit);
        }
        make_room();
        // The semaphore is never closed.
        let waited = timeout(PATIENCE, room.acquire_many_owned(units)).await;
        waited.ok().and_then(Result::ok).ok_or_else(|| {
            let detail = "too much is on its way to clients that read slowly; try again";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
        })
    }
}

/// A value that is made once, by the first who needs it.
pub(super) type Cell<V> = Arc<OnceCell<V>>;

/// What was last made of some things, which never change while they are held; so each is known by its address.
#[derive(Debug)]
pub(super) struct MadeOf<T, V> {
    /// Ordered by last use. Locked only for a lookup or an insert.
    kept: Mutex<VecDeque<(Weak<T>, Cell<V>)>>,
    most: usize,
}

impl<T, V> MadeOf<T, V> {
    pub(super) fn new(most: usize) -> Self {
        Self { kept: Mutex::default(), most }
    }

    /// The place of what is made of a thing.
    pub(super) fn cell(&self, of: &Arc<T>) -> Cell<V> {
        // A panic cannot leave the list inconsistent, so a poisoned lock is safe to use.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, _)| known.strong_count() > 0);
        let address = Arc::as_ptr(of);
        let found = kept.iter().position(|(known, _)| std::ptr::eq(known.as_ptr(), address));
        let entry = found
            .and_then(|at| kept.remove(at))
            .unwrap_or_else(|| (Arc::downgrade(of), Cell::default()));
        let cell = Arc::clone(&entry.1);
        kept.push_back(entry);
        if kept.len() > self.most {
            kept.pop_front();
        }
        cell
    }

    /// Drops all.
    pub(super) fn clear(&self) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Drops what nobody can ask for any more.
    pub(super) fn forget_unused(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, _)| known.strong_count() > 0);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.kept.lock().unwrap().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1024 * 1024;

    #[tokio::test(start_paused = true)]
    async fn a_text_has_its_room_until_the_last_one_lets_go_of_it() {
        let room = Room::new(512 * MIB as u64);
        let text = room.of(vec![b'a'; 300 * MIB], || ()).await.unwrap();
        let slice = text.slice(5..10);
        drop(text);
        assert_eq!(room.bound().used, 300 * MIB as u64);
        // What is kept for others makes room.
        let mut kept = Some(slice);
        let next = room.of(vec![b'b'; 300 * MIB], || kept = None).await.unwrap();
        assert_eq!(room.bound().used, 300 * MIB as u64);
        // Who is being sent something does not.
        let refused = room.of(vec![b'c'; 300 * MIB], || ()).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        drop((next, kept));
        assert_eq!(room.bound().used, 0);
    }
}
