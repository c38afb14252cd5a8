//! `SceneManager`: the scene over time. Revisions are immutable and numbered upwards; undo, redo
//! and restore each make a new revision, so nothing is ever taken out of the past.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde_json::Value;

use crate::diff::{Change, diff};
use crate::document::{Object, Scene};
use crate::edit::Edit;
use crate::violations::{Faults, Violations};

/// How many revisions can be gone back to. A revision costs a pointer per object.
pub const MAX_REVISIONS: usize = 1_000;

/// A published state of the scene; never changes.
#[derive(Debug, Clone)]
pub struct Revision {
    /// Counts up from 0 in a session.
    pub number: u64,
    /// The scene.
    pub scene: Arc<Scene>,
}

/// What an accepted change did.
#[derive(Debug, Clone)]
pub struct Applied {
    /// The revision it led to; the one before when nothing differs.
    pub revision: Revision,
    /// The whole object each edit touched, in the order of the edits.
    pub results: Vec<Value>,
    /// What differs from the revision before.
    pub changes: Vec<Change>,
}

/// Why the past could not be gone back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// Undo on the first revision.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Redo without an undo before.
    #[error("there is nothing to redo")]
    NothingToRedo,
    /// The revision never was, or is too old to be kept.
    #[error("there is no revision {asked}; the newest is {newest} and the oldest kept is {oldest}")]
    UnknownRevision {
        /// What was asked for.
        asked: u64,
        /// The oldest that is kept.
        oldest: u64,
        /// The current one.
        newest: u64,
    },
}

/// A scene with its revisions and its undo stack.
#[derive(Debug, Clone)]
pub struct SceneManager {
    /// Oldest first, the current one last; never empty, at most [`MAX_REVISIONS`].
    revisions: VecDeque<Revision>,
    /// The scenes undo goes back to, the next one last.
    undo: VecDeque<Arc<Scene>>,
    /// The scenes redo goes forward to, the next one last.
    redo: Vec<Arc<Scene>>,
}

impl Default for SceneManager {
    fn default() -> Self {
        Self::new(Scene::default())
    }
}

impl SceneManager {
    /// Starts with `scene` as revision 0.
    pub fn new(scene: Scene) -> Self {
        let first = Revision { number: 0, scene: Arc::new(scene) };
        Self { revisions: VecDeque::from([first]), undo: VecDeque::new(), redo: Vec::new() }
    }

    /// The scene as it stands.
    pub fn current(&self) -> &Revision {
        // Never empty: made with one revision, and only ever grows or drops its oldest.
        &self.revisions[self.revisions.len() - 1]
    }

    /// A revision that is still kept.
    pub fn revision(&self, number: u64) -> Option<&Revision> {
        self.revisions.iter().find(|revision| revision.number == number)
    }

    /// Makes all edits as one revision and one undo step, or none of them. With several edits the
    /// faults say which edit they belong to.
    pub fn apply(&mut self, edits: &[Edit]) -> Result<Applied, Violations> {
        let mut draft = (*self.current().scene).clone();
        let mut faults = Faults::default();
        let mut results = Vec::with_capacity(edits.len());
        for (index, edit) in edits.iter().enumerate() {
            match edit.apply(&mut draft) {
                Ok(result) => results.push(result),
                Err(violations) if edits.len() == 1 => faults.add_all(violations),
                Err(violations) => {
                    faults.add_all(violations.prefixed(&format!("edit {}: ", index + 1)));
                }
            }
        }
        let results = faults.finish(Some(results))?;
        Ok(self.publish(draft, results))
    }

    /// Replaces the whole scene as one revision and one undo step.
    pub fn replace(&mut self, mut scene: Scene) -> Applied {
        let current = &self.current().scene;
        share(&current.shapes, &mut scene.shapes);
        share(&current.lights, &mut scene.lights);
        self.publish(scene, Vec::new())
    }

    /// Takes the last change back.
    pub fn undo(&mut self) -> Result<Applied, HistoryError> {
        let scene = self.undo.pop_back().ok_or(HistoryError::NothingToUndo)?;
        self.redo.push(Arc::clone(&self.current().scene));
        Ok(self.advance(scene, Vec::new()))
    }

    /// Makes the last change that was taken back again.
    pub fn redo(&mut self) -> Result<Applied, HistoryError> {
        let scene = self.redo.pop().ok_or(HistoryError::NothingToRedo)?;
        self.push_undo();
        Ok(self.advance(scene, Vec::new()))
    }

    /// Makes the scene of an earlier revision the current one, as a new revision that can be undone.
    pub fn restore(&mut self, number: u64) -> Result<Applied, HistoryError> {
        let scene =
            self.revision(number).map(|revision| Arc::clone(&revision.scene)).ok_or_else(|| {
                HistoryError::UnknownRevision {
                    asked: number,
                    oldest: self.revisions[0].number,
                    newest: self.current().number,
                }
            })?;
        Ok(self.publish((*scene).clone(), Vec::new()))
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    fn publish(&mut self, scene: Scene, results: Vec<Value>) -> Applied {
        if scene == *self.current().scene {
            return Applied { revision: self.current().clone(), results, changes: Vec::new() };
        }
        self.push_undo();
        self.redo.clear();
        self.advance(Arc::new(scene), results)
    }

    fn push_undo(&mut self) {
        if self.undo.len() == MAX_REVISIONS {
            self.undo.pop_front();
        }
        self.undo.push_back(Arc::clone(&self.current().scene));
    }

    fn advance(&mut self, scene: Arc<Scene>, results: Vec<Value>) -> Applied {
        let before = self.current().clone();
        let changes = diff(&before.scene, &scene);
        let revision = Revision { number: before.number + 1, scene };
        if self.revisions.len() == MAX_REVISIONS {
            self.revisions.pop_front();
        }
        self.revisions.push_back(revision.clone());
        Applied { revision, results, changes }
    }
}

/// Lets `new` use the objects of `old` where they are equal, so that a revision costs only what
/// differs.
fn share<T: Object + PartialEq>(old: &[Arc<T>], new: &mut [Arc<T>]) {
    let by_id: HashMap<&str, &Arc<T>> =
        old.iter().map(|object| (object.id().as_str(), object)).collect();
    for object in new {
        if let Some(same) = by_id.get(object.id().as_str()).filter(|same| **same == object) {
            *object = Arc::clone(same);
        }
    }
}
