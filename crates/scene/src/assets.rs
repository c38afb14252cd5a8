//! The document's view of its assets.

use crate::bounds::Aabb;

/// Meshes and images by name. The document only needs to know whether they exist, and the bounds of
/// meshes.
pub trait Assets: std::fmt::Debug + Send + Sync {
    /// The bounding box of the mesh `name` in its own space; `None` if there is no such mesh.
    fn bounds(&self, name: &str) -> Option<Aabb>;

    /// The names of the meshes, for messages; may be incomplete.
    fn names(&self) -> Vec<String>;

    /// Whether the image `name` exists.
    fn has_image(&self, _name: &str) -> bool {
        false
    }

    /// The names of the images, for messages; may be incomplete.
    fn image_names(&self) -> Vec<String> {
        Vec::new()
    }

    /// The title of the asset `name`, if it differs from the name.
    fn title(&self, _name: &str) -> Option<String> {
        None
    }
}

/// No meshes and no images.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAssets;

impl Assets for NoAssets {
    fn bounds(&self, _: &str) -> Option<Aabb> {
        None
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}
