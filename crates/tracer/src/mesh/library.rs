//! The meshes scenes may name.

use std::collections::BTreeMap;
use std::sync::Arc;

use scene::{Aabb, Assets, Geometry, Scene};
use tessellation::{FINE, Form, tessellate, tolerance_of};

use super::{Mesh, MeshData};

/// Bytes of the forms that are made for one scene: some ten million triangles.
const MOST_FORM_BYTES: usize = 1 << 30;

/// Meshes by name. Cheap to clone. Kept by whoever renders, so that an edit of a scene builds
/// nothing of a mesh anew.
#[derive(Debug, Clone, Default)]
pub struct Meshes(BTreeMap<String, Arc<Mesh>>);

impl Meshes {
    /// The mesh called `name`.
    pub fn get(&self, name: &str) -> Option<&Arc<Mesh>> {
        self.0.get(name)
    }

    /// These meshes, and the forms of shapes of `scene` that are not among them: those that rays meet
    /// as triangles. Equal forms are made once. What would take more than a gibibyte together is left
    /// out.
    #[must_use]
    pub fn with_forms(&self, scene: &Scene) -> Self {
        let mut all = self.clone();
        let mut made = 0;
        for shape in &scene.shapes {
            let Some(form) = Form::of(&shape.geometry) else { continue };
            if made >= MOST_FORM_BYTES || all.get(&form.name).is_some() {
                continue;
            }
            // Shapes too small or too thin to have a triangle are not seen.
            let data = MeshData::of_form(&shape.geometry);
            if let Some(mesh) = data.and_then(|data| Mesh::new(data).ok()) {
                made += mesh.memory();
                all.insert(form.name, Arc::new(mesh));
            }
        }
        all
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
        // Not those of forms: nobody may name them.
        self.0.keys().filter(|name| !Form::is_name(name)).cloned().collect()
    }
}

impl MeshData {
    /// The triangles of a shape that has a [`Form`], to a ten-thousandth of its size; `None` for
    /// other kinds.
    pub fn of_form(geometry: &Geometry) -> Option<Self> {
        Form::of(geometry)?;
        let tolerance = tolerance_of(geometry, FINE)?;
        let made = tessellate(geometry, tolerance)?.triangles;
        Some(Self {
            positions: made.positions,
            triangles: made.triangles,
            normals: made.normals,
            uv: Vec::new(),
        })
    }
}
