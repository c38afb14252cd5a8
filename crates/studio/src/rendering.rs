//! Rendering a picture in interruptible steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use oidn::{Oidn, Pictures};
use scene::Scene;
use tracer::{
    Aovs, Film, LinearImage, PassOutcome, PassStatistics, RenderSettings, World, denoise_unless,
    render_pass,
};

use crate::error::RenderError;
use crate::job::{Denoise, Job, Rendered, Statistics};
use crate::passes::{next_pass, shared_pass};
use crate::workers::{Posted, SceneText, Workers};

/// A picture that is being rendered. It can be paused and resumed between any two pixels, with the
/// same result.
pub(crate) struct Rendering {
    job: Job,
    /// `None` if it was not requested.
    oidn: Option<Oidn>,
    statistics: Statistics,
    stage: Stage,
    /// Those that long passes are shared with.
    workers: Option<Workers>,
}

enum Stage {
    Building,
    Tracing(Box<Tracing>),
}

struct Tracing {
    /// Of the scene, or of the moment that is being traced.
    world: World,
    /// How many moments are traced.
    moment: usize,
    film: Film,
    settings: RenderSettings,
    /// Samples per pixel of all passes so far.
    done: u32,
    /// Samples per pixel of the current pass; 0 between passes.
    samples: u32,
    /// Time spent in the current pass before the last pause.
    spent: Duration,
    seconds_per_sample: f64,
    /// The current pass, if it is shared with workers, which have the film then.
    posted: Option<Posted>,
    /// The scene for workers, once it was asked for; `None` in it if they cannot have it.
    scene_text: Option<Option<SceneText>>,
}

/// Asked from all threads; see [`render_pass`].
type Flag<'a> = &'a (dyn Fn() -> bool + Sync);

impl Rendering {
    /// Validates the job; nothing is computed yet.
    pub(crate) fn new(job: Job) -> Result<Self, RenderError> {
        job.check()?;
        // Before the work, which would be for nothing.
        let oidn = (job.denoise == Denoise::Oidn).then(Oidn::load).transpose()?;
        let statistics = Statistics::default();
        Ok(Self { job, oidn, statistics, stage: Stage::Building, workers: None })
    }

    /// The same, shared with workers if it takes long.
    pub(crate) fn shared_with(self, workers: Workers) -> Self {
        Self { workers: Some(workers), ..self }
    }

    /// Renders on the current rayon pool until the picture is done, or returns `None` when `leave`
    /// becomes true. When `cancelled` becomes true, steps that cannot pause are aborted, too. `progress`
    /// gets the film and the samples per pixel after each pass.
    pub(crate) fn go_on(
        &mut self,
        cancelled: Flag<'_>,
        leave: Flag<'_>,
        progress: &mut dyn FnMut(&Film, u32),
    ) -> Result<Option<Rendered>, RenderError> {
        if matches!(self.stage, Stage::Building) {
            self.stage = Stage::Tracing(Box::new(self.build(cancelled)?));
        }
        let Stage::Tracing(tracing) = &mut self.stage else { return Err(RenderError::Internal) };
        let begun = Instant::now();
        let flags = [cancelled, leave];
        let workers = self.workers.as_ref();
        let traced = tracing.go_on(&self.job, workers, &mut self.statistics, flags, progress);
        self.statistics.render += begun.elapsed();
        match traced? {
            true => self.finish(cancelled).map(Some),
            false => Ok(None),
        }
    }

    fn build(&mut self, cancelled: Flag<'_>) -> Result<Tracing, RenderError> {
        let job = &self.job;
        let started = Instant::now();
        let world = World::build_unless(&job.scene, &job.meshes, cancelled);
        let world = world.ok_or(RenderError::Cancelled)?;
        self.statistics.build = started.elapsed();
        let started = Instant::now();
        let settings = job.settings(&world, cancelled).ok_or(RenderError::Cancelled)?;
        self.statistics.integrator = settings.integrator;
        let film = job.film();
        self.statistics.render = started.elapsed();
        let (done, samples, spent) = (0, 0, Duration::ZERO);
        let (seconds_per_sample, posted, scene_text) = (0.0, None, None);
        Ok(Tracing {
            world,
            moment: 0,
            film,
            settings,
            done,
            samples,
            spent,
            seconds_per_sample,
            posted,
            scene_text,
        })
    }

