//! What a message did to the scene, so that it can be taken back, moderated or done differently.

use std::sync::Arc;

use super::job::Look;
use crate::world::World;

/// A message that changed the scene.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Deed {
    /// What was asked for; for "more" and the like what they repeat.
    pub(crate) message: String,
    /// What was said for it.
    pub(crate) said: String,
    /// The scene as it was looked at before.
    pub(crate) before: Arc<World>,
    /// For a correction the scene before what it corrects.
    pub(crate) origin: Option<Arc<World>>,
    /// The ids of the things it made, changed or removed, under the names they had before.
    pub(crate) ids: Vec<String>,
    /// Names it gave: old, then new.
    pub(crate) renamed: Vec<(String, String)>,
}

/// A deed as the history holds it, its scenes not read yet.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Done<'a> {
    pub(super) message: String,
    pub(super) said: String,
    pub(super) before: Look<'a>,
    pub(super) origin: Option<Look<'a>>,
    pub(super) ids: Vec<&'a str>,
    pub(super) renamed: Vec<(&'a str, &'a str)>,
}

impl Done<'_> {
    /// Takes it for another way to do what was done before.
    pub(super) fn corrects(&mut self, last: &Self) {
        self.message.clone_from(&last.message);
        self.origin = Some(last.origin.as_ref().unwrap_or(&last.before).clone());
    }

    /// With its scenes; none where they cannot be read.
    pub(super) fn deed(&self) -> Option<Deed> {
        let owned = |(old, new): &(&str, &str)| ((*old).to_owned(), (*new).to_owned());
        Some(Deed {
            message: self.message.clone(),
            said: self.said.clone(),
            before: self.before.world()?,
            origin: self.origin.as_ref().and_then(Look::world),
            ids: self.ids.iter().map(|id| (*id).to_owned()).collect(),
            renamed: self.renamed.iter().map(owned).collect(),
        })
    }
}
