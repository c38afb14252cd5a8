//! The renderer: async callers wait while rayon pools render.

use std::sync::Arc;
use std::time::{Duration, Instant};

use scene::Scene;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracer::{Meshes, World};

use crate::asset_cache::{AssetCache, AssetSource, Triangles};
use crate::bound::Bound;
use crate::client::{AcceptedPicture, NamedClients, RenderClient};
use crate::error::RenderError;
use crate::films::FilmBudget;
use crate::job::{Job, Rendered};
use crate::look::Look;
use crate::picture::{Format, exposed};
use crate::rendering::Rendering;
use crate::schedule::{Order, Priority, Scheduler, Turn};
use crate::view::View;
use crate::workers::{Workers, fingerprint};

/// Memory of all large pictures in progress: two of the largest.
const MAX_LARGE_BYTES: u64 = 1 << 30;
/// Memory of all small pictures in progress.
const MAX_SMALL_BYTES: u64 = 512 << 20;
/// A picture that needs more memory is large: the largest that a model can request is small.
const SMALL_BYTES: u64 = 288 << 20;
/// A picture with more camera samples is large: half a minute on two cores.
const SMALL_WORK: u64 = 1 << 26;
/// How long an asset that no picture uses stays in the cache: somebody may go on editing.
const ASSETS_UNUSED_FOR: Duration = Duration::from_secs(300);
/// Bytes that count as one permit.
const UNIT: u64 = 1 << 10;

/// What the renderer takes of the machine, beside its threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderLimits {
    /// Bytes of all films of previews that are retained between passes: by default of 14 previews of 400 x 300, or of one of
    /// 1920 x 1440, which takes more. Previews without room show their first pass until others are done.
    pub film_bytes: usize,
    /// Pictures on request of all clients, in progress or queued.
    pub pictures: usize,
    /// Animations in memory, in progress or on their way to a client: each at most
    /// [`MAX_MOVIE_BYTES`](crate::MAX_MOVIE_BYTES) large.
    pub movies: usize,
}

impl Default for RenderLimits {
    fn default() -> Self {
        Self { film_bytes: 128 << 20, pictures: 64, movies: 4 }
    }
}

/// The result of picking a point of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The shape or light.
    pub id: String,
    /// The point in world space.
    pub point: [f64; 3],
    /// The unit normal there, towards the camera.
    pub normal: [f64; 3],
}

/// How many of the pictures on request models may have in progress or queued in their runs.
fn for_models(limits: RenderLimits) -> usize {
    limits.pictures.div_ceil(2)
}

/// The renderer. Cheap to clone; clones share the pools.
#[derive(Clone)]
pub struct Renderer {
    limits: RenderLimits,
    /// The pool for interactive work: drafts, preview passes, picks.
    interactive: Scheduler,
    /// The pool for pictures on request. The operating system shares the cores between both pools, so
    /// that a long render never delays a draft.
    pictures: Scheduler,
    /// Films of previews between passes.
    films: FilmBudget,
    /// One permit for each picture that is rendered or queued.
    accepted: Arc<Semaphore>,
    /// One permit for each of these that a model asked for in a run.
    for_models: Arc<Semaphore>,
    /// A permit for each [`UNIT`] of memory of small and of large pictures in progress.
    memory: [Arc<Semaphore>; 2],
    /// A permit for each animation in memory.
    movies: Arc<Semaphore>,
    /// Clients without a session.
    clients: Arc<NamedClients>,
    /// The asset cache.
    assets: AssetCache,
    /// Processes on other machines that render parts of large pictures.
    workers: Workers,
}

impl Renderer {
    /// A renderer on `threads` threads; 0 takes one for each core.
    pub fn new(threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let memory = |bytes: u64| Arc::new(Semaphore::new((bytes / UNIT) as usize));
        let limits = RenderLimits::default();
        Ok(Self {
            limits,
            interactive: Scheduler::new("preview", 0, threads)?,
            pictures: Scheduler::new("picture", 1, threads)?,
            films: FilmBudget::new(limits.film_bytes),
            accepted: Arc::new(Semaphore::new(limits.pictures)),
            for_models: Arc::new(Semaphore::new(for_models(limits))),
            memory: [memory(MAX_SMALL_BYTES), memory(MAX_LARGE_BYTES)],
            movies: Arc::new(Semaphore::new(limits.movies)),
            clients: Arc::default(),
            assets: AssetCache::new(None),
            workers: Workers::default(),
        })
    }

