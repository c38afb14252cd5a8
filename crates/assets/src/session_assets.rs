//! The assets as one session sees them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use scene::{Aabb, Assets};

use crate::facts::Asset;
use crate::library::Library;

/// The meshes and images a session may name: any it knows the hash of. Told, in messages and to the model, are
/// those that were uploaded for it or shown in it, and on a server that tells of everything, all.
#[derive(Debug)]
pub struct SessionAssets {
    library: Arc<Library>,
    tells_all: bool,
    /// Hashes of those that are the session's own; held to look up and insert.
    own: Mutex<BTreeSet<String>>,
}

impl SessionAssets {
    /// The assets of a session that refers to `own`.
    pub fn new(
        library: Arc<Library>,
        tells_all: bool,
        own: impl IntoIterator<Item = String>,
    ) -> Self {
        Self { library, tells_all, own: Mutex::new(own.into_iter().collect()) }
    }

    /// Tells of an asset from now on.
    pub fn add(&self, hash: &str) {
        self.own().insert(hash.to_owned());
    }

    /// Those of one kind: of the session first, then the newest first.
    fn told(&self, is_meant: impl Fn(&Asset) -> bool) -> Vec<String> {
        let own = self.own();
        let mut meant = self.library.assets();
        meant.retain(|asset| is_meant(asset));
        let is_own = |hash: &str| own.contains(hash);
        let (ours, others): (Vec<_>, Vec<_>) =
            meant.into_iter().partition(|asset| is_own(asset.hash.as_str()));
        let others = others.into_iter().filter(|_| self.tells_all);
        ours.into_iter().chain(others).map(|asset| asset.hash.to_string()).collect()
    }

    fn own(&self) -> MutexGuard<'_, BTreeSet<String>> {
        // Inserting leaves a whole set.
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Assets for SessionAssets {
    fn bounds(&self, name: &str) -> Option<Aabb> {
        self.library.bounds(name)
    }

    fn names(&self) -> Vec<String> {
        self.told(|asset| asset.bounds().is_some())
    }

    fn has_image(&self, name: &str) -> bool {
        self.library.has_image(name)
    }

    fn image_names(&self) -> Vec<String> {
        self.told(|asset| asset.bounds().is_none())
    }

    fn title(&self, name: &str) -> Option<String> {
        let asset = self.library.asset(name)?;
        (!asset.name.is_empty()).then(|| asset.name.clone())
    }
}
