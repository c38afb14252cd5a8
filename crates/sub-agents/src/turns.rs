//! Who works at the same time: a few agents at most, and no two on the same part of a scene.

use std::sync::{Mutex, MutexGuard, PoisonError};

use studio::Scope;
use tokio::sync::Notify;

/// The most agents of a session that work at the same time; others wait.
pub const MAX_AT_ONCE: usize = 3;

/// The agents that work, and those that wait.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// Locked to come and go; never across an await.
    queue: Mutex<Queue>,
    /// Told when one goes.
    gone: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    next: u64,
    /// In the order in which they came.
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    scope: Scope,
    works: bool,
}

/// A place among those who work or wait; dropping it makes room.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    turns: &'a Turns,
    number: u64,
}

impl Turns {
    /// Waits until an agent with this scope may work: until few enough others work, and none that came before
    /// concerns the same things.
    pub(crate) async fn take(&self, scope: &Scope) -> Turn<'_> {
        let turn = self.come(scope);
        loop {
            let gone = self.gone.notified();
            tokio::pin!(gone);
            // Before looking, so that none who goes meanwhile is missed.
            gone.as_mut().enable();
            if self.begins(turn.number) {
                return turn;
            }
            gone.await;
        }
    }

    fn come(&self, scope: &Scope) -> Turn<'_> {
        let mut queue = self.lock();
        let number = queue.next;
        queue.next += 1;
        queue.entries.push(Entry { number, scope: scope.clone(), works: false });
        Turn { turns: self, number }
    }

    fn begins(&self, number: u64) -> bool {
        let mut queue = self.lock();
        let working = queue.entries.iter().filter(|entry| entry.works).count();
        let Some(at) = queue.entries.iter().position(|entry| entry.number == number) else {
            return false;
        };
        let (before, own) = queue.entries.split_at_mut(at);
        let is_free = before.iter().all(|other| !other.scope.overlaps(&own[0].scope));
        own[0].works = is_free && working < MAX_AT_ONCE;
        own[0].works
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        // Each change is one step, so a poisoned lock is safe to use.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.turns.lock().entries.retain(|entry| entry.number != self.number);
        self.turns.gone.notify_waiters();
    }
}
