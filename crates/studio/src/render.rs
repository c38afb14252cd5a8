//! Pictures on request. Here tokio meets rayon: async callers wait, a pool of its own computes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use oidn::OidnError;
use scene::Scene;
use tokio::sync::{Semaphore, oneshot};
use tracer::{Meshes, World};

use crate::asset_cache::{AssetCache, AssetSource, Triangles};
use crate::job::Job;
use crate::look::Look;
use crate::picture::{EncodeError, Format};
use crate::view::View;

/// Previews whose passes compute at the same time; each pass uses all threads when it is alone.
const CONCURRENT_PASSES: usize = 2;
/// Pictures on request that compute at the same time; previews come on top. Two keep two cores
/// busy, more would only make each one later.
const CONCURRENT_PICTURES: usize = 2;
/// Pictures on request that may wait for their turn; past that the caller is told to come back.
const WAITING_PICTURES: usize = 8;

/// What is seen at a point of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The shape or light.
    pub id: String,
    /// Where, in world space.
    pub point: [f64; 3],
    /// The unit normal there, towards the camera.
    pub normal: [f64; 3],
}

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RenderFault {
    /// The job asks for what the renderer does not do; all faults.
    #[error("{}", .0.join("; "))]
    OutOfRange(Vec<String>),
    /// Too many pictures wait already.
    #[error("the renderer has {WAITING_PICTURES} pictures waiting; try again in a few seconds")]
    Busy,
    /// Nobody waits for the picture any more.
    #[error("the render was cancelled")]
    Cancelled,
    /// The renderer is at fault.
    #[error("the renderer failed inside; please report what the scene was")]
    Internal,
    /// See [`EncodeError`].
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// See [`OidnError`].
    #[error(transparent)]
    Oidn(#[from] OidnError),
}

/// Where pictures are computed. Cheap to clone; all clones share the pools.
#[derive(Clone)]
pub struct Renderer {
    /// For what people wait for while they work: drafts, passes of previews, picks.
    interactive: Arc<rayon::ThreadPool>,
    /// For pictures on request, which may take long. The system shares the cores between the two,
    /// so that a long picture never keeps a draft waiting.
    pictures: Arc<rayon::ThreadPool>,
    /// One permit for each preview whose pass computes: all previews take turns, pass by pass.
    passes: Arc<Semaphore>,
    /// One permit for each picture that computes.
    computing: Arc<Semaphore>,
    /// One permit for each picture that computes or waits.
    accepted: Arc<Semaphore>,
    /// What scenes may show as meshes and images.
    assets: AssetCache,
}

impl Renderer {
    /// A renderer on `threads` threads; 0 takes one for each core.
    pub fn new(threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = |name: &'static str| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .thread_name(move |index| format!("{name}-{index}"))
                .build()
                .map(Arc::new)
        };
        Ok(Self {
            interactive: pool("preview")?,
            pictures: pool("picture")?,
            passes: Arc::new(Semaphore::new(CONCURRENT_PASSES)),
            computing: Arc::new(Semaphore::new(CONCURRENT_PICTURES)),
            accepted: Arc::new(Semaphore::new(CONCURRENT_PICTURES + WAITING_PICTURES)),
            assets: AssetCache::new(None),
        })
    }

    /// Shows the assets of `source` where scenes name them. What was built of another is forgotten.
    #[must_use]
    pub fn with_assets(self, source: Arc<dyn AssetSource>) -> Self {
        Self { assets: AssetCache::new(Some(source)), ..self }
    }

    /// The meshes and images `scene` shows; those that cannot be had are left out.
    pub(crate) async fn meshes(&self, scene: &Scene) -> Arc<Meshes> {
        // Not among the drafts: a large mesh takes a while.
        let pictures = &self.pictures;
        let build = |triangles: Triangles| async move {
            let built = compute(pictures, move |_| triangles.build()).await;
            built.map_err(|fault| fault.to_string())?
        };
        self.assets.of(scene, build).await
    }

    /// Makes a picture and encodes it, with the meshes there are. Dropping the future stops the
    /// tracing within a tile.
    pub async fn render(&self, job: Job, format: Format) -> Result<Vec<u8>, RenderFault> {
        self.make(vec![job], format, move |job, cancel| {
            let rendered = job.render(cancel, |_, _| ())?;
            Ok(rendered.encode(format, job.display)?)
        })
        .await
        .map(|mut pictures| pictures.pop().unwrap_or_default())
    }

    /// Makes pictures one after another, as one piece of work, and `finish` of all of them. All must
    /// ask for layers, which tell what each pixel shows.
    pub(crate) async fn looks<T: Send + 'static>(
        &self,
        jobs: Vec<Job>,
        finish: impl FnOnce(Vec<Look>) -> T + Send + 'static,
    ) -> Result<T, RenderFault> {
        let look = |job: &Job, cancel: &AtomicBool| {
            let rendered = job.render(cancel, |_, _| ())?;
            let aovs = rendered.aovs.ok_or(RenderFault::Internal)?;
            let (scene, image, objects) =
                (Arc::clone(&job.scene), rendered.image, rendered.objects);
            Ok(Look { scene, image, aovs, objects })
        };
        // Layers are only for this format.
        let looks = self.make(jobs, Format::Exr, look).await?;
        compute(&self.pictures, move |_| finish(looks)).await
    }

    /// What `make` makes of each job, with the meshes there are.
    async fn make<T: Send + 'static>(
        &self,
        jobs: Vec<Job>,
        format: Format,
        make: impl Fn(&Job, &AtomicBool) -> Result<T, RenderFault> + Send + 'static,
    ) -> Result<Vec<T>, RenderFault> {
        for job in &jobs {
            job.check()?;
            job.check_request(format)?;
        }
        let _accepted = self.accepted.try_acquire().map_err(|_| RenderFault::Busy)?;
        let mut ready = Vec::with_capacity(jobs.len());
        for job in jobs {
            ready.push(Job { meshes: self.meshes(&job.scene).await, ..job });
        }
        let _computing = self.computing.acquire().await.map_err(|_| RenderFault::Internal)?;
        compute(&self.pictures, move |cancel| ready.iter().map(|job| make(job, cancel)).collect())
            .await?
    }

    /// What is seen at `x`, `y` of `view`, both from 0 to 1, from the top left.
    pub async fn pick(
        &self,
        scene: Arc<Scene>,
        view: View,
        x: f64,
        y: f64,
    ) -> Result<Option<Seen>, RenderFault> {
        let meshes = self.meshes(&scene).await;
        compute(&self.interactive, move |_| {
            let world = World::build_with(&view.of(&scene), &meshes);
            let aspect = view.width as f32 / view.height as f32;
            world.pick(x as f32, y as f32, aspect).map(|picked| Seen {
                id: picked.id.as_str().to_owned(),
                point: picked.point.map(f64::from),
                normal: picked.normal.map(f64::from),
            })
        })
        .await
    }

    /// Runs work that people wait for while they work. When the future is dropped the flag `work`
    /// is given turns true.
    pub(crate) async fn interactive<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, RenderFault> {
        compute(&self.interactive, work).await
    }

    /// As [`Self::interactive`], when it is this preview's turn.
    pub(crate) async fn pass<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, RenderFault> {
        let _turn = self.passes.acquire().await.map_err(|_| RenderFault::Internal)?;
        compute(&self.interactive, work).await
    }
}

/// Runs `work` on `pool`. When the future is dropped the flag `work` is given turns true.
async fn compute<T: Send + 'static>(
    pool: &rayon::ThreadPool,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> Result<T, RenderFault> {
    let cancel = Arc::new(AtomicBool::new(false));
    let on_drop = SetOnDrop(Arc::clone(&cancel));
    let (done, result) = oneshot::channel();
    pool.spawn(move || {
        // A panic must not take the pool down; the caller hears of it as a dropped sender.
        if let Ok(value) = catch_unwind(AssertUnwindSafe(|| work(&cancel))) {
            // The caller may be gone: then nobody wants the value.
            let _ = done.send(value);
        }
    });
    let value = result.await.map_err(|_| RenderFault::Internal);
    drop(on_drop);
    value
}

/// Tells work on the pool that nobody waits for it any more.
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
