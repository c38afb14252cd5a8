//! Attention: changes of the user that the model has not seen yet. They are part of the model's
//! context, and it may not overwrite them.

use std::collections::BTreeMap;

use scene::{Change, Kind};

/// The key of an object of the document; the id is empty for environment and camera.
pub type Key = (Kind, String);

/// The key of a changed object.
pub(crate) fn key_of(change: &Change) -> Key {
    (change.kind, change.id.clone().unwrap_or_default())
}

/// The user's changes since the model's last run, and the revision the model last saw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attention {
    /// The revision the model last looked at.
    seen: u64,
    /// Objects the user changed since the model's last run, each with its first and last revision.
    changed: BTreeMap<Key, (u64, u64)>,
    /// The revision at which the active branch was selected: earlier context may belong to another
    /// branch.
    branch_start: u64,
}

impl Attention {
    /// Restores a stored state.
    pub fn new(
        seen: u64,
        changed: impl IntoIterator<Item = (Key, (u64, u64))>,
        branch_start: u64,
    ) -> Self {
        Self { seen, changed: changed.into_iter().collect(), branch_start }
    }

    /// The revision at which the active branch was selected.
    pub fn branch_start(&self) -> u64 {
        self.branch_start
    }

    /// The revision the model last looked at.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The objects the user changed, each with its first and last revision.
    pub fn changed(&self) -> &BTreeMap<Key, (u64, u64)> {
        &self.changed
    }

    /// Notes changes of the user.
    pub fn user_changed(&mut self, revision: u64, changes: &[Change]) {
        // The order of a list is for people: it changes no object.
        for change in changes.iter().filter(|change| !change.is_of_order_only()) {
            self.changed.entry(key_of(change)).or_insert((revision, revision)).1 = revision;
        }
    }

    /// Notes that the model saw a revision.
    pub fn model_looked(&mut self, revision: u64) {
        self.seen = revision;
    }

    /// Notes the end of a run: changes the model has seen are dropped.
    pub fn run_ended(&mut self) {
        let seen = self.seen;
        self.changed.retain(|_, (first, last)| {
            *first = (*first).max(seen + 1);
            *last > seen
        });
    }

    /// Notes that another branch was selected.
    pub fn entered_branch(&mut self, revision: u64) {
        *self = Self::new(revision, [], revision);
    }

    /// Whether the user changed this object after the model last looked.
    pub fn is_stale(&self, key: &Key) -> bool {
        self.changed.get(key).is_some_and(|(_, last)| *last > self.seen)
    }

    /// The objects the user changed after the model last looked.
    pub(crate) fn stale(&self) -> impl Iterator<Item = &Key> {
        let changed = self.changed.iter();
        changed.filter(|(_, (_, last))| *last > self.seen).map(|(key, _)| key)
    }
}
