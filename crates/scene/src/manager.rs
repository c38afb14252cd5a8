//! `SceneManager`: the scene with its history. Revisions are immutable and numbered in ascending
//! order; undo, redo and restore create new revisions, so that history is never rewritten.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::assets::{Assets, NoAssets};
use crate::diff::{Change, diff};
use crate::document::{Object, Scene};
use crate::edit::Edit;
use crate::patch::Patch;
use crate::violations::{ReadErrors, Violations};

/// The number of revisions in memory. A revision costs one pointer per object.
pub const MAX_REVISIONS: usize = 1_000;

/// An immutable state of the scene.
#[derive(Debug, Clone)]
pub struct Revision {
    /// Counts from 0 in a session.
    pub number: u64,
    /// The scene.
    pub scene: Arc<Scene>,
}

/// The origin of a revision, for the undo stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A change that can be undone.
    Do,
    /// A change that is undone together with the one before it.
    More,
    /// Undo of the last change.
    Undo,
    /// Redo of the last undone change.
    Redo,
}

impl Step {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Do => "do",
            Self::More => "more",
            Self::Undo => "undo",
            Self::Redo => "redo",
        }
    }

    /// The step with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Do, Self::More, Self::Undo, Self::Redo].into_iter().find(|step| step.name() == name)
    }
}

/// The result of an accepted change.
#[derive(Debug, Clone)]
pub struct Applied {
    /// The new revision, or the previous one if nothing changed.
    pub revision: Revision,
    /// The origin of the revision.
    pub step: Step,
    /// The changed object of each edit, in the order of the edits.
    pub results: Vec<Value>,
    /// The differences from the previous revision.
    pub changes: Vec<Change>,
    /// The patch from the previous revision.
    pub patch: Patch,
}

/// An error of undo, redo or restore.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// Undo on the first revision.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Redo without an undo before.
    #[error("there is nothing to redo")]
    NothingToRedo,
    /// The revision does not exist or is no longer in memory.
    #[error("there is no revision {asked}; the newest is {newest} and the oldest kept is {oldest}")]
    UnknownRevision {
        /// The requested revision.
        asked: u64,
        /// The oldest revision in memory.
        oldest: u64,
        /// The current revision.
        newest: u64,
    },
}

/// A scene with uncommitted changes.
#[derive(Debug, Clone)]
pub struct Draft {
    scene: Scene,
    assets: Arc<dyn Assets>,
}

impl Draft {
    /// Its current state.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The assets that edits may use.
    pub fn assets(&self) -> &Arc<dyn Assets> {
        &self.assets
    }

    /// Applies an edit and returns the changed object. After an error the draft is unchanged.
    pub fn apply(&mut self, edit: &Edit) -> Result<Value, Violations> {
        edit.apply(&mut self.scene)
    }
}

/// A scene with its revisions and its undo stack, up to [`MAX_REVISIONS`].
#[derive(Debug, Clone)]
pub struct SceneManager {
    /// The oldest first, with consecutive numbers, the current one last; never empty.
    revisions: VecDeque<Revision>,
    /// The revisions that undo returns to, the next one last; all of them are in memory.
    undo: Vec<u64>,
    /// The revisions that redo returns to, the next one last; all of them are in memory.
    redo: Vec<u64>,
    /// The assets that edits may use, which others may extend.
    assets: Arc<dyn Assets>,
}

impl Default for SceneManager {
    fn default() -> Self {
        Self::new(Scene::default())
    }
}

impl SceneManager {
    /// A manager with `scene` as revision 0, without assets.
    pub fn new(scene: Scene) -> Self {
        Self::at(Revision { number: 0, scene: Arc::new(scene) })
    }

    fn at(revision: Revision) -> Self {
        Self {
            revisions: VecDeque::from([revision]),
            undo: Vec::new(),
            redo: Vec::new(),
            assets: Arc::new(NoAssets),
        }
    }

    /// The manager with the assets that edits may use.
    #[must_use]
    pub fn with_assets(self, assets: Arc<dyn Assets>) -> Self {
        Self { assets, ..self }
    }

    /// The assets that edits may use.
    pub fn assets(&self) -> &Arc<dyn Assets> {
        &self.assets
    }

