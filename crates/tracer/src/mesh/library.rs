//! The meshes and images of scenes.

use std::collections::BTreeMap;
use std::sync::Arc;

use media::MeshData;
use scene::{Aabb, Assets, Geometry, Scene};
use tessellation::{FINE, MeshKey, tessellate, tolerance_of};

use super::Mesh;
use crate::image_map::ImageMap;

/// The memory limit for the tessellated shapes of one scene: some ten million triangles.
const MAX_FORM_BYTES: usize = 1 << 30;

/// Meshes and images by name. Cheap to clone. The renderer caches them, so that an edit of a scene
/// rebuilds none of them.
#[derive(Debug, Clone, Default)]
pub struct Meshes {
    meshes: BTreeMap<String, Arc<Mesh>>,
    images: BTreeMap<String, Arc<ImageMap>>,
}

impl Meshes {
    /// The mesh named `name`.
    pub fn get(&self, name: &str) -> Option<&Arc<Mesh>> {
        self.meshes.get(name)
    }

    /// These meshes, and the tessellated shapes of `scene` that are missing: shapes without an
    /// analytic intersection. Equal shapes share a mesh. Shapes beyond a gibibyte in total are left
    /// out.
    #[must_use]
    pub fn with_forms(&self, scene: &Scene) -> Self {
        self.with_forms_unless(scene, &|| false)
    }

    /// Like [`with_forms`](Self::with_forms), without the missing ones once `cancelled` returns
    /// true.
    pub(crate) fn with_forms_unless(
        &self,
        scene: &Scene,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let mut all = self.clone();
        let mut made = 0;
        for shape in &scene.shapes {
            let Some(form) = MeshKey::of(&shape.geometry) else { continue };
            if cancelled() || made >= MAX_FORM_BYTES || all.get(&form.name).is_some() {
                continue;
            }
            // Degenerate shapes without triangles are invisible.
            let data = form_triangles(&shape.geometry);
            if let Some(mesh) = data.and_then(|data| Mesh::new(data).ok()) {
                made += mesh.memory();
                all.insert(form.name, Arc::new(mesh));
            }
        }
        all
    }

    /// Adds a mesh, or replaces the one with this name.
    pub fn insert(&mut self, name: String, mesh: Arc<Mesh>) {
        self.meshes.insert(name, mesh);
    }

    /// The image named `name`.
    pub fn image(&self, name: &str) -> Option<&Arc<ImageMap>> {
        self.images.get(name)
    }

    /// Adds an image, or replaces the one with this name.
    pub fn insert_image(&mut self, name: String, image: Arc<ImageMap>) {
        self.images.insert(name, image);
    }
}

impl FromIterator<(String, Arc<Mesh>)> for Meshes {
    fn from_iter<I: IntoIterator<Item = (String, Arc<Mesh>)>>(meshes: I) -> Self {
        Self { meshes: meshes.into_iter().collect(), images: BTreeMap::new() }
    }
}

impl Assets for Meshes {
    fn bounds(&self, name: &str) -> Option<Aabb> {
        self.get(name).map(|mesh| mesh.bounds())
    }

    fn names(&self) -> Vec<String> {
        // Tessellated shapes are not assets.
        self.meshes.keys().filter(|name| !MeshKey::is_name(name)).cloned().collect()
    }

    fn has_image(&self, name: &str) -> bool {
        self.images.contains_key(name)
    }

    fn image_names(&self) -> Vec<String> {
        self.images.keys().cloned().collect()
    }
}

/// Tessellates a shape that has a [`MeshKey`], with a tolerance of a ten-thousandth of its size;
/// `None` for other kinds.
pub fn form_triangles(geometry: &Geometry) -> Option<MeshData> {
    MeshKey::of(geometry)?;
    let tolerance = tolerance_of(geometry, FINE)?;
    let made = tessellate(geometry, tolerance)?.triangles;
    Some(MeshData {
        positions: made.positions,
        triangles: made.triangles,
        normals: made.normals,
        uv: Vec::new(),
    })
}
