//! What the document must know of the things it names but does not hold.

use crate::bounds::Aabb;

/// Where meshes and images are kept. The document only asks whether they are there, and how large
/// meshes are.
pub trait Assets: std::fmt::Debug + Send + Sync {
    /// The smallest box around the mesh `name`, before it is scaled, turned and moved; `None` when
    /// there is no such mesh.
    fn bounds(&self, name: &str) -> Option<Aabb>;

    /// The names of the meshes there are, for messages; may be cut short.
    fn names(&self) -> Vec<String>;

    /// Whether there is an image `name`.
    fn has_image(&self, _name: &str) -> bool {
        false
    }

    /// The names of the images there are, for messages; may be cut short.
    fn image_names(&self) -> Vec<String> {
        Vec::new()
    }

    /// What people call the asset `name`, where that is something else.
    fn title(&self, _name: &str) -> Option<String> {
        None
    }
}

/// A place without meshes and images.
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