    fn finish(&mut self, cancelled: Flag<'_>) -> Result<Rendered, RenderError> {
        let Stage::Tracing(tracing) = &self.stage else { return Err(RenderError::Internal) };
        let Tracing { film, world, .. } = &**tracing;
        let mut statistics = self.statistics;
        statistics.samples_per_pixel = film.mean_samples();
        statistics.noise = film.noise();
        let aovs = film.aovs();
        let opacity = film.coverage().filter(|_| self.job.transparent);
        let started = Instant::now();
        let image = match (self.job.denoise, &self.oidn, &aovs) {
            (Denoise::Builtin, _, _) => denoise_unless(film, cancelled),
            (Denoise::Oidn, Some(oidn), Some(aovs)) => Some(by_oidn(oidn, &film.linear(), aovs)?),
            _ => None,
        };
        if cancelled() {
            return Err(RenderError::Cancelled);
        }
        let image = image.unwrap_or_else(|| film.linear());
        statistics.denoise = started.elapsed();
        let aovs = aovs.filter(|_| self.job.aovs);
        let objects = match aovs {
            Some(_) => world.objects().map(|(id, _)| id.clone()).collect(),
            None => Vec::new(),
        };
        Ok(Rendered { image, opacity, aovs, objects, statistics })
    }
}

impl Job {
    /// The scene, or one of its further moments, from 1.
    fn scene_of(&self, moment: usize) -> &Arc<Scene> {
        moment.checked_sub(1).and_then(|at| self.moments.get(at)).unwrap_or(&self.scene)
    }

    /// The samples per pixel after which a moment, from 0, is done.
    fn samples_until(&self, moment: usize) -> u32 {
        let share = u64::from(self.samples) * (moment as u64 + 1) / (self.moments.len() as u64 + 1);
        u32::try_from(share).unwrap_or(self.samples)
    }

    /// Renders on the current rayon pool, until `cancel` becomes true. `progress` gets the film and the
    /// maximum of samples per pixel after each pass.
    pub fn render(
        &self,
        cancel: &AtomicBool,
        mut progress: impl FnMut(&Film, u32),
    ) -> Result<Rendered, RenderError> {
        let cancelled = || cancel.load(Ordering::Relaxed);
        let mut rendering = Rendering::new(self.clone())?;
        let rendered = rendering.go_on(&cancelled, &cancelled, &mut progress)?;
        rendered.ok_or(RenderError::Cancelled)
    }
}

