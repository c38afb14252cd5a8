//! The scene that the model, the user and the preview share.

mod results;
mod stale;

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use catalogue::OwnObjects;
use scene::{Applied, Assets, Edit, HistoryError, Revision, Scene, SceneManager, Violations, diff};
use serde_json::{Value, json};
use spatial::{Call, OnFault, Space, StageRule, facts};
use tokio::sync::watch;

use crate::attention::{Attention, Key, key_of};
use crate::carry_out::{Progress, Terms, carry_out};
use crate::client::RenderClient;
use crate::stage::{STAGE_BEGAN, keep_stage};
use crate::workspace::Workspace;
pub use results::{Author, EditError, Made, Published, Steps, Untold};
use stale::refuse_stale;

/// The scene shared by sessions, viewers and tools. Edits are atomic, and only one is applied at a
/// time.
#[derive(Debug)]
pub struct SharedScene {
    /// Locked during one edit, which is pure computation; never across an await.
    state: Mutex<State>,
    /// The newest revision; a `watch`, since renderers need no others.
    latest: watch::Sender<Revision>,
    /// The render client of all viewers of this scene.
    client: RenderClient,
    /// Whether tool calls set up a stage for the first object.
    sets_stage: bool,
    /// The objects of the user's own that calls may add.
    own_objects: Arc<OwnObjects>,
}

#[derive(Debug)]
struct State {
    manager: SceneManager,
    /// Changes that the session has not sent to clients yet. The session takes them with every event of
    /// a run, and a run waits for the session, so there are never many.
    untold: VecDeque<Published>,
    attention: Attention,
    /// The current run of the model, if there is one.
    run: Option<Run>,
    /// The last batch of each author that stopped; it can be corrected until the next one stops.
    stopped: Stopped,
}

/// Batches that stopped and wait for a correction: of the model, and of agents that act for the user.
#[derive(Debug, Default)]
struct Stopped {
    model: Option<Progress>,
    user: Option<Progress>,
}

impl Stopped {
    fn of(&mut self, author: Author) -> &mut Option<Progress> {
        match author {
            Author::Model => &mut self.model,
            Author::User => &mut self.user,
        }
    }
}

/// A run of the model. Its changes are one undo step, unless the user changes something in between.
#[derive(Debug, Default)]
struct Run {
    /// The revision of its last change.
    latest: Option<u64>,
}

impl SharedScene {
    /// Shares `manager`.
    pub fn new(manager: SceneManager, attention: Attention) -> Self {
        let latest = watch::Sender::new(manager.current().clone());
        let state = State {
            manager,
            untold: VecDeque::new(),
            attention,
            run: None,
            stopped: Stopped::default(),
        };
        let client = RenderClient::default();
        Self {
            state: Mutex::new(state),
            latest,
            client,
            sets_stage: false,
            own_objects: Arc::default(),
        }
    }

    /// The same scene, to which objects of the user's own may be added.
    #[must_use]
    pub fn with_own_objects(self, own_objects: Arc<OwnObjects>) -> Self {
        Self { own_objects, ..self }
    }

    /// The objects of the user's own that may be added.
    pub fn own_objects(&self) -> &Arc<OwnObjects> {
        &self.own_objects
    }

    /// The same scene with automatic staging: the first object that a tool creates gets ground,
    /// lights and a camera.
    #[must_use]
    pub fn with_stage(self, sets_stage: bool) -> Self {
        Self { sets_stage, ..self }
    }

    /// The render client of all viewers of this scene.
    pub fn render_client(&self) -> &RenderClient {
        &self.client
    }

    /// Replaces the state by the stored one, without events: changes since then are lost. The
    /// assets stay.
    pub fn reset(&self, manager: SceneManager, attention: Attention) {
        let mut state = self.lock();
        let manager = manager.with_assets(Arc::clone(state.manager.assets()));
        self.latest.send_replace(manager.current().clone());
        *state = State {
            manager,
            untold: VecDeque::new(),
            attention,
            run: None,
            stopped: Stopped::default(),
        };
    }

    /// Whether a batch has stopped and can be corrected.
    pub fn waits_for_correction(&self) -> bool {
        let state = self.lock();
        state.stopped.model.is_some() || state.stopped.user.is_some()
    }

