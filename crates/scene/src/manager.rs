//! `SceneManager`: the scene over time. Revisions are immutable and numbered upwards; undo, redo
//! and restore each make a new revision, so nothing is ever taken out of the past.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::assets::{Assets, NoAssets};
use crate::diff::{Change, diff};
use crate::document::{Object, Scene};
use crate::edit::Edit;
use crate::patch::Patch;
use crate::violations::{ReadErrors, Violations};

/// How many revisions can be gone back to without asking a store. A revision costs a pointer per
/// object.
pub const MAX_REVISIONS: usize = 1_000;

/// A published state of the scene; never changes.
#[derive(Debug, Clone)]
pub struct Revision {
    /// Counts up from 0 in a session.
    pub number: u64,
    /// The scene.
    pub scene: Arc<Scene>,
}

/// How a revision came to be, for the undo stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A change that can be taken back.
    Do,
    /// A change that is taken back together with the one before it.
    More,
    /// The last change was taken back.
    Undo,
    /// It was made again.
    Redo,
}

impl Step {
    /// The word files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Do => "do",
            Self::More => "more",
            Self::Undo => "undo",
            Self::Redo => "redo",
        }
    }

    /// The step of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Do, Self::More, Self::Undo, Self::Redo].into_iter().find(|step| step.name() == name)
    }
}

/// What an accepted change did.
#[derive(Debug, Clone)]
pub struct Applied {
    /// The revision it led to; the one before when nothing differs.
    pub revision: Revision,
    /// How it came to be.
    pub step: Step,
    /// The whole object each edit touched, in the order of the edits.
    pub results: Vec<Value>,
    /// What differs from the revision before.
    pub changes: Vec<Change>,
    /// What leads there from the revision before.
    pub patch: Patch,
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

/// A scene that is being changed.
#[derive(Debug, Clone)]
pub struct Draft {
    scene: Scene,
    assets: Arc<dyn Assets>,
}

impl Draft {
    /// As it stands.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What it may name.
    pub fn assets(&self) -> &Arc<dyn Assets> {
        &self.assets
    }

    /// Makes one edit and returns the whole object it touched. After an error the draft is as before.
    pub fn apply(&mut self, edit: &Edit) -> Result<Value, Violations> {
        edit.apply(&mut self.scene)
    }
}

/// A scene with its revisions and its undo stack. The past reaches back [`MAX_REVISIONS`].
#[derive(Debug, Clone)]
pub struct SceneManager {
    /// Oldest first, numbered without gaps, the current one last; never empty.
    revisions: VecDeque<Revision>,
    /// The revisions undo goes back to, the next one last; all of them are kept.
    undo: Vec<u64>,
    /// The revisions redo goes forward to, the next one last; all of them are kept.
    redo: Vec<u64>,
    /// What edits may name. Shared with whoever adds to it.
    assets: Arc<dyn Assets>,
}

impl Default for SceneManager {
    fn default() -> Self {
        Self::new(Scene::default())
    }
}

impl SceneManager {
    /// Starts with `scene` as revision 0, and no assets.
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

    /// Edits may name what `assets` holds.
    #[must_use]
    pub fn with_assets(self, assets: Arc<dyn Assets>) -> Self {
        Self { assets, ..self }
    }

    /// What edits may name.
    pub fn assets(&self) -> &Arc<dyn Assets> {
        &self.assets
    }

    /// The scene as it stands.
    pub fn current(&self) -> &Revision {
        // Never empty: made with one revision, and only ever grows or drops its oldest.
        &self.revisions[self.revisions.len() - 1]
    }

    /// A revision that is still kept.
    pub fn revision(&self, number: u64) -> Option<&Revision> {
        let index = usize::try_from(number.checked_sub(self.revisions[0].number)?).ok()?;
        self.revisions.get(index)
    }

    /// Makes all edits as one revision and one undo step, or none of them. With several edits the
    /// errors say which edit they belong to.
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

    /// The scene as it stands, to be changed step by step; nobody sees it before it is
    /// [committed](Self::commit).
    pub fn draft(&self) -> Draft {
        Draft { scene: (*self.current().scene).clone(), assets: Arc::clone(&self.assets) }
    }

    /// Makes a draft of the current scene the next revision, as one undo step. `results` are passed on.
    pub fn commit(&mut self, draft: Draft, results: Vec<Value>) -> Result<Applied, Violations> {
        self.check_assets(&draft)?;
        Ok(self.publish(draft.scene, results))
    }

    /// Makes a draft of the current scene the next revision, as a part of the undo step that led to the
    /// current one.
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

    /// Takes the last change back.
    pub fn undo(&mut self) -> Result<Applied, HistoryError> {
        let target = self.undo.last().and_then(|number| self.revision(*number));
        let scene = Arc::clone(&target.ok_or(HistoryError::NothingToUndo)?.scene);
        Ok(self.advance(Step::Undo, scene, Vec::new()))
    }

    /// Makes the last change that was taken back again.
    pub fn redo(&mut self) -> Result<Applied, HistoryError> {
        let target = self.redo.last().and_then(|number| self.revision(*number));
        let scene = Arc::clone(&target.ok_or(HistoryError::NothingToRedo)?.scene);
        Ok(self.advance(Step::Redo, scene, Vec::new()))
    }

    /// Makes the scene of an earlier revision the current one, as a new revision that can be undone.
    pub fn restore(&mut self, number: u64) -> Result<Applied, HistoryError> {
        let target = self.revision(number).ok_or_else(|| self.unknown(number))?;
        let scene = (*target.scene).clone();
        Ok(self.publish(scene, Vec::new()))
    }

    /// The error for a revision that is not kept.
    pub fn unknown(&self, asked: u64) -> HistoryError {
        let (oldest, newest) = (self.revisions[0].number, self.current().number);
        HistoryError::UnknownRevision { asked, oldest, newest }
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Takes over a revision that another manager made from the same past.
    pub fn follow(&mut self, step: Step, scene: Arc<Scene>) {
        self.push(step, scene);
    }

    /// The past and the stacks, for a store: the oldest scene, what leads from each revision to the
    /// next, and the numbers undo and redo go to.
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

    /// Reads what [`SceneManager::to_json`] wrote.
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

    /// Undo and redo reach no further than the revisions that are kept.
    fn forget_what_is_gone(&mut self) {
        let (oldest, newest) = (self.revisions[0].number, self.current().number);
        for stack in [&mut self.undo, &mut self.redo] {
            if stack.iter().any(|number| !(oldest..=newest).contains(number)) {
                stack.retain(|number| (oldest..=newest).contains(number));
            }
        }
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
