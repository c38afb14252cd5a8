//! The things of a scene, shared until they are changed: a plan keeps the scene as it was at several steps, and
//! a scene may have hundreds of things.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::Thing;

/// A list of things that is cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Things(Arc<Vec<Thing>>);

impl Deref for Things {
    type Target = Vec<Thing>;

    fn deref(&self) -> &Vec<Thing> {
        &self.0
    }
}

impl DerefMut for Things {
    fn deref_mut(&mut self) -> &mut Vec<Thing> {
        Arc::make_mut(&mut self.0)
    }
}

impl PartialEq for Things {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl FromIterator<Thing> for Things {
    fn from_iter<I: IntoIterator<Item = Thing>>(things: I) -> Self {
        Self(Arc::new(things.into_iter().collect()))
    }
}

impl IntoIterator for Things {
    type Item = Thing;
    type IntoIter = std::vec::IntoIter<Thing>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).into_iter()
    }
}

impl<'a> IntoIterator for &'a Things {
    type Item = &'a Thing;
    type IntoIter = std::slice::Iter<'a, Thing>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a mut Things {
    type Item = &'a mut Thing;
    type IntoIter = std::slice::IterMut<'a, Thing>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