    /// The current scene, and the changes of the user since the model last looked. This counts as a look.
    pub fn show_to_model(&self) -> (Revision, Untold) {
        let mut state = self.lock();
        let revision = state.manager.current().clone();
        let stale: HashSet<Key> = state.attention.stale().cloned().collect();
        let changes = if stale.is_empty() {
            Some(Vec::new())
        } else {
            // A revision that is no longer in memory cannot be compared.
            let seen = state.manager.revision(state.attention.seen());
            let changes = seen.map(|seen| diff(&seen.scene, &revision.scene));
            changes.map(|changes| {
                changes.into_iter().filter(|change| stale.contains(&key_of(change))).collect()
            })
        };
        let untold = Untold { changes, branch_start: state.attention.branch_start() };
        state.attention.model_looked(revision.number);
        (revision, untold)
    }

    /// Notes that another branch was selected, which starts from the current scene.
    pub fn entered_branch(&self) {
        let mut state = self.lock();
        let revision = state.manager.current().number;
        state.attention.entered_branch(revision);
    }

    /// Notes the start of a run: its changes become one undo step.
    pub fn run_began(&self) {
        self.lock().run = Some(Run::default());
    }

    /// Notes the end of a run: the model knows the changes it has seen.
    pub fn run_ended(&self) {
        let mut state = self.lock();
        state.run = None;
        state.attention.run_ended();
    }

    /// The assets that edits may use.
    pub fn assets(&self) -> Arc<dyn Assets> {
        Arc::clone(self.lock().manager.assets())
    }

    /// A revision, if it is still in memory.
    pub fn revision(&self, number: u64) -> Result<Revision, HistoryError> {
        let state = self.lock();
        state.manager.revision(number).cloned().ok_or_else(|| state.manager.unknown(number))
    }

    /// The current revision.
    pub fn current(&self) -> Revision {
        self.latest.borrow().clone()
    }

    /// A receiver of the newest revision.
    pub fn subscribe(&self) -> watch::Receiver<Revision> {
        self.latest.subscribe()
    }

    /// The current scene and its assets.
    pub fn with_assets(&self) -> (Revision, Arc<dyn Assets>) {
        let state = self.lock();
        (state.manager.current().clone(), Arc::clone(state.manager.draft().assets()))
    }

    /// Applies a tool call as one revision, or not at all. A batch keeps the calls before a failed
    /// one, unless it is atomic.
    ///
    /// All calls of a run of the model are one undo step. The model may not change objects that the
    /// user changed since it last looked; the error has their current values. A call of an agent
    /// that acts for the user is a step of its own.
    pub fn apply(&self, call: &Call, by: Author) -> Result<Made, Violations> {
        self.apply_within(call, by, None)
    }

    /// Applies a tool call as [`SharedScene::apply`] does, if it stays within the workspace.
    pub(crate) fn apply_within(
        &self,
        call: &Call,
        by: Author,
        workspace: Option<&Workspace>,
    ) -> Result<Made, Violations> {
        let mut state = self.lock();
        let before = state.manager.current().clone();
        let mut draft = state.manager.draft();
        let stopped = match workspace {
            Some(workspace) => workspace.stopped(),
            None => state.stopped.of(by).clone(),
        };
        let base = Arc::clone(&before.scene);
        let stays_within = |before: &Scene, after: &Scene| {
            workspace.map_or(Ok(()), |workspace| workspace.check(&base, before, after))
        };
        let attention = &state.attention;
        let own = &*self.own_objects;
        let refuse = |edits: &[Edit]| match by {
            Author::Model => refuse_stale(edits, &before, "the user", |kind, id| {
                attention.is_stale(&(kind, id.to_owned()))
            }),
            Author::User => Ok(()),
        };
        let terms = Terms { refuse: &refuse, own, stays_within: &stays_within };
        let (done, stop) = match call {
            Call::Batch(batch) if batch.on_fault != Some(OnFault::AllOrNothing) => {
                Progress::of(batch, stopped.as_ref())?.go_on(&mut draft, terms)
            }
            call => (carry_out(&mut draft, call, terms)?, None),
        };
        // Agents that act for the user edit without seeing the picture, as models do.
        let rule = StageRule { begins: self.sets_stage, by_hand: false };
        let unstaged = draft.clone();
        let mut stage_began = keep_stage(&before.scene, &mut draft, rule)?;
        // The stage follows what an agent does only as far as the agent might do that itself.
        if stays_within(unstaged.scene(), draft.scene()).is_err() {
            (draft, stage_began) = (unstaged, false);
        }
        let assets = Arc::clone(draft.assets());
        let is_of_run = by == Author::Model;
        let latest = state.run.as_ref().and_then(|run| run.latest);
        let goes_on = is_of_run && latest == Some(before.number);
        let applied = match goes_on {
            true => state.manager.commit_more(draft)?,
            false => state.manager.commit(draft, Vec::new())?,
        };
        if let Some(run) = &mut state.run
            && is_of_run
            && applied.revision.number != before.number
        {
            run.latest = Some(applied.revision.number);
        }
        let (stopped, progress) = stop.map(|stop| (stop.message, stop.progress)).unzip();
        // One that was sent in the same answer knew nothing of the stop.
        if let Call::Batch(batch) = call
            && (batch.is_correction() || progress.is_some())
        {
            match workspace {
                Some(workspace) => workspace.stop_at(progress),
                None => *state.stopped.of(by) = progress,
            }
        }
        if let Some(workspace) = workspace {
            workspace.note(&before.scene, &applied.changes);
        }
        self.publish(&mut state, by, &applied);
        drop(state);
        let after = &applied.revision.scene;
        let (old, new) = (Space::of(&before.scene, &*assets), Space::of(after, &*assets));
        let mut facts = facts(&old, &new, &done.about);
        if stage_began {
            let facts = facts.get_or_insert_with(|| json!({}));
            facts["stage"] = STAGE_BEGAN.into();
        }
        Ok(Made { result: done.result, facts, applied, stopped })
    }