impl Tracing {
    /// Whether tracing is complete.
    fn go_on(
        &mut self,
        job: &Job,
        workers: Option<&Workers>,
        statistics: &mut Statistics,
        [cancelled, leave]: [Flag<'_>; 2],
        progress: &mut dyn FnMut(&Film, u32),
    ) -> Result<bool, RenderError> {
        let begun_at = statistics.render;
        let started = Instant::now();
        // Adaptive sampling chooses pixels at the start of a pass, so the pass must not pause.
        let stop = if job.noise_threshold.is_some() { cancelled } else { leave };
        loop {
            if self.samples == 0 {
                let seconds_left = job.time_limit.map_or(f64::INFINITY, |limit| {
                    limit.as_secs_f64() - (begun_at + started.elapsed()).as_secs_f64()
                });
                self.samples = match self.post(job, workers, seconds_left) {
                    Some(samples) => samples,
                    None => {
                        let target = job.samples_until(self.moment);
                        next_pass(self.done, target, self.seconds_per_sample, seconds_left)
                    }
                };
                if self.samples == 0 {
                    return Ok(true);
                }
            }
            if leave() {
                return if cancelled() { Err(RenderError::Cancelled) } else { Ok(false) };
            }
            let begun = Instant::now();
            let target = self.done + self.samples;
            let outcome = match &self.posted {
                // Who needs what was decided when it was posted.
                Some(posted) => match posted.board().work(&self.world, leave) {
                    true => PassOutcome::Completed(self.take_back()),
                    false => PassOutcome::Cancelled,
                },
                None => render_pass(&self.world, &self.settings, &mut self.film, target, stop),
            };
            match outcome {
                PassOutcome::Cancelled if cancelled() => return Err(RenderError::Cancelled),
                PassOutcome::Cancelled => {
                    self.spent += begun.elapsed();
                    return Ok(false);
                }
                // All pixels are below the noise threshold.
                PassOutcome::Completed(pass) if pass.samples == 0 && self.spent.is_zero() => {
                    return Ok(true);
                }
                PassOutcome::Completed(pass) => statistics.rays += pass.rays,
            }
            self.done = target;
            let spent = self.spent + begun.elapsed();
            self.seconds_per_sample = spent.as_secs_f64() / f64::from(self.samples);
            (self.samples, self.spent) = (0, Duration::ZERO);
            self.enter_moment(job, cancelled)?;
            progress(&self.film, self.done);
        }
    }
}

impl Tracing {
    /// Builds the world of the next moment once the present one has its samples.
    fn enter_moment(&mut self, job: &Job, cancelled: Flag<'_>) -> Result<(), RenderError> {
        if self.done < job.samples_until(self.moment) || self.moment == job.moments.len() {
            return Ok(());
        }
        self.moment += 1;
        let scene = job.scene_of(self.moment);
        let world = World::build_unless(scene, &job.meshes, cancelled);
        self.world = world.ok_or(RenderError::Cancelled)?;
        self.scene_text = None;
        Ok(())
    }

    /// Shares the next pass with workers, if there are any and it is long; its samples per pixel.
    fn post(&mut self, job: &Job, workers: Option<&Workers>, seconds_left: f64) -> Option<u32> {
        let workers = workers.filter(|workers| workers.connected() > 0)?;
        if self.film.gathers_coverage() {
            return None;
        }
        let (done, pace, in_rounds) =
            (self.done, self.seconds_per_sample, job.noise_threshold.is_some());
        let samples =
            shared_pass(done, job.samples_until(self.moment), pace, seconds_left, in_rounds)?;
        let text = || Workers::scene_text(job.scene_of(self.moment), &job.meshes);
        let text = self.scene_text.get_or_insert_with(text).clone()?;
        let film = std::mem::replace(&mut self.film, Film::new(0, 0));
        let threads = rayon::current_num_threads() as f64;
        let pace = pace * threads / (f64::from(film.width()) * f64::from(film.height()));
        match workers.post(text, self.settings, film, done + samples, pace) {
            Ok(posted) => {
                self.posted = Some(posted);
                Some(samples)
            }
            Err(film) => {
                self.film = film;
                None
            }
        }
    }

    /// Ends a shared pass.
    fn take_back(&mut self) -> PassStatistics {
        let Some(posted) = self.posted.take() else { return PassStatistics::default() };
        let (film, statistics) = posted.board().take();
        self.film = film;
        statistics
    }
}

fn by_oidn(oidn: &Oidn, image: &LinearImage, aovs: &Aovs) -> Result<LinearImage, RenderError> {
    let pictures = Pictures {
        width: image.width as usize,
        height: image.height as usize,
        color: image.pixels.as_flattened(),
        albedo: aovs.albedo.pixels.as_flattened(),
        normal: aovs.normal.pixels.as_flattened(),
    };
    let denoised = oidn.denoise(&pictures, rayon::current_num_threads())?;
    let (pixels, _) = denoised.as_chunks::<3>();
    Ok(LinearImage { width: image.width, height: image.height, pixels: pixels.to_vec() })
}
