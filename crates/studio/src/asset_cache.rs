//! A cache of mesh BVHs and decoded images: an edit that moves a mesh does not rebuild it, and sessions
//! share equal assets.

mod lru;
mod source;

use std::sync::Arc;
use std::time::Instant;

use media::MeshData;
use scene::{Scene, Shape};
use tessellation::MeshKey;
use tracer::{ImageMap, Mesh, Meshes};

use crate::bound::Bound;

use lru::LruCache;
pub use source::{AssetError, AssetSource};

/// The triangles of a mesh.
pub(crate) enum Triangles {
    /// Loaded from the source.
    Read(MeshData),
    /// The tessellation of a shape, which is not computed yet.
    Of(Arc<Shape>),
}

impl Triangles {
    /// Builds the mesh with its BVH; slow.
    pub(crate) fn build(self) -> Result<Mesh, String> {
        let data = match self {
            Self::Read(data) => Some(data),
            Self::Of(shape) => tracer::form_triangles(&shape.geometry),
        };
        Mesh::new(data.unwrap_or_default()).map_err(|error| error.to_string())
    }
}

/// Bytes of unused meshes that stay in the cache: seven million triangles.
const RETAINED_MESH_BYTES: usize = 512 << 20;
/// The most bytes of meshes in use by all scenes; beyond it, further meshes are left out.
const MAX_MESH_BYTES: usize = 2 << 30;
/// Bytes of unused images that stay in the cache: four of 8192 x 4096 pixels.
const RETAINED_IMAGE_BYTES: usize = 512 << 20;
/// The most bytes of images in use by all scenes; beyond it, further images are left out.
const MAX_IMAGE_BYTES: usize = 1 << 30;

/// The meshes and images of all scenes, each built once. Cheap to clone; clones share the cache.
#[derive(Clone)]
pub(crate) struct AssetCache(Arc<Inner>);

struct Inner {
    source: Option<Arc<dyn AssetSource>>,
    meshes: LruCache<Mesh>,
    images: LruCache<ImageMap>,
}

impl AssetCache {
    /// A cache of the assets of `source`; empty without one.
    pub(crate) fn new(source: Option<Arc<dyn AssetSource>>) -> Self {
        Self::bounded(source, (RETAINED_MESH_BYTES, MAX_MESH_BYTES))
    }

    /// Drops what is not in use and was not asked for since `moment`.
    pub(crate) fn forget_unused_since(&self, moment: Instant) {
        self.0.meshes.forget_unused_since(moment);
        self.0.images.forget_unused_since(moment);
    }

    /// The limits of what is in use, for operators.
    pub(crate) fn bounds(&self) -> [Bound; 2] {
        let bound = |name, (used, limit)| Bound { name, used: used as u64, limit: limit as u64 };
        [bound("mesh_bytes", self.0.meshes.in_use()), bound("image_bytes", self.0.images.in_use())]
    }

    fn bounded(source: Option<Arc<dyn AssetSource>>, bounds: (usize, usize)) -> Self {
        let images = LruCache::bounded((RETAINED_IMAGE_BYTES, MAX_IMAGE_BYTES));
        Self(Arc::new(Inner { source, meshes: LruCache::bounded(bounds), images }))
    }

    /// The meshes and images of `scene`, and the meshes of its tessellated shapes. Missing ones are built,
    /// meshes by `build`. Unavailable ones are left out and logged.
    pub(crate) async fn of<B, F>(&self, scene: &Scene, build: B) -> Arc<Meshes>
    where
        B: Fn(Triangles) -> F,
        F: Future<Output = Result<Mesh, String>>,
    {
        let mut found = Meshes::default();
        let mut add = |name: &str, mesh: Result<Arc<Mesh>, AssetError>| match mesh {
            Ok(mesh) => found.insert(name.to_owned(), mesh),
            Err(missing) => tracing::warn!(%missing, "a picture is made without a mesh"),
        };
        for name in scene.mesh_names() {
            add(name.as_str(), self.read(name.as_str(), &build).await);
        }
        for shape in &scene.shapes {
            if let Some(form) = MeshKey::of(&shape.geometry) {
                let made = std::future::ready(Ok(Triangles::Of(Arc::clone(shape))));
                add(&form.name, self.mesh(&form.name, made, &build).await);
            }
        }
        for name in scene.image_names() {
            match self.image(name.as_str()).await {
                Ok(image) => found.insert_image(name.to_string(), image),
                Err(missing) => tracing::warn!(%missing, "a picture is made without an image"),
            }
        }
        Arc::new(found)
    }