    /// Applies all calls of the user as one revision, or none. With `seen`, a change of an object that
    /// differs from that revision is rejected.
    pub fn apply_for_user(&self, calls: &[Call], seen: Option<u64>) -> Result<Applied, EditError> {
        let mut state = self.lock();
        let now = state.manager.current().clone();
        let base = seen.map(|seen| {
            let base = state.manager.revision(seen).cloned();
            base.ok_or_else(|| {
                EditError::Stale(Violations::one(state.manager.unknown(seen).to_string()))
            })
        });
        let base = base.transpose()?;
        // Stale edits are a separate error from invalid ones.
        let stale = RefCell::new(Vec::new());
        let refuse = |edits: &[Edit]| {
            let Some(base) = &base else { return Ok(()) };
            let refused = refuse_stale(edits, &now, "somebody else", |kind, id| {
                base.scene.thing(kind, id) != now.scene.thing(kind, id)
            });
            stale.borrow_mut().extend(refused.err());
            Ok(())
        };
        let terms = Terms { refuse: &refuse, own: &self.own_objects, stays_within: &|_, _| Ok(()) };
        let mut draft = state.manager.draft();
        let (mut results, mut violations) = (Vec::with_capacity(calls.len()), Vec::new());
        for (index, call) in calls.iter().enumerate() {
            if call.is_optional_stage() && !self.sets_stage {
                results.push(Value::Null);
                continue;
            }
            match carry_out(&mut draft, call, terms) {
                Ok(done) => results.push(done.result),
                Err(error) if calls.len() == 1 => violations.push(error),
                Err(error) => {
                    violations.push(error.prefixed(&format!("edit {}: ", index + 1)));
                }
            }
        }
        if let Some(stale) = Violations::joined(stale.into_inner()) {
            return Err(EditError::Stale(stale));
        }
        if let Some(violations) = Violations::joined(violations) {
            return Err(EditError::Invalid(violations));
        }
        let rule = StageRule { begins: false, by_hand: true };
        keep_stage(&now.scene, &mut draft, rule)?;
        let applied = state.manager.commit(draft, results)?;
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

    /// Replaces the whole scene if `revision` is still the newest.
    pub fn replace_revision(
        &self,
        scene: Scene,
        revision: u64,
        by: Author,
    ) -> Result<Applied, EditError> {
        let mut state = self.lock();
        let newest = state.manager.current().number;
        if newest != revision {
            let stale = format!("the scene has changed: revision {revision} is now {newest}");
            return Err(EditError::Stale(Violations::one(stale)));
        }
        let applied = state.manager.replace(scene);
        self.publish(&mut state, by, &applied);
        Ok(applied)
    }

    /// Undoes the last step.
    pub fn undo(&self, by: Author) -> Result<Applied, HistoryError> {
        self.change(by, SceneManager::undo)
    }

    /// Redoes the last undone step.
    pub fn redo(&self, by: Author) -> Result<Applied, HistoryError> {
        self.change(by, SceneManager::redo)
    }

    /// Takes the changes up to revision `until` that were not taken before, oldest first.
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

    /// Publishes a revision, still under the lock, so that revisions are published in order.
    fn publish(&self, state: &mut State, by: Author, applied: &Applied) {
        if applied.revision.number != self.latest.borrow().number {
            let steps = Steps::of(&state.manager);
            if by == Author::User {
                let number = applied.revision.number;
                state.attention.user_changed(number, &applied.changes);
            }
            state.untold.push_back(Published { by, applied: applied.clone(), steps });
            self.latest.send_replace(applied.revision.clone());
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The manager swaps whole scenes, so a panic leaves the previous one intact.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
