//! The scene that the model, the person and the preview share.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use scene::{Applied, Edit, HistoryError, Revision, Scene, SceneManager, Violations};
use tokio::sync::watch;

/// Who made a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The language model.
    Model,
    /// The person.
    User,
}

/// A change that was made.
#[derive(Debug, Clone)]
pub struct Published {
    /// By whom.
    pub by: Author,
    /// What it did.
    pub applied: Applied,
    /// What can be gone back and forward to from there.
    pub steps: Steps,
}

/// Whether there is something to undo and to redo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    /// A change can be taken back.
    pub can_undo: bool,
    /// A change that was taken back can be made again.
    pub can_redo: bool,
}

impl Steps {
    fn of(manager: &SceneManager) -> Self {
        Self { can_undo: manager.can_undo(), can_redo: manager.can_redo() }
    }
}

/// A scene that many hold and one call at a time changes. Edits are all or nothing.
#[derive(Debug)]
pub struct SharedScene {
    /// Held for the length of one edit: pure computation, never across an await.
    state: Mutex<State>,
    /// The newest revision; renderers want no others, so a `watch`.
    latest: watch::Sender<Revision>,
}

#[derive(Debug)]
struct State {
    manager: SceneManager,
    /// Changes the owner of the session has not told its clients of yet. Its owner takes them with
    /// every event of a run, and a run waits for its owner, so there are never many.
    untold: VecDeque<Published>,
}

impl SharedScene {
    /// Shares `manager`.
    pub fn new(manager: SceneManager) -> Self {
        let latest = watch::Sender::new(manager.current().clone());
        Self { state: Mutex::new(State { manager, untold: VecDeque::new() }), latest }
    }

    /// The scene as it stands.
    pub fn current(&self) -> Revision {
        self.latest.borrow().clone()
    }

    /// Sees every newest revision.
    pub fn subscribe(&self) -> watch::Receiver<Revision> {
        self.latest.subscribe()
    }

    /// Makes all edits as one revision, or none of them.
    pub fn apply(&self, edits: &[Edit], by: Author) -> Result<Applied, Violations> {
        self.change(by, |manager| manager.apply(edits))
    }

    /// Replaces the whole scene.
    pub fn replace(&self, scene: Scene, by: Author) -> Applied {
        let mut state = self.lock();
        let applied = state.manager.replace(scene);
        self.publish(&mut state, by, &applied);
        applied
    }

    /// Takes the last change back.
    pub fn undo(&self, by: Author) -> Result<Applied, HistoryError> {
        self.change(by, SceneManager::undo)
    }

    /// Makes the change that was taken back again.
    pub fn redo(&self, by: Author) -> Result<Applied, HistoryError> {
        self.change(by, SceneManager::redo)
    }

    /// Makes an earlier revision the current one, as a new revision.
    pub fn restore(&self, revision: u64, by: Author) -> Result<Applied, HistoryError> {
        self.change(by, |manager| manager.restore(revision))
    }

    /// The changes up to revision `until` that were not taken before, oldest first.
    pub fn take_published(&self, until: u64) -> Vec<Published> {
        let mut state = self.lock();
        let count =
            state.untold.partition_point(|published| published.applied.revision.number <= until);
        state.untold.drain(..count).collect()
    }

    /// All changes that were not taken before, and the scene they led to, of the same moment.
    pub fn take_all_published(&self) -> (Vec<Published>, Revision, Steps) {
        let mut state = self.lock();
        let untold = state.untold.drain(..).collect();
        (untold, state.manager.current().clone(), Steps::of(&state.manager))
    }

    fn change<E>(
        &self,
        by: Author,
        make: impl FnOnce(&mut SceneManager) -> Result<Applied, E>,
    ) -> Result<Applied, E> {
        let mut state = self.lock();
        let applied = make(&mut state.manager)?;
        self.publish(&mut state, by, &applied);
        Ok(applied)
    }

    /// Tells everyone, still under the lock so that revisions are told in order.
    fn publish(&self, state: &mut State, by: Author, applied: &Applied) {
        if applied.revision.number != self.latest.borrow().number {
            let steps = Steps::of(&state.manager);
            state.untold.push_back(Published { by, applied: applied.clone(), steps });
            self.latest.send_replace(applied.revision.clone());
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The manager swaps whole scenes, so a panic in an edit leaves the one before.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
