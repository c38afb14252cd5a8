//! The scene that the model, the person and the preview share.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use scene::{Applied, Assets, Edit, HistoryError, Kind, Revision, Scene, SceneManager, Violations};
use tokio::sync::watch;

use crate::attention::Attention;

/// Who made a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The language model.
    Model,
    /// The person.
    User,
}

impl Author {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::User => "user",
        }
    }

    /// The author of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Model, Self::User].into_iter().find(|author| author.name() == name)
    }
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
    /// What `manager` can do.
    pub fn of(manager: &SceneManager) -> Self {
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
    attention: Attention,
}

/// Why a change of the person was refused.
#[derive(Debug, thiserror::Error)]
pub enum EditFault {
    /// It breaks the scene's rules.
    #[error(transparent)]
    Invalid(#[from] Violations),
    /// Somebody else changed the same things in the meantime.
    #[error("{0}")]
    Stale(Violations),
}

impl SharedScene {
    /// Shares `manager`.
    pub fn new(manager: SceneManager, attention: Attention) -> Self {
        let latest = watch::Sender::new(manager.current().clone());
        let state = State { manager, untold: VecDeque::new(), attention };
        Self { state: Mutex::new(state), latest }
    }

    /// Goes back to what could be kept: changes made since are gone, told to nobody. What edits may
    /// name stays.
    pub fn reset(&self, manager: SceneManager, attention: Attention) {
        let mut state = self.lock();
        let manager = manager.with_assets(Arc::clone(state.manager.assets()));
        self.latest.send_replace(manager.current().clone());
        *state = State { manager, untold: VecDeque::new(), attention };
    }

    /// The scene as the model is about to see it, and what the person changed since the model's last
    /// run, in words.
    pub fn show_to_model(&self) -> (Revision, String) {
        let mut state = self.lock();
        let revision = state.manager.current().clone();
        let report = state.attention.report(&state.manager);
        state.attention.model_looked(revision.number);
        (revision, report)
    }

    /// The model's run ended: what it has seen need not be told again.
    pub fn run_ended(&self) {
        self.lock().attention.run_ended();
    }

    /// What edits may name.
    pub fn assets(&self) -> Arc<dyn Assets> {
        Arc::clone(self.lock().manager.assets())
    }

    /// A revision that is still at hand.
    pub fn revision(&self, number: u64) -> Result<Revision, HistoryError> {
        let state = self.lock();
        state.manager.revision(number).cloned().ok_or_else(|| state.manager.unknown(number))
    }

    /// The scene as it stands.
    pub fn current(&self) -> Revision {
        self.latest.borrow().clone()
    }

    /// Sees every newest revision.
    pub fn subscribe(&self) -> watch::Receiver<Revision> {
        self.latest.subscribe()
    }

    /// Makes all edits of the model as one revision, or none of them. The person's changes since the
    /// model last looked stand: an edit of the same thing is refused with what is there now.
    pub fn apply_for_model(&self, edits: &[Edit]) -> Result<Applied, Violations> {
        let mut state = self.lock();
        let attention = &state.attention;
        refuse_stale(edits, state.manager.current(), "the user", |kind, id| {
            attention.is_stale(&(kind, id.to_owned()))
        })?;
        let applied = state.manager.apply(edits)?;
        self.publish(&mut state, Author::Model, &applied);
        Ok(applied)
    }

    /// Makes all edits of the person as one revision, or none of them. With `seen`, things that
    /// differ now from what they were in that revision are not touched.
    pub fn apply_for_user(&self, edits: &[Edit], seen: Option<u64>) -> Result<Applied, EditFault> {
        let mut state = self.lock();
        if let Some(seen) = seen {
            let now = state.manager.current();
            let base = state.manager.revision(seen).ok_or_else(|| {
                EditFault::Stale(Violations::one(state.manager.unknown(seen).to_string()))
            })?;
            refuse_stale(edits, now, "somebody else", |kind, id| {
                base.scene.thing(kind, id) != now.scene.thing(kind, id)
            })
            .map_err(EditFault::Stale)?;
        }
        let applied = state.manager.apply(edits)?;
        self.publish(&mut state, Author::User, &applied);
        Ok(applied)
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

    /// The changes up to revision `until` that were not taken before, oldest first.
    pub fn take_published(&self, until: u64) -> Vec<Published> {
        let mut state = self.lock();
        let count =
            state.untold.partition_point(|published| published.applied.revision.number <= until);
        state.untold.drain(..count).collect()
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
            if by == Author::User {
                let number = applied.revision.number;
                state.attention.person_changed(number, &applied.changes);
            }
            state.untold.push_back(Published { by, applied: applied.clone(), steps });
            self.latest.send_replace(applied.revision.clone());
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The manager swaps whole scenes, so a panic in an edit leaves the one before.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses edits of things that are not as the author of the edits knows them.
fn refuse_stale(
    edits: &[Edit],
    now: &Revision,
    other: &str,
    is_stale: impl Fn(Kind, &str) -> bool,
) -> Result<(), Violations> {
    let targets = edits.iter().filter_map(Edit::target);
    let faults = targets.filter_map(|(kind, id)| {
        let id = id.map_or("", |id| id.as_str());
        if !is_stale(kind, id) {
            return None;
        }
        let name = match id {
            "" => format!("the {}", kind.name()),
            id => format!("{} '{id}'", kind.name()),
        };
        Some(Violations::one(match now.scene.thing(kind, id) {
            Some(value) => format!(
                "{name} was changed by {other} in the meantime, and that change stands; it is now \
                 {value}. Change it again only if that is still wanted"
            ),
            None => format!("{name} was removed by {other} in the meantime"),
        }))
    });
    Violations::joined(faults).map_or(Ok(()), Err)
}
