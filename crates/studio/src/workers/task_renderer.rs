//! What renders tasks in the process of a worker.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use scene::Scene;
use tokio::sync::{OnceCell, oneshot};
use tokio_util::sync::CancellationToken;
use tracer::{FilmPart, Meshes, PassOutcome, World, render_part};

use super::fingerprint::fingerprint;
use super::wire::{MAX_WORKER_FRAME, TaskHeader, TaskResult};
use crate::asset_cache::{AssetCache, AssetSource, Triangles};

/// The most worlds at the same time, whose meshes and images the cache of assets bounds.
const MAX_WORLDS: usize = 4;

/// Renders tasks on a pool of its own. Cheap to clone; clones share the pool and the caches.
#[derive(Clone)]
pub struct TaskRenderer(Arc<Inner>);

struct Inner {
    pool: rayon::ThreadPool,
    /// By the hash of the scene, the one that was used last at the end. Locked only for a lookup.
    worlds: Mutex<VecDeque<(String, Arc<OnceCell<World>>)>>,
}

impl TaskRenderer {
    /// A renderer on `threads` threads; 0 takes one for each core.
    pub fn new(threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("worker-{index}"))
            .build()?;
        Ok(Self(Arc::new(Inner { pool, worlds: Mutex::default() })))
    }

    /// Its threads.
    pub fn threads(&self) -> usize {
        self.0.pool.current_num_threads()
    }

    /// What tells whether another process renders the same bits: see [`Renderer`](crate::Renderer).
    pub async fn fingerprint(&self) -> Option<String> {
        self.run(fingerprint).await
    }

    /// Runs `work` on the pool; `None` if it panicked.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (done, result) = oneshot::channel();
        self.0.pool.spawn(move || {
            // A panic must not abort the pool; the caller sees a dropped sender.
            if let Ok(value) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
                // The caller may be gone.
                let _ = done.send(value);
            }
        });
        result.await.ok()
    }

    fn slot(&self, hash: &str) -> Arc<OnceCell<World>> {
        // A panic cannot leave the queue inconsistent, so a poisoned lock is safe to use.
        let mut worlds = self.0.worlds.lock().unwrap_or_else(PoisonError::into_inner);
        let known = worlds.iter().position(|(other, _)| other == hash);
        let slot = known.and_then(|at| worlds.remove(at));
        let slot = slot.unwrap_or_else(|| (hash.to_owned(), Arc::default()));
        let world = Arc::clone(&slot.1);
        worlds.push_back(slot);
        while worlds.len() > MAX_WORLDS {
            worlds.pop_front();
        }
        world
    }

    /// The world of the scene with this hash, which is read by `text` and made once.
    pub async fn world(
        &self,
        hash: &str,
        assets: &TaskAssets,
        text: impl Future<Output = Result<String, String>>,
    ) -> Result<World, String> {
        let make = async {
            let text = text.await?;
            let read = self.run(move || Scene::from_json_text(&text)).await;
            let scene = read.ok_or("reading the scene failed")?;
            let scene =
                scene.map_err(|violations| format!("the scene is not valid: {violations}"))?;
            let build = |triangles: Triangles| async move {
                let built = self.run(move || triangles.build()).await;
                built.ok_or_else(|| "building a mesh failed".to_owned())?
            };
            let meshes = assets.0.of(&scene, build).await;
            if let Some(name) = missing(&scene, &meshes) {
                return Err(format!("asset '{name}' is unavailable"));
            }
            let built = self.run(move || World::build_with(&scene, &meshes)).await;
            built.ok_or_else(|| "building the scene failed".to_owned())
        };
        self.slot(hash).get_or_try_init(|| make).await.cloned()
    }

    /// Renders a task; `None` when it is cancelled.
    pub async fn render(
        &self,
        world: World,
        task: TaskHeader,
        part: Vec<u8>,
        cancel: CancellationToken,
    ) -> Result<Option<(TaskResult, Vec<u8>)>, String> {
        let work = move || {
            let size = [task.width, task.height];
            let part = FilmPart::from_bytes(size, task.features, &part);
            let mut part = part.map_err(|error| error.to_string())?;
            let settings = task.settings.settings();
            let begun = Instant::now();
            let cancelled = || cancel.is_cancelled();
            let outcome = render_part(&world, &settings, &mut part, task.target, &cancelled);
            let PassOutcome::Completed(statistics) = outcome else { return Ok(None) };
            let bytes = part.to_bytes();
            if bytes.len() > MAX_WORKER_FRAME / 2 {
                return Err(format!("the result has {} bytes, which is too much", bytes.len()));
            }
            let (seconds, samples) = (begun.elapsed().as_secs_f64(), statistics.samples);
            Ok(Some((TaskResult { id: task.id, seconds, samples, rays: statistics.rays }, bytes)))
        };
        self.run(work).await.ok_or_else(|| "rendering failed".to_owned())?
    }
}

/// A mesh or image of `scene` that is not there.
pub(super) fn missing(scene: &Scene, meshes: &Meshes) -> Option<String> {
    let (names, images) = (scene.mesh_names(), scene.image_names());
    let mesh = names.iter().find(|name| meshes.get(name.as_str()).is_none());
    let image = images.iter().find(|name| meshes.image(name.as_str()).is_none());
    mesh.map(ToString::to_string).or_else(|| image.map(ToString::to_string))
}

/// The meshes and images of one server's scenes, each read once, in bounded memory.
#[derive(Clone)]
pub struct TaskAssets(AssetCache);

impl TaskAssets {
    /// Those that `source` has.
    pub fn new(source: Arc<dyn AssetSource>) -> Self {
        Self(AssetCache::new(Some(source)))
    }

    /// Drops what nobody has used for a while.
    pub fn forget_unused_since(&self, moment: Instant) {
        self.0.forget_unused_since(moment);
    }
}
