//! What the person changed that the model has not looked at yet: where the person's change stands
//! against the model's, and what the model is told of it.

use std::collections::BTreeMap;

use scene::{Change, Kind, Revision, Scene, SceneManager, diff};
use serde_json::Value;

/// Lines of changes in an instruction; more would only repeat the scene.
const MOST_LINES: usize = 40;

/// A thing of the document; the id is empty for environment and camera.
pub type Key = (Kind, String);

/// The key of a changed thing.
pub(crate) fn key_of(change: &Change) -> Key {
    (change.kind, change.id.clone().unwrap_or_default())
}

/// The person's changes since the model's last run, and how far the model has looked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attention {
    /// The revision the model last looked at.
    seen: u64,
    /// What the person changed since the model's last run ended: first and last revision.
    changed: BTreeMap<Key, (u64, u64)>,
}

impl Attention {
    /// What a store kept.
    pub fn new(seen: u64, changed: impl IntoIterator<Item = (Key, (u64, u64))>) -> Self {
        Self { seen, changed: changed.into_iter().collect() }
    }

    /// The revision the model last looked at.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The things the person changed, each with its first and last revision.
    pub fn changed(&self) -> &BTreeMap<Key, (u64, u64)> {
        &self.changed
    }

    /// The person changed these things.
    pub fn person_changed(&mut self, revision: u64, changes: &[Change]) {
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

    /// Another branch of the conversation goes on from the scene it left, so there is nothing to tell.
    pub fn entered_branch(&mut self, revision: u64) {
        *self = Self::new(revision, []);
    }

    /// Whether the person changed this thing after the model last looked.
    pub fn is_stale(&self, key: &Key) -> bool {
        self.changed.get(key).is_some_and(|(_, last)| *last > self.seen)
    }

    /// What the person changed since the model's last run, one line a thing; empty when nothing
    /// differs.
    pub fn report(&self, scenes: &SceneManager) -> String {
        let Some(first) = self.changed.values().map(|(first, _)| *first).min() else {
            return String::new();
        };
        let Some(before) = first.checked_sub(1).and_then(|number| scenes.revision(number)) else {
            // Too long ago to say from what; the scene itself says to what.
            return "the user changed many things since your last answer\n".into();
        };
        lines(&before.scene, scenes.current(), |key| self.changed.contains_key(key))
    }
}

fn lines(before: &Scene, now: &Revision, is_told: impl Fn(&Key) -> bool) -> String {
    let changes = diff(before, &now.scene);
    let told: Vec<&Change> = changes.iter().filter(|change| is_told(&key_of(change))).collect();
    let mut text = String::new();
    for change in told.iter().take(MOST_LINES) {
        text.push_str(&line(change));
        text.push('\n');
    }
    if told.len() > MOST_LINES {
        text.push_str(&format!("- and {} more\n", told.len() - MOST_LINES));
    }
    text
}

fn line(change: &Change) -> String {
    let name = match &change.id {
        Some(id) => format!("{} '{id}'", change.kind.name()),
        None => format!("the {}", change.kind.name()),
    };
    match (&change.before, &change.after) {
        (None, Some(_)) => format!("- added {name}"),
        (Some(_), None) => format!("- removed {name}"),
        (Some(before), Some(after)) => {
            let mut differences = Vec::new();
            differing("", before, after, &mut differences);
            format!("- changed {name}: {}", differences.join(", "))
        }
        (None, None) => format!("- touched {name}"),
    }
}

/// `radius 1 -> 2`, for each property that differs.
fn differing(name: &str, before: &Value, after: &Value, found: &mut Vec<String>) {
    if before == after {
        return;
    }
    let (Value::Object(old), Value::Object(new)) = (before, after) else {
        found.push(format!("{name} {before} -> {after}"));
        return;
    };
    for key in old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))) {
        // `properties` is where everything is; it need not be said.
        let inner = match (name, key.as_str()) {
            ("", "properties") => String::new(),
            ("", key) => key.to_owned(),
            (name, key) => format!("{name}.{key}"),
        };
        let get = |map: &serde_json::Map<String, Value>| map.get(key).cloned().unwrap_or_default();
        differing(&inner, &get(old), &get(new), found);
    }
}
