//! A preview goes on after a panic in what it needs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use media::{Image, MeshData};
use scene::{Aabb, Assets, Edit, SceneManager};
use serde_json::json;
use spatial::Call;
use studio::{AssetError, AssetSource, Attention, Previews, Renderer, SharedScene, View};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// A mesh whose reading panics the first time.
#[derive(Debug, Default)]
struct Panicking {
    has_panicked: AtomicBool,
    panics: Notify,
}

impl Assets for Panicking {
    fn bounds(&self, _: &str) -> Option<Aabb> {
        Some(Aabb { min: [0.0; 3], max: [1.0; 3] })
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

fn lost(name: &str) -> AssetError {
    AssetError { name: name.to_owned(), reason: "lost".into() }
}

#[async_trait]
impl AssetSource for Panicking {
    async fn mesh_data(&self, name: &str) -> Result<MeshData, AssetError> {
        self.panics.notify_one();
        assert!(self.has_panicked.swap(true, Ordering::Relaxed), "on purpose");
        Err(lost(name))
    }

    async fn image(&self, name: &str) -> Result<Image, AssetError> {
        Err(lost(name))
    }
}

#[tokio::test]
async fn a_preview_goes_on_after_a_panic() {
    let meshes = Arc::new(Panicking::default());
    let renderer = Renderer::new(2).unwrap().with_assets(Arc::clone(&meshes) as _);
    let manager = SceneManager::default().with_assets(Arc::clone(&meshes) as _);
    let scene = Arc::new(SharedScene::new(manager, Attention::default()));
    let (tracker, cancel) = (TaskTracker::new(), CancellationToken::new());
    let previews = Previews::new(Arc::clone(&scene), renderer, tracker, cancel);
    let create = |args| {
        let edit = Edit::parse("create_shape", &args).unwrap();
        scene.apply_for_user(&[Call::Edit(edit)], None).unwrap();
    };
    create(json!({ "id": "mesh", "type": "mesh", "properties": { "asset": "m" } }));
    let view = View { width: 40, height: 30, target_samples: 4, ..View::default() };
    let mut viewer = previews.watch(&view, false);
    meshes.panics.notified().await;
    create(
        json!({ "id": "ball", "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } }),
    );
    loop {
        let frame = viewer.next().await;
        assert_eq!(frame.revision, 2);
        if frame.is_final() {
            return;
        }
    }
}
