//! The meshes scenes may name.

use std::collections::BTreeMap;
use std::sync::Arc;

use scene::{Aabb, Assets};

use super::Mesh;

/// Meshes by name. Cheap to clone. Kept by whoever renders, so that an edit of a scene builds
/// nothing of a mesh anew.
#[derive(Debug, Clone, Default)]
pub struct Meshes(BTreeMap<String, Arc<Mesh>>);

impl Meshes {
    /// The mesh called `name`.
    pub fn get(&self, name: &str) -> Option<&Arc<Mesh>> {
        self.0.get(name)
    }

    /// Adds a mesh, in place of the one that was called so before.
    pub fn insert(&mut self, name: String, mesh: Arc<Mesh>) {
        self.0.insert(name, mesh);
    }
}

impl FromIterator<(String, Arc<Mesh>)> for Meshes {
    fn from_iter<I: IntoIterator<Item = (String, Arc<Mesh>)>>(meshes: I) -> Self {
        Self(meshes.into_iter().collect())
    }
}

impl Assets for Meshes {
    fn bounds(&self, name: &str) -> Option<Aabb> {
        self.get(name).map(|mesh| mesh.bounds())
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}
