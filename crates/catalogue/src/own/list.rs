//! The list of a user's own objects, shared by all who look for them.

use std::sync::{Arc, PoisonError, RwLock};

use super::object::OwnObject;
use crate::words::NameIndex;

/// All objects of a user's own, sorted by name. Who keeps the files publishes a new list after each change;
/// everybody else takes the newest.
#[derive(Debug, Default)]
pub struct OwnObjects {
    /// Locked only to clone or to replace the pointer.
    newest: RwLock<Arc<[Arc<OwnObject>]>>,
}

impl OwnObjects {
    /// The newest list; it does not change any more.
    pub fn all(&self) -> Arc<[Arc<OwnObject>]> {
        // The pointer is replaced as a whole, so a poisoned lock is safe to use.
        Arc::clone(&self.newest.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Publishes another list.
    pub fn publish(&self, mut objects: Vec<Arc<OwnObject>>) {
        objects.sort_by(|one, other| one.name().cmp(other.name()));
        *self.newest.write().unwrap_or_else(PoisonError::into_inner) = objects.into();
    }

    /// The object with this name, in any case, singular or plural.
    pub fn named(&self, name: &str) -> Option<Arc<OwnObject>> {
        find(&self.all(), name, |object| &object.names()[..1])
    }

    /// The object whose name or other word this is, in any case, singular or plural.
    pub fn find(&self, words: &str) -> Option<Arc<OwnObject>> {
        find(&self.all(), words, OwnObject::names)
    }
}

fn find(
    objects: &[Arc<OwnObject>],
    words: &str,
    names: impl Fn(&OwnObject) -> &[String],
) -> Option<Arc<OwnObject>> {
    let lower = |object: &Arc<OwnObject>| -> Vec<String> {
        names(object).iter().map(|name| name.to_lowercase()).collect()
    };
    let names: Vec<Vec<String>> = objects.iter().map(lower).collect();
    let index = NameIndex::new(names.iter().map(Vec::as_slice));
    objects.get(index.find(words)?).cloned()
}