    /// The same renderer within other limits.
    #[must_use]
    pub fn with_limits(self, limits: RenderLimits) -> Self {
        Self {
            limits,
            films: FilmBudget::new(limits.film_bytes),
            accepted: Arc::new(Semaphore::new(limits.pictures)),
            for_models: Arc::new(Semaphore::new(for_models(limits))),
            movies: Arc::new(Semaphore::new(limits.movies)),
            ..self
        }
    }

    /// The client without a session that is known by `name`, e.g. an address.
    pub fn client(&self, name: &str) -> RenderClient {
        self.clients.get(name)
    }

    /// The most pixels of a preview: those of a film that fills the room for all films.
    pub fn max_preview_pixels(&self) -> u64 {
        self.films.max_pixels()
    }

    /// Drops cached meshes and images that nobody has used for a while.
    pub fn forget_unused(&self) {
        if let Some(moment) = Instant::now().checked_sub(ASSETS_UNUSED_FOR) {
            self.assets.forget_unused_since(moment);
        }
    }

    /// The processes on other machines that render parts of large pictures.
    pub fn workers(&self) -> &Workers {
        &self.workers
    }

    /// A hash of small pictures: processes with the same one render the same bits.
    pub async fn fingerprint(&self) -> Result<String, RenderError> {
        self.brief(&RenderClient::default(), |_| fingerprint()).await
    }

    /// The limits that all clients share.
    pub fn bounds(&self) -> Vec<Bound> {
        let [small, large] = &self.memory;
        let RenderLimits { pictures, movies, .. } = self.limits;
        let mut bounds = vec![
            self.films.bound(),
            Bound::of_permits("pictures", &self.accepted, pictures as u64, 1),
            Bound::of_permits(
                "model_pictures",
                &self.for_models,
                for_models(self.limits) as u64,
                1,
            ),
            Bound::of_permits("animations", &self.movies, movies as u64, 1),
            Bound::of_permits("small_picture_bytes", small, MAX_SMALL_BYTES, UNIT),
            Bound::of_permits("large_picture_bytes", large, MAX_LARGE_BYTES, UNIT),
        ];
        bounds.extend(self.assets.bounds());
        bounds
    }

    pub(crate) fn films(&self) -> &FilmBudget {
        &self.films
    }

    /// Uses `source` for assets. Cached assets of another source are dropped.
    #[must_use]
    pub fn with_assets(self, source: Arc<dyn AssetSource>) -> Self {
        Self { assets: AssetCache::new(Some(source)), ..self }
    }

    /// The meshes and images of `scene`; unavailable ones are left out.
    pub(crate) async fn meshes(&self, scene: &Scene, client: &RenderClient) -> Arc<Meshes> {
        // Not in the interactive pool: a large mesh takes a while.
        let build = |triangles: Triangles| async move {
            let built = self.brief(client, move |_| triangles.build()).await;
            built.map_err(|error| error.to_string())?
        };
        self.assets.of(scene, build).await
    }

    /// Renders and encodes a picture for `client`. Dropping the future stops the work within a tile.
    pub async fn render(
        &self,
        client: &RenderClient,
        job: Job,
        format: Format,
    ) -> Result<Vec<u8>, RenderError> {
        let encode = move |job: &Job, rendered: Rendered| Ok(rendered.encode(format, job.display)?);
        let mut pictures = self.make(client, vec![job], format, encode).await?;
        pictures.pop().ok_or(RenderError::Internal)
    }