    /// A mesh of the source.
    async fn read<B, F>(&self, name: &str, build: &B) -> Result<Arc<Mesh>, AssetError>
    where
        B: Fn(Triangles) -> F,
        F: Future<Output = Result<Mesh, String>>,
    {
        let source = self.source(name)?;
        let data = async { Ok(Triangles::Read(source.mesh_data(name).await?)) };
        self.mesh(name, data, build).await
    }

    /// The mesh cached under `name`, else the result of `build` for `triangles`.
    async fn mesh<B, F>(
        &self,
        name: &str,
        triangles: impl Future<Output = Result<Triangles, AssetError>>,
        build: &B,
    ) -> Result<Arc<Mesh>, AssetError>
    where
        B: Fn(Triangles) -> F,
        F: Future<Output = Result<Mesh, String>>,
    {
        let make = async {
            let built = build(triangles.await?).await;
            built.map_err(|reason| AssetError { name: name.to_owned(), reason })
        };
        self.0.meshes.get(name, make).await
    }

    async fn image(&self, name: &str) -> Result<Arc<ImageMap>, AssetError> {
        let source = self.source(name)?;
        let read = async { Ok(ImageMap::new(source.image(name).await?)) };
        self.0.images.get(name, read).await
    }

    fn source(&self, name: &str) -> Result<&Arc<dyn AssetSource>, AssetError> {
        self.0.source.as_ref().ok_or_else(|| AssetError {
            name: name.to_owned(),
            reason: "there are none here".into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use media::Image;
    use serde_json::{Value, json};

    use super::*;

    /// A source with a triangle under every name except `none`, which counts requests.
    #[derive(Default)]
    struct Counted(AtomicUsize);

    #[async_trait]
    impl AssetSource for Counted {
        async fn mesh_data(&self, name: &str) -> Result<MeshData, AssetError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            // Lets concurrent requests run.
            tokio::task::yield_now().await;
            if name == "none" {
                return Err(AssetError { name: name.to_owned(), reason: "lost".into() });
            }
            let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
            Ok(MeshData { positions, triangles: vec![[0, 1, 2]], ..MeshData::default() })
        }

        async fn image(&self, name: &str) -> Result<Image, AssetError> {
            let mesh = self.mesh_data(name).await?;
            let pixels = mesh.triangles.iter().map(|_| [9; 4]).collect();
            Image::bytes(1, 1, pixels)
                .map_err(|fault| AssetError { name: name.to_owned(), reason: fault.to_string() })
        }
    }

    async fn built(triangles: Triangles) -> Result<Mesh, String> {
        triangles.build()
    }

    fn scene(assets: &[&str], x: f64) -> Scene {
        let shape = |(at, asset): (usize, &&str)| {
            json!({ "id": format!("s{at}"), "type": "mesh",
                "properties": { "asset": asset, "translation": [x, 0, 0] } })
        };
        let shapes: Vec<Value> = assets.iter().enumerate().map(shape).collect();
        Scene::from_json(&json!({ "version": 1, "shapes": shapes })).unwrap()
    }

    fn cache(bounds: (usize, usize)) -> (AssetCache, Arc<Counted>) {
        let source = Arc::new(Counted::default());
        (AssetCache::bounded(Some(Arc::clone(&source) as _), bounds), source)
    }

    #[tokio::test]
    async fn a_mesh_that_moves_is_not_built_anew_and_asked_for_once_by_all() {
        let (cache, source) = cache((RETAINED_MESH_BYTES, MAX_MESH_BYTES));
        let (one, two) = (scene(&["a", "a"], 0.0), scene(&["a"], 5.0));
        let (first, second) = tokio::join!(cache.of(&one, built), cache.of(&two, built));
        assert!(Arc::ptr_eq(first.get("a").unwrap(), second.get("a").unwrap()));
        let third = cache.of(&scene(&["a", "b"], 9.0), built).await;
        assert!(Arc::ptr_eq(first.get("a").unwrap(), third.get("a").unwrap()));
        assert_eq!(source.0.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn what_nobody_uses_is_forgotten_after_a_while_and_what_is_in_use_stays() {
        let (cache, source) = cache((RETAINED_MESH_BYTES, MAX_MESH_BYTES));
        let used = cache.of(&scene(&["a"], 0.0), built).await;
        drop(cache.of(&scene(&["b"], 0.0), built).await);
        let before = Instant::now();
        drop(cache.of(&scene(&["c"], 0.0), built).await);
        cache.forget_unused_since(before);
        let names: Vec<String> = cache.0.meshes.lock().slots.keys().cloned().collect();
        assert_eq!(names, ["a", "c"]);
        assert!(used.get("a").is_some());
        drop(cache.of(&scene(&["b"], 0.0), built).await);
        assert_eq!(source.0.load(Ordering::Relaxed), 4);
    }

    #[tokio::test]
    async fn images_are_made_ready_once_and_told_apart_from_meshes() {
        let (cache, source) = cache((RETAINED_MESH_BYTES, MAX_MESH_BYTES));
        let shown = |asset: &str| {
            let image = json!({ "type": "image", "asset": asset });
            let matte = json!({ "type": "lambertian", "albedo": image });
            let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": matte });
            let shape = json!({ "id": "a", "type": "sphere", "properties": ball });
            Scene::from_json(&json!({ "version": 1, "shapes": [shape] })).unwrap()
        };
        let first = cache.of(&shown("a"), built).await;
        let again = cache.of(&shown("a"), built).await;
        assert!(Arc::ptr_eq(first.image("a").unwrap(), again.image("a").unwrap()));
        assert!(first.get("a").is_none());
        assert_eq!(source.0.load(Ordering::Relaxed), 1);
        assert!(cache.of(&shown("none"), built).await.image("none").is_none());
    }

    #[tokio::test]
    async fn a_form_is_built_once_however_often_it_stands_and_is_moved() {
        let (cache, _) = cache((RETAINED_MESH_BYTES, MAX_MESH_BYTES));
        let built = AtomicUsize::new(0);
        let cans = |count: usize, x: f64| {
            let can = |at: usize| {
                json!({ "id": format!("can{at}"), "type": "lathe", "properties": {
                    "base_center": [x + at as f64, 0, 0], "rotation": [0, 10 * at, 0],
                    "profile": [[0, 0], [0.5, 0], [0.5, 1], [0, 1]] } })
            };
            let shapes: Vec<Value> = (0..count).map(can).collect();
            Scene::from_json(&json!({ "version": 1, "shapes": shapes })).unwrap()
        };
        for (count, x) in [(3, 0.0), (3, 5.0), (7, -2.0)] {
            let meshes = cache
                .of(&cans(count, x), |triangles: Triangles| {
                    built.fetch_add(1, Ordering::Relaxed);
                    async move { triangles.build() }
                })
                .await;
            let form = MeshKey::of(&cans(1, 0.0).shapes[0].geometry).unwrap();
            assert!(meshes.get(&form.name).is_some());
            assert_eq!(scene::Assets::names(&*meshes), Vec::<String>::new());
        }
        assert_eq!(built.into_inner(), 1);
    }

    #[tokio::test]
    async fn what_cannot_be_had_is_left_out_and_asked_for_again() {
        let (cache, source) = cache((RETAINED_MESH_BYTES, MAX_MESH_BYTES));
        for asked in 1..=2 {
            let meshes = cache.of(&scene(&["none", "a"], 0.0), built).await;
            assert!(meshes.get("none").is_none() && meshes.get("a").is_some());
            assert_eq!(source.0.load(Ordering::Relaxed), asked + 1);
        }
        let without = AssetCache::new(None);
        assert!(without.of(&scene(&["a"], 0.0), built).await.get("a").is_none());
    }

    #[tokio::test]
    async fn what_was_asked_for_least_recently_goes_but_stays_shared_while_it_is_in_use() {
        let (cache, source) = cache((1, MAX_MESH_BYTES));
        let a = cache.of(&scene(&["a"], 0.0), built).await;
        drop(cache.of(&scene(&["b"], 0.0), built).await);
        let again = cache.of(&scene(&["a"], 0.0), built).await;
        assert!(Arc::ptr_eq(a.get("a").unwrap(), again.get("a").unwrap()));
        assert_eq!(source.0.load(Ordering::Relaxed), 2);
        // Another mesh was retained, so this one, now unused, is gone.
        drop((a, again));
        drop(cache.of(&scene(&["b"], 0.0), built).await);
        drop(cache.of(&scene(&["a"], 0.0), built).await);
        assert_eq!(source.0.load(Ordering::Relaxed), 4);
        assert_eq!(cache.0.meshes.lock().slots.len(), 1);
    }

    #[tokio::test]
    async fn meshes_in_use_are_bounded() {
        let (cache, _) = cache((1, 1));
        let a = cache.of(&scene(&["a"], 0.0), built).await;
        assert!(cache.of(&scene(&["b"], 0.0), built).await.get("b").is_none());
        drop(a);
        cache.0.meshes.lock().slots.clear();
        assert!(cache.of(&scene(&["b"], 0.0), built).await.get("b").is_some());
    }
}
