//! Pictures on request. Here tokio meets rayon: async callers wait, a pool of its own computes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use scene::Scene;
use tokio::sync::{Semaphore, oneshot};
use tracer::{
    Film, Integrator, LinearImage, Meshes, PassOutcome, RenderSettings, ToneMap, World, render_pass,
};

use crate::picture::{EncodeError, Format};
use crate::view::View;

/// Pixels of the longer side of a picture.
pub const MAX_SIDE: u32 = 4096;
/// Samples per pixel of a picture.
pub const MAX_SAMPLES: u32 = 65_536;
/// Edges of a path.
pub const MAX_DEPTH: u32 = 256;
/// Previews whose passes compute at the same time; each pass uses all threads when it is alone.
const CONCURRENT_PASSES: usize = 2;
/// Pictures on request that compute at the same time; previews come on top. Two keep two cores
/// busy, more would only make each one later.
const CONCURRENT_PICTURES: usize = 2;
/// Camera samples of one picture on request: 4096 x 4096 with 256 samples per pixel, or 1920 x 1080
/// with 2048. The command line has no such limit.
const MAX_WORK: u64 = 1 << 32;
/// Pictures on request that may wait for their turn; past that the caller is told to come back.
const WAITING_PICTURES: usize = 8;

/// A picture to be made.
#[derive(Debug, Clone)]
pub struct Job {
    /// What is seen, and from where.
    pub scene: Arc<Scene>,
    /// The meshes the scene names; shapes whose mesh is missing are left out.
    pub meshes: Arc<Meshes>,
    /// Pixels, 1 to [`MAX_SIDE`].
    pub width: u32,
    /// Pixels, 1 to [`MAX_SIDE`].
    pub height: u32,
    /// Samples per pixel, 1 to [`MAX_SAMPLES`].
    pub samples: u32,
    /// Edges of a path from the camera on, 1 to [`MAX_DEPTH`].
    pub max_depth: u32,
    /// How light is followed.
    pub integrator: Integrator,
    /// Chooses one of many equally good sets of samples.
    pub seed: u64,
    /// No further pass begins after this much rendering.
    pub time_limit: Option<Duration>,
    /// How radiance becomes display colours.
    pub tone_map: ToneMap,
}

/// What a picture took.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Statistics {
    /// Making the world: acceleration structure and lights.
    pub build: Duration,
    /// Tracing.
    pub render: Duration,
    /// Samples every pixel has.
    pub samples_per_pixel: u32,
    /// Rays traced, shadow rays included.
    pub rays: u64,
}

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
}

impl Job {
    /// A 400 x 300 picture of `scene` with 64 samples per pixel.
    pub fn of(scene: Arc<Scene>) -> Self {
        Self {
            scene,
            meshes: Arc::default(),
            width: 400,
            height: 300,
            samples: 64,
            max_depth: 10,
            integrator: Integrator::default(),
            seed: 0,
            time_limit: None,
            tone_map: ToneMap::default(),
        }
    }

    /// Whether every value is in its range.
    pub fn check(&self) -> Result<(), RenderFault> {
        let ranges = [
            ("width", self.width, MAX_SIDE),
            ("height", self.height, MAX_SIDE),
            ("samples", self.samples, MAX_SAMPLES),
            ("max_depth", self.max_depth, MAX_DEPTH),
        ];
        let faults: Vec<String> = ranges
            .into_iter()
            .filter(|(_, value, most)| !(1..=*most).contains(value))
            .map(|(name, value, most)| format!("'{name}' must be from 1 to {most}, got {value}"))
            .collect();
        if faults.is_empty() { Ok(()) } else { Err(RenderFault::OutOfRange(faults)) }
    }

    fn check_work(&self) -> Result<(), RenderFault> {
        let work = u64::from(self.width) * u64::from(self.height) * u64::from(self.samples);
        if work <= MAX_WORK {
            return Ok(());
        }
        Err(RenderFault::OutOfRange(vec![format!(
            "'width' x 'height' x 'samples' may be at most {MAX_WORK}, got {work}; ask for fewer \
             samples, or use the command line"
        )]))
    }

    /// Renders on the rayon pool this is called in, until `cancel` turns true. `progress` hears the samples per pixel after
    /// each pass.
    pub fn render(
        &self,
        cancel: &AtomicBool,
        mut progress: impl FnMut(u32),
    ) -> Result<(LinearImage, Statistics), RenderFault> {
        self.check()?;
        let started = Instant::now();
        let world = World::build_with(&self.scene, &self.meshes);
        let mut statistics = Statistics { build: started.elapsed(), ..Statistics::default() };
        let settings = self.settings();
        let mut film = Film::new(self.width, self.height);
        let started = Instant::now();
        while statistics.samples_per_pixel < self.samples {
            let done = statistics.samples_per_pixel;
            let time_is_up = self.time_limit.is_some_and(|limit| started.elapsed() >= limit);
            if time_is_up && done > 0 {
                break;
            }
            let target = done + next_pass(done, self.samples, started.elapsed());
            let cancelled = || cancel.load(Ordering::Relaxed);
            match render_pass(&world, &settings, &mut film, target, &cancelled) {
                PassOutcome::Completed(pass) => statistics.rays += pass.rays,
                PassOutcome::Cancelled => return Err(RenderFault::Cancelled),
            }
            statistics.samples_per_pixel = target;
            progress(statistics.samples_per_pixel);
        }
        statistics.render = started.elapsed();
        Ok((film.linear(), statistics))
    }

    pub(crate) fn settings(&self) -> RenderSettings {
        RenderSettings {
            max_depth: self.max_depth,
            integrator: self.integrator,
            seed: self.seed,
            ..RenderSettings::default()
        }
    }
}

/// The longest a pass should take: what a viewer waits between two pictures.
const PASS_TIME: Duration = Duration::from_millis(400);

/// How many samples the next pass takes: as many as there are already (1, 1, 2, 4, 8, ...), unless
/// the pace so far says that this would take longer than [`PASS_TIME`].
pub(crate) fn next_pass(done: u32, target: u32, elapsed: Duration) -> u32 {
    let fitting = if done == 0 || elapsed.is_zero() {
        1
    } else {
        (PASS_TIME.as_secs_f64() / elapsed.as_secs_f64() * f64::from(done)) as u32
    };
    done.max(1).min(fitting.max(1)).min(target.saturating_sub(done))
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
        })
    }

    /// Makes a picture and encodes it. Dropping the future stops the tracing within a tile.
    pub async fn render(&self, job: Job, format: Format) -> Result<Vec<u8>, RenderFault> {
        job.check()?;
        job.check_work()?;
        let _accepted = self.accepted.try_acquire().map_err(|_| RenderFault::Busy)?;
        let _computing = self.computing.acquire().await.map_err(|_| RenderFault::Internal)?;
        compute(&self.pictures, move |cancel| {
            let (image, _) = job.render(cancel, |_| ())?;
            Ok(format.encode(&image, job.tone_map)?)
        })
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
        compute(&self.interactive, move |_| {
            let world = World::build(&view.of(&scene));
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
