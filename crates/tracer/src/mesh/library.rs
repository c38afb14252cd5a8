//! The meshes and images scenes may name.

use std::collections::BTreeMap;
use std::sync::Arc;

use media::MeshData;
use scene::{Aabb, Assets, Geometry, Scene};
use tessellation::{FINE, MeshKey, tessellate, tolerance_of};

use super::Mesh;
use crate::image_map::ImageMap;

/// Bytes of the forms that are made for one scene: some ten million triangles.
const MAX_FORM_BYTES: usize = 1 << 30;

/// Meshes and images by name. Cheap to clone. Kept by whoever renders, so that an edit of a scene builds
/// nothing of them anew.
#[derive(Debug, Clone, Default)]
pub struct Meshes {
    meshes: BTreeMap<String, Arc<Mesh>>,
    images: BTreeMap<String, Arc<ImageMap>>,
}

impl Meshes {
    /// The mesh called `name`.
    pub fn get(&self, name: &str) -> Option<&Arc<Mesh>> {
        self.meshes.get(name)
    }

    /// These meshes, and the forms of shapes of `scene` that are not among them: those that rays meet
    /// as triangles. Equal forms are made once. What would take more than a gibibyte together is left
    /// out.
    #[must_use]
    pub fn with_forms(&self, scene: &Scene) -> Self {
        self.with_forms_unless(scene, &|| false)
    }

    /// As [`with_forms`](Self::with_forms), without the forms that are not made yet when `cancelled`.
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
            // Shapes too small or too thin to have a triangle are not seen.
            let data = form_triangles(&shape.geometry);
            if let Some(mesh) = data.and_then(|data| Mesh::new(data).ok()) {
                made += mesh.memory();
                all.insert(form.name, Arc::new(mesh));
            }
        }
        all
    }

    /// Adds a mesh, in place of the one that was called so before.
    pub fn insert(&mut self, name: String, mesh: Arc<Mesh>) {
        self.meshes.insert(name, mesh);
    }

    /// The image called `name`.
    pub fn image(&self, name: &str) -> Option<&Arc<ImageMap>> {
        self.images.get(name)
    }

    /// Adds an image, in place of the one that was called so before.
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
        // Not those of forms: nobody may name them.
        self.meshes.keys().filter(|name| !MeshKey::is_name(name)).cloned().collect()
    }

    fn has_image(&self, name: &str) -> bool {
        self.images.contains_key(name)
    }

    fn image_names(&self) -> Vec<String> {
        self.images.keys().cloned().collect()
    }
}

/// The triangles of a shape that has a [`MeshKey`], to a ten-thousandth of its size; `None` for other
/// kinds.
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
