//! What a message did to the scene, so that it can be taken back, moderated or done differently.

use serde_json::Value;

/// A message that changed the scene.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Deed {
    /// What was asked for; for "more" and the like what they repeat.
    pub(crate) message: String,
    /// What was said for it.
    pub(crate) said: String,
    /// The scene as it was looked at before.
    pub(crate) before: Value,
    /// For a correction the scene before what it corrects.
    pub(crate) origin: Option<Value>,
    /// The ids of the things it made, changed or removed, under the names they had before.
    pub(crate) ids: Vec<String>,
    /// Names it gave: old, then new.
    pub(crate) renamed: Vec<(String, String)>,
}

impl Deed {
    /// Takes it for another way to do what was done before.
    pub(crate) fn corrects(&mut self, last: &Self) {
        self.message.clone_from(&last.message);
        self.origin = last.origin.clone().or_else(|| Some(last.before.clone()));
    }
}
