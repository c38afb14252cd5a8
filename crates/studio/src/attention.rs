//! What the user changed that the model has not looked at yet: there the user's change stands
//! against the model's, and the model is told of it.

use std::collections::BTreeMap;

use scene::{Change, Kind};

/// A thing of the document; the id is empty for environment and camera.
pub type Key = (Kind, String);

/// The key of a changed thing.
pub(crate) fn key_of(change: &Change) -> Key {
    (change.kind, change.id.clone().unwrap_or_default())
}

/// The user's changes since the model's last run, and how far the model has looked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attention {
    /// The revision the model last looked at.
    seen: u64,
    /// What the user changed since the model's last run ended: first and last revision.
    changed: BTreeMap<Key, (u64, u64)>,
    /// The revision at which the branch of the conversation was entered: what was told before it may
    /// have been told in another branch.
    branch_start: u64,
}

impl Attention {
    /// What a store kept.
    pub fn new(
        seen: u64,
        changed: impl IntoIterator<Item = (Key, (u64, u64))>,
        branch_start: u64,
    ) -> Self {
        Self { seen, changed: changed.into_iter().collect(), branch_start }
    }

    /// The revision at which the branch of the conversation was entered.
    pub fn branch_start(&self) -> u64 {
        self.branch_start
    }

    /// The revision the model last looked at.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The things the user changed, each with its first and last revision.
    pub fn changed(&self) -> &BTreeMap<Key, (u64, u64)> {
        &self.changed
    }

    /// The user changed these things.
    pub fn user_changed(&mut self, revision: u64, changes: &[Change]) {
        for change in changes {
            self.changed.entry(key_of(change)).or_insert((revision, revision)).1 = revision;
        }
    }

    /// The model looked at the scene.
    pub fn model_looked(&mut self, revision: u64) {
        self.seen = revision;
    }

    /// The model's run ended: what it has seen need not be told again.
    pub fn run_ended(&mut self) {
        let seen = self.seen;
        self.changed.retain(|_, (first, last)| {
            *first = (*first).max(seen + 1);
            *last > seen
        });
    }

    /// Another branch of the conversation goes on from the scene it left.
    pub fn entered_branch(&mut self, revision: u64) {
        *self = Self::new(revision, [], revision);
    }

    /// Whether the user changed this thing after the model last looked.
    pub fn is_stale(&self, key: &Key) -> bool {
        self.changed.get(key).is_some_and(|(_, last)| *last > self.seen)
    }

    /// The things the user changed after the model last looked.
    pub(crate) fn stale(&self) -> impl Iterator<Item = &Key> {
        let changed = self.changed.iter();
        changed.filter(|(_, (_, last))| *last > self.seen).map(|(key, _)| key)
    }
}