    /// The current revision.
    pub fn current(&self) -> &Revision {
        // Never empty: it starts with one revision and only drops older ones.
        &self.revisions[self.revisions.len() - 1]
    }

    /// A revision, if it is in memory.
    pub fn revision(&self, number: u64) -> Option<&Revision> {
        let index = usize::try_from(number.checked_sub(self.revisions[0].number)?).ok()?;
        self.revisions.get(index)
    }

    /// Applies all edits as one revision and one undo step, or none of them. For several edits,
    /// errors name the edit.
    pub fn apply(&mut self, edits: &[Edit]) -> Result<Applied, Violations> {
        let mut draft = self.draft();
        let mut errors = ReadErrors::default();
        let mut results = Vec::with_capacity(edits.len());
        for (index, edit) in edits.iter().enumerate() {
            match draft.apply(edit) {
                Ok(result) => results.push(result),
                Err(violations) if edits.len() == 1 => errors.add_all(violations),
                Err(violations) => {
                    errors.add_all(violations.prefixed(&format!("edit {}: ", index + 1)));
                }
            }
        }
        if let Err(violations) = self.check_assets(&draft) {
            errors.add_all(violations);
        }
        let results = errors.finish(Some(results))?;
        Ok(self.publish(draft.scene, results))
    }

    /// A draft of the current scene, which is invisible to others until it is
    /// [committed](Self::commit).
    pub fn draft(&self) -> Draft {
        Draft { scene: (*self.current().scene).clone(), assets: Arc::clone(&self.assets) }
    }

    /// Commits a draft of the current scene as one undo step. `results` are passed on.
    pub fn commit(&mut self, draft: Draft, results: Vec<Value>) -> Result<Applied, Violations> {
        self.check_assets(&draft)?;
        Ok(self.publish(draft.scene, results))
    }

    /// Commits a draft of the current scene as a part of the last undo step.
    pub fn commit_more(&mut self, draft: Draft) -> Result<Applied, Violations> {
        self.check_assets(&draft)?;
        Ok(self.publish_as(Step::More, draft.scene, Vec::new()))
    }

    fn check_assets(&self, draft: &Draft) -> Result<(), Violations> {
        draft.scene.check_assets_but(&self.current().scene.asset_names(), &*self.assets)
    }

    /// Replaces the whole scene as one revision and one undo step.
    pub fn replace(&mut self, mut scene: Scene) -> Applied {
        let current = &self.current().scene;
        share(&current.shapes, &mut scene.shapes);
        share(&current.lights, &mut scene.lights);
        self.publish(scene, Vec::new())
    }

    /// Undoes the last step.
    pub fn undo(&mut self) -> Result<Applied, HistoryError> {
        let target = self.undo.last().and_then(|number| self.revision(*number));
        let scene = Arc::clone(&target.ok_or(HistoryError::NothingToUndo)?.scene);
        Ok(self.advance(Step::Undo, scene, Vec::new()))
    }

    /// Redoes the last undone step.
    pub fn redo(&mut self) -> Result<Applied, HistoryError> {
        let target = self.redo.last().and_then(|number| self.revision(*number));
        let scene = Arc::clone(&target.ok_or(HistoryError::NothingToRedo)?.scene);
        Ok(self.advance(Step::Redo, scene, Vec::new()))
    }

    /// Restores the scene of an earlier revision as a new revision that can be undone.
    pub fn restore(&mut self, number: u64) -> Result<Applied, HistoryError> {
        let target = self.revision(number).ok_or_else(|| self.unknown(number))?;
        let scene = (*target.scene).clone();
        Ok(self.publish(scene, Vec::new()))
    }

    /// The error for a revision that is not in memory.
    pub fn unknown(&self, asked: u64) -> HistoryError {
        let (oldest, newest) = (self.revisions[0].number, self.current().number);
        HistoryError::UnknownRevision { asked, oldest, newest }
    }

    /// Whether a step can be undone.
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Whether a step can be redone.
    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Appends a revision that another manager created from the same history.
    pub fn follow(&mut self, step: Step, scene: Arc<Scene>) {
        self.push(step, scene);
    }