    /// Renders pictures one after another as one task, and passes them to `finish`. All jobs must request
    /// layers.
    pub(crate) async fn looks<T: Send + 'static>(
        &self,
        client: &RenderClient,
        jobs: Vec<Job>,
        finish: impl FnOnce(Vec<Look>) -> T + Send + 'static,
    ) -> Result<T, RenderError> {
        let look = |job: &Job, rendered: Rendered| {
            let aovs = rendered.aovs.ok_or(RenderError::Internal)?;
            let image = exposed(&rendered.image, job.display.exposure);
            let (scene, objects) = (Arc::clone(&job.scene), rendered.objects);
            let samples = rendered.statistics.samples_per_pixel;
            let traced = rendered.statistics.render;
            Ok(Look { scene, image, aovs, objects, samples, traced })
        };
        // Layers are only for this format.
        let looks = self.make(client, jobs, Format::Exr, look).await?;
        self.brief(client, move |_| finish(looks)).await
    }

    /// Renders each job, and maps the pictures by `make`.
    async fn make<T: Send + 'static>(
        &self,
        client: &RenderClient,
        jobs: Vec<Job>,
        format: Format,
        make: impl Fn(&Job, Rendered) -> Result<T, RenderError> + Copy + Send + 'static,
    ) -> Result<Vec<T>, RenderError> {
        for job in &jobs {
            job.check()?;
            job.check_request(format)?;
        }
        let accepted = self.accept(client)?;
        let admitted = Arc::new(self.admit(client, &jobs, accepted).await?);
        let mut made = Vec::with_capacity(jobs.len());
        for job in jobs {
            let job = Job { meshes: self.meshes(&job.scene, client).await, ..job };
            made.push(self.make_one(client, job, &admitted, make).await?);
        }
        Ok(made)
    }

    /// Renders one picture of a series that was accepted as a whole, and maps it by `make`. Others get
    /// their turns between the pictures.
    pub(crate) async fn make_accepted<T: Send + 'static>(
        &self,
        client: &RenderClient,
        job: Job,
        accepted: &Accepted,
        make: impl Fn(&Job, Rendered) -> Result<T, RenderError> + Copy + Send + 'static,
    ) -> Result<T, RenderError> {
        job.check()?;
        let admitted = self.admit(client, std::slice::from_ref(&job), accepted.clone()).await?;
        let job = Job { meshes: self.meshes(&job.scene, client).await, ..job };
        self.make_one(client, job, &Arc::new(admitted), make).await
    }

    /// A place for an animation in memory.
    pub(crate) fn movie_place(&self) -> Result<OwnedSemaphorePermit, RenderError> {
        Arc::clone(&self.movies)
            .try_acquire_owned()
            .map_err(|_| RenderError::MoviesBusy(self.limits.movies))
    }

    /// Waits for the turn of a picture that a model asks for in a run. Nobody's other pictures are refused because runs
    /// have taken all places.
    pub(crate) async fn turn_of_model(&self) -> Result<OwnedSemaphorePermit, RenderError> {
        let turn = Arc::clone(&self.for_models).acquire_owned().await;
        // The semaphore is never closed.
        turn.map_err(|_| RenderError::Internal)
    }

    /// Counts a picture of `client`, or a series of them, as accepted.
    pub(crate) fn accept(&self, client: &RenderClient) -> Result<Accepted, RenderError> {
        let counted = client.accept_picture().ok_or(RenderError::ClientBusy)?;
        let place = Arc::clone(&self.accepted)
            .try_acquire_owned()
            .map_err(|_| RenderError::Busy(self.limits.pictures))?;
        Ok(Accepted(Arc::new((counted, place))))
    }

    /// Waits until there is room for one of `jobs` at a time.
    async fn admit(
        &self,
        client: &RenderClient,
        jobs: &[Job],
        accepted: Accepted,
    ) -> Result<Admitted, RenderError> {
        let memory = jobs.iter().map(Job::memory).max().unwrap_or(0);
        let work = jobs.iter().map(Job::work).sum::<u64>();
        let is_large = memory > SMALL_BYTES || work > SMALL_WORK;
        // A client's pictures come one after another, so each waiter for memory is another client,
        // and the order is fair.
        let lane = client.lane(is_large).acquire_owned();
        let lane = lane.await.map_err(|_| RenderError::Internal)?;
        let (room, limit) = match is_large {
            true => (&self.memory[1], MAX_LARGE_BYTES),
            false => (&self.memory[0], MAX_SMALL_BYTES),
        };
        let units = u32::try_from(memory.min(limit) / UNIT).unwrap_or(u32::MAX);
        let room = Arc::clone(room).acquire_many_owned(units).await;
        let room = room.map_err(|_| RenderError::Internal)?;
        let priority = if is_large { Priority::Later } else { Priority::Soon };
        Ok(Admitted { priority, _accepted: accepted, _lane: lane, _room: room })
    }

    /// Renders one picture in as many turns as needed.
    async fn make_one<T: Send + 'static>(
        &self,
        client: &RenderClient,
        job: Job,
        admitted: &Arc<Admitted>,
        make: impl Fn(&Job, Rendered) -> Result<T, RenderError> + Copy + Send + 'static,
    ) -> Result<T, RenderError> {
        let (client, priority) = (client.clone(), admitted.priority);
        let order = Order { client, priority, size: job.work(), is_large: false };
        let mut rendering = Rendering::new(job.clone())?.shared_with(self.workers.clone());
        loop {
            // The permits are held until the work has stopped, even if the caller is gone.
            let (job, admitted) = (job.clone(), Arc::clone(admitted));
            let turn = self.pictures.run(order.clone(), move |turn| {
                let (cancelled, leave) = (|| turn.is_cancelled(), || turn.should_end());
                let _admitted = admitted;
                Ok::<_, RenderError>(match rendering.go_on(&cancelled, &leave, &mut |_, _| ())? {
                    Some(rendered) => Made::Done(make(&job, rendered)?),
                    None => Made::Left(Box::new(rendering)),
                })
            });
            match turn.await?? {
                Made::Done(made) => return Ok(made),
                Made::Left(left) => rendering = *left,
            }
        }
    }

    /// Picks the object at `x`, `y` of `view`, both from 0 to 1, from the top left.
    pub async fn pick(
        &self,
        client: &RenderClient,
        scene: Arc<Scene>,
        view: View,
        x: f64,
        y: f64,
    ) -> Result<Option<Seen>, RenderError> {
        let meshes = self.meshes(&scene, client).await;
        let order =
            Order { client: client.clone(), priority: Priority::Now, size: 1, is_large: false };
        self.interactive(order, move |turn| {
            let cancelled = || turn.is_cancelled();
            let world = World::build_unless(&view.of(&scene, &*meshes), &meshes, &cancelled)?;
            let aspect = view.width as f32 / view.height as f32;
            world.pick(x as f32, y as f32, aspect).map(|picked| Seen {
                id: picked.id.as_str().to_owned(),
                point: picked.point.map(f64::from),
                normal: picked.normal.map(f64::from),
            })
        })
        .await
    }

    /// Runs preview work when it is its turn.
    pub(crate) async fn interactive<T: Send + 'static>(
        &self,
        order: Order,
        work: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<T, RenderError> {
        self.interactive.run(order, work).await
    }

    /// Runs work of a second at most beside previews, before pictures.
    pub(crate) async fn brief<T: Send + 'static>(
        &self,
        client: &RenderClient,
        work: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<T, RenderError> {
        let order =
            Order { client: client.clone(), priority: Priority::Now, size: 0, is_large: false };
        self.pictures.run(order, work).await
    }
}

/// A picture, or a series of pictures, among those of its client and of all.
#[derive(Clone)]
pub(crate) struct Accepted(
    #[expect(dead_code, reason = "held")] Arc<(AcceptedPicture, OwnedSemaphorePermit)>,
);

/// The permits of a picture in progress.
struct Admitted {
    priority: Priority,
    _accepted: Accepted,
    _lane: OwnedSemaphorePermit,
    _room: OwnedSemaphorePermit,
}

/// The outcome of one turn of a picture.
enum Made<T> {
    Done(T),
    /// Paused for other work.
    Left(Box<Rendering>),
}
