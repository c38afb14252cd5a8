//! The assets of one session.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use scene::{Aabb, Assets};

use crate::facts::Asset;
use crate::library::Library;

/// The assets a session may use: any whose hash it knows. Error messages and the model's context list only
/// those uploaded for it or shown in it; a server that lists everything lists all assets.
#[derive(Debug)]
pub struct SessionAssets {
    library: Arc<Library>,
    tells_all: bool,
    /// Hashes of the session's own assets; locked only for a lookup or an insert.
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

    /// Adds an asset to the listed ones.
    pub fn add(&self, hash: &str) {
        self.own().insert(hash.to_owned());
    }

    /// Hashes of the listed assets of one kind: those of the session first, then newest first.
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
        // An insert cannot leave the set inconsistent, so a poisoned lock is safe to use.
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
