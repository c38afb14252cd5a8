//! Changes of the scene by the user, and the events for all changes.

use std::sync::Arc;

use agent::{Tool, ToolOutput};
use scene::{Scene, Violations, diff};
use serde_json::Value;
use spatial::{Call, MAX_CALLS};
use studio::{Author, EditError};

use crate::command::{Changed, EditCall, Reply, SceneCommand};
use crate::convert::scene_changed;
use crate::entry::{Entry, SceneEntry};
use crate::error::SessionError;
use crate::state::State;

use super::Actor;

impl Actor {
    pub(super) async fn change(
        &mut self,
        command: SceneCommand,
        reply: Reply<Result<Changed, SessionError>>,
    ) {
        self.catch_up();
        match self.make(command).await {
            Ok(changed) => {
                self.tell_changes();
                self.answer_when_saved(reply, changed);
            }
            Err(refusal) => drop(reply.send(Err(refusal))),
        }
    }

    /// Calls a tool for an agent that acts for the user.
    pub(super) async fn call_tool(
        &mut self,
        tool: &dyn Tool,
        args: Value,
        reply: Reply<Result<ToolOutput, SessionError>>,
    ) {
        self.catch_up();
        let output = tool.call(args).await;
        self.tell_changes();
        self.answer_when_saved(reply, output);
    }

    async fn make(&mut self, command: SceneCommand) -> Result<Changed, SessionError> {
        let by = Author::User;
        let before = self.scene.current().number;
        let applied = match command {
            SceneCommand::Edit { calls, base_revision } => {
                self.scene.apply_for_user(&parse_calls(&calls)?, base_revision)?
            }
            SceneCommand::Replace(scene) => self.scene.replace(*scene, by),
            SceneCommand::ReplaceRevision(scene, revision) => {
                self.scene.replace_revision(*scene, revision, by)?
            }
            SceneCommand::Undo => self.scene.undo(by)?,
            SceneCommand::Redo => self.scene.redo(by)?,
            SceneCommand::Restore(revision) => {
                let scene = self.scene_at(revision).await?;
                self.scene.replace((*scene).clone(), by)
            }
        };
        let is_new = applied.revision.number != before;
        Ok(Changed { revision: applied.revision, is_new })
    }

    /// Restores the scene of a revision, and stages the change.
    pub(super) async fn go_to_revision(&mut self, revision: u64) -> Result<(), SessionError> {
        let scene = self.scene_at(revision).await?;
        self.tell_changes();
        self.scene.replace((*scene).clone(), Author::User);
        self.scene.entered_branch();
        self.tell_published(u64::MAX, true);
        Ok(())
    }

    /// The scene of any revision, old ones included.
    pub(super) async fn scene_at(&self, revision: u64) -> Result<Arc<Scene>, SessionError> {
        let unknown = match self.scene.revision(revision) {
            Ok(found) => return Ok(found.scene),
            Err(unknown) => unknown,
        };
        if revision >= self.scene.current().number {
            return Err(unknown.into());
        }
        let store = &*self.environment.store;
        let (id, until) = (&self.state.id, self.state.position);
        let found = State::scene_at(store, id, until, revision).await;
        let found = found.map_err(|error| SessionError::Unreadable(error.to_string()))?;
        found.map(Arc::new).ok_or_else(|| unknown.into())
    }

    /// What differs between two revisions.
    pub(super) async fn difference(
        &self,
        from: u64,
        to: u64,
    ) -> Result<Vec<scene::Change>, SessionError> {
        let (from, to) = (self.scene_at(from).await?, self.scene_at(to).await?);
        Ok(diff(&from, &to))
    }

    pub(super) fn tell_changes(&mut self) {
        self.tell_changes_until(u64::MAX);
    }

    pub(super) fn tell_changes_until(&mut self, revision: u64) {
        self.tell_published(revision, false);
    }

    fn tell_published(&mut self, until: u64, for_branch: bool) {
        for published in self.scene.take_published(until) {
            let applied = &published.applied;
            if published.by == Author::User {
                self.last_user_revision = applied.revision.number;
            }
            self.pending.push(Entry::Scene(Box::new(SceneEntry {
                revision: applied.revision.number,
                by: published.by,
                step: applied.step,
                patch: applied.patch.clone(),
                scene: Some(Arc::clone(&applied.revision.scene)),
            })));
            self.tell(scene_changed(published, for_branch));
        }
    }
}

/// Reads all calls of an edit; the first errors of all of them are reported.
fn parse_calls(calls: &[EditCall]) -> Result<Vec<Call>, Violations> {
    if calls.is_empty() {
        return Err(Violations::one("'calls' is empty: give at least one call"));
    }
    if calls.len() > MAX_CALLS {
        return Err(Violations::one(format!(
            "'calls' may hold at most {MAX_CALLS} calls, got {}; send several edits",
            calls.len()
        )));
    }
    let mut errors = Vec::new();
    let mut edits = Vec::with_capacity(calls.len());
    for (index, call) in calls.iter().enumerate() {
        if errors.len() > MAX_ERRORS {
            break;
        }
        match Call::parse(&call.name, &call.args) {
            Ok(edit) => edits.push(edit),
            Err(violations) if calls.len() == 1 => errors.push(violations),
            Err(violations) => errors.push(violations.prefixed(&format!("edit {}: ", index + 1))),
        }
    }
    match Violations::joined(errors) {
        Some(violations) => Err(first_of(violations)),
        None => Ok(edits),
    }
}

impl From<EditError> for SessionError {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Invalid(violations) => Self::Invalid(first_of(violations)),
            EditError::Stale(violations) => Self::Stale(first_of(violations)),
        }
    }
}

/// The most errors of one edit that are told. Whoever sends thousands of wrong calls would otherwise get megabytes for
/// each of them.
const MAX_ERRORS: usize = 20;

/// The first errors of an edit, and whether there are more.
fn first_of(violations: Violations) -> Violations {
    let Some(first) = violations.messages().get(..MAX_ERRORS) else { return violations };
    if first.len() == violations.messages().len() {
        return violations;
    }
    let told = first.iter().cloned().chain(["and more".to_owned()]).map(Violations::one);
    Violations::joined(told).unwrap_or(violations)
}
