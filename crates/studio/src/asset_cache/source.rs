//! The source of meshes and images.

use async_trait::async_trait;
use media::{Image, MeshData};

/// The source of meshes and images.
#[async_trait]
pub trait AssetSource: Send + Sync + 'static {
    /// Loads the mesh `name`.
    async fn mesh_data(&self, name: &str) -> Result<MeshData, AssetError>;

    /// Loads the image `name`.
    async fn image(&self, name: &str) -> Result<Image, AssetError>;
}

/// An unavailable asset; pictures are rendered without it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("asset '{name}' is unavailable: {reason}")]
pub struct AssetError {
    /// Its name.
    pub name: String,
    /// The reason.
    pub reason: String,
}
