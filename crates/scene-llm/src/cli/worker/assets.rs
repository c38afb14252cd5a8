//! The meshes and images of a server's scenes, over HTTP.

use assets::{AssetHash, MediaType, read_image, read_mesh};
use async_trait::async_trait;
use client::Server;
use media::{Image, MeshData};
use studio::{AssetError, AssetSource};

/// The uploaded files of a server.
pub(super) struct ServerAssets(pub(super) Server);

impl ServerAssets {
    async fn read<T: Send + 'static>(
        &self,
        name: &str,
        read: fn(&[u8], MediaType) -> Result<T, String>,
    ) -> Result<T, AssetError> {
        let missing = |reason: String| AssetError { name: name.to_owned(), reason };
        let got = self.0.asset(name).await;
        let (kind, content) = got.map_err(|error| missing(error.to_string()))?;
        if AssetHash::of(&content).as_str() != name {
            return Err(missing("the server sent something else".into()));
        }
        let kind = MediaType::named(&kind);
        let kind = kind.ok_or_else(|| missing("its kind is not known here".into()))?;
        let read = tokio::task::spawn_blocking(move || read(&content, kind)).await;
        read.map_err(|_| missing("reading it failed".into()))?.map_err(missing)
    }
}

#[async_trait]
impl AssetSource for ServerAssets {
    async fn mesh_data(&self, name: &str) -> Result<MeshData, AssetError> {
        self.read(name, read_mesh).await
    }

    async fn image(&self, name: &str) -> Result<Image, AssetError> {
        self.read(name, read_image).await
    }
}