    /// The history and the stacks, for a store: the oldest scene, the patches between revisions,
    /// and the revision numbers of undo and redo.
    pub fn to_json(&self) -> Value {
        let oldest = &self.revisions[0];
        let pairs = self.revisions.iter().zip(self.revisions.iter().skip(1));
        let patches: Vec<Value> =
            pairs.map(|(old, new)| Patch::between(&old.scene, &new.scene).to_json()).collect();
        json!({
            "oldest": oldest.number,
            "scene": oldest.scene.to_json(),
            "patches": patches,
            "undo": self.undo,
            "redo": self.redo,
        })
    }

    /// Parses the output of [`SceneManager::to_json`].
    pub fn from_json(value: &Value) -> Result<Self, Violations> {
        let broken = |what: &str| Violations::one(format!("the stored scene {what}"));
        let number = value["oldest"].as_u64().ok_or_else(|| broken("has no 'oldest' number"))?;
        let scene = Arc::new(Scene::from_json(&value["scene"])?);
        let mut manager = Self::at(Revision { number, scene });
        for patch in value["patches"].as_array().ok_or_else(|| broken("has no 'patches'"))? {
            let next = Patch::from_json(patch)?
                .apply(&manager.current().scene)
                .map_err(|mismatch| broken(&mismatch.to_string()))?;
            let number = manager.current().number + 1;
            manager.revisions.push_back(Revision { number, scene: Arc::new(next) });
        }
        let numbers = |name: &str| -> Option<Vec<u64>> {
            value[name].as_array()?.iter().map(Value::as_u64).collect()
        };
        manager.undo = numbers("undo").ok_or_else(|| broken("has no 'undo' numbers"))?;
        manager.redo = numbers("redo").ok_or_else(|| broken("has no 'redo' numbers"))?;
        manager.forget_what_is_gone();
        Ok(manager)
    }

    fn publish(&mut self, scene: Scene, results: Vec<Value>) -> Applied {
        self.publish_as(Step::Do, scene, results)
    }

    fn publish_as(&mut self, step: Step, scene: Scene, results: Vec<Value>) -> Applied {
        if scene == *self.current().scene {
            return Applied {
                revision: self.current().clone(),
                step,
                results,
                changes: Vec::new(),
                patch: Patch::default(),
            };
        }
        self.advance(step, Arc::new(scene), results)
    }

    fn advance(&mut self, step: Step, scene: Arc<Scene>, results: Vec<Value>) -> Applied {
        let before = Arc::clone(&self.current().scene);
        let revision = self.push(step, scene);
        let changes = diff(&before, &revision.scene);
        let patch = Patch::between(&before, &revision.scene);
        Applied { revision, step, results, changes, patch }
    }

    fn push(&mut self, step: Step, scene: Arc<Scene>) -> Revision {
        let left = self.current().number;
        match step {
            Step::Do => {
                self.undo.push(left);
                self.redo.clear();
            }
            Step::More => self.redo.clear(),
            Step::Undo => {
                self.undo.pop();
                self.redo.push(left);
            }
            Step::Redo => {
                self.redo.pop();
                self.undo.push(left);
            }
        }
        let revision = Revision { number: left + 1, scene };
        self.revisions.push_back(revision.clone());
        while self.revisions.len() > MAX_REVISIONS {
            self.revisions.pop_front();
        }
        self.forget_what_is_gone();
        revision
    }

    /// Drops undo and redo steps to revisions that are no longer in memory.
    fn forget_what_is_gone(&mut self) {
        let (oldest, newest) = (self.revisions[0].number, self.current().number);
        for stack in [&mut self.undo, &mut self.redo] {
            if stack.iter().any(|number| !(oldest..=newest).contains(number)) {
                stack.retain(|number| (oldest..=newest).contains(number));
            }
        }
    }
}

/// Shares equal objects of `old` with `new`, so that a revision only costs its changes.
fn share<T: Object + PartialEq>(old: &[Arc<T>], new: &mut [Arc<T>]) {
    let by_id: HashMap<&str, &Arc<T>> =
        old.iter().map(|object| (object.id().as_str(), object)).collect();
    for object in new {
        if let Some(same) = by_id.get(object.id().as_str()).filter(|same| **same == object) {
            *object = Arc::clone(same);
        }
    }
}
