//! The picture that refines while people work: a coarse draft at once, then passes of 1, 1, 2, 4, 8
//! ... samples. A new revision supersedes whatever is being computed.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use scene::{Camera, Revision, Scene};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracer::{
    Draft, Film, LinearImage, PassOutcome, RenderSettings, ToneMap, World, render_draft,
    render_pass,
};

use crate::picture::Format;
use crate::render::{RenderFault, Renderer, next_pass};
use crate::shared::SharedScene;

/// What a viewer wants to see.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Samples per pixel at the end.
    pub target_samples: u32,
    /// A private look; none for the scene's own camera.
    pub camera: Option<Camera>,
}

impl Default for View {
    fn default() -> Self {
        Self { width: 400, height: 300, target_samples: 256, camera: None }
    }
}

impl View {
    /// `scene` as this viewer sees it.
    pub(crate) fn of(&self, scene: &Arc<Scene>) -> Arc<Scene> {
        match &self.camera {
            None => Arc::clone(scene),
            Some(camera) => Arc::new(Scene { camera: camera.clone(), ..(**scene).clone() }),
        }
    }
}

/// A picture of a revision, on its way to the final one.
#[derive(Debug, Clone)]
pub struct Frame {
    /// What it shows.
    pub revision: u64,
    /// From 0, the coarse draft.
    pub pass: u32,
    /// Samples per pixel; 0 for the coarse draft.
    pub samples: u32,
    /// Samples per pixel at the end.
    pub target_samples: u32,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Since the revision was seen.
    pub elapsed: Duration,
    /// Estimated time to the last frame.
    pub remaining: Duration,
    /// Estimated relative error of a pixel, 0.02 = 2 %; 1 while nothing is known.
    pub noise: f64,
    /// The encoded picture, see [`PREVIEW_FORMAT`].
    pub image: Bytes,
}

impl Frame {
    /// Whether no better frame of this revision follows.
    pub fn is_final(&self) -> bool {
        self.samples >= self.target_samples
    }
}

/// The brightest a single bounce may make a sample of a preview: fewer fireflies while people work,
/// at the price of dimmer caustics. Pictures on request are not clamped.
const BRIGHTEST_BOUNCE: f32 = 8.0;

/// The format of previews: a millisecond to encode, a tenth of PNG's size.
pub const PREVIEW_FORMAT: Format = Format::Jpeg;

/// The previews of one scene. Viewers with the same view share one computation, which ends when
/// the last of them is gone.
pub struct Previews {
    scene: Arc<SharedScene>,
    renderer: Renderer,
    tracker: TaskTracker,
    cancel: CancellationToken,
    /// Who computes what; held only to look up and insert.
    running: Mutex<HashMap<String, Running>>,
}

/// A computation as its viewers see it.
#[derive(Clone)]
struct Running {
    /// A `watch`, because only the newest frame is worth sending.
    frames: watch::Sender<Option<Frame>>,
    /// Viewers that are not paused.
    watching: watch::Sender<usize>,
}

impl Running {
    fn viewer(&self) -> Viewer {
        let mut frames = self.frames.subscribe();
        // A frame that is there already is news to this viewer.
        frames.mark_changed();
        let mut viewer = Viewer { frames, watching: self.watching.clone(), paused: true };
        viewer.set_paused(false);
        viewer
    }
}

/// Someone who sees a preview. It refines as long as one of its viewers is not paused, and ends
/// with the last of them.
pub struct Viewer {
    frames: watch::Receiver<Option<Frame>>,
    watching: watch::Sender<usize>,
    paused: bool,
}

impl Viewer {
    /// The newest frame, once there is one that this viewer has not seen. Pending for ever after
    /// the server has stopped.
    pub async fn next(&mut self) -> Frame {
        while self.frames.changed().await.is_ok() {
            if let Some(frame) = self.frames.borrow_and_update().clone() {
                return frame;
            }
        }
        std::future::pending().await
    }

    /// Whether this viewer wants the picture to be refined for now. What is there is kept.
    pub fn set_paused(&mut self, paused: bool) {
        if paused != self.paused {
            self.paused = paused;
            self.watching.send_modify(|count| if paused { *count -= 1 } else { *count += 1 });
        }
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.set_paused(true);
    }
}

impl Previews {
    /// Previews of `scene`; the tasks belong to `tracker` and end with `cancel`.
    pub fn new(
        scene: Arc<SharedScene>,
        renderer: Renderer,
        tracker: TaskTracker,
        cancel: CancellationToken,
    ) -> Self {
        Self { scene, renderer, tracker, cancel, running: Mutex::default() }
    }

    /// Starts to look at `view`.
    pub fn watch(&self, view: &View) -> Viewer {
        let camera = view.camera.as_ref().map(Camera::to_json);
        let key = format!("{}x{}@{} {camera:?}", view.width, view.height, view.target_samples);
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|_, running| running.frames.receiver_count() > 0);
        if let Some(running) = running.get(&key) {
            return running.viewer();
        }
        let new = Running { frames: watch::Sender::new(None), watching: watch::Sender::new(0) };
        let viewer = new.viewer();
        let task = PreviewTask {
            view: view.clone(),
            revisions: self.scene.subscribe(),
            renderer: self.renderer.clone(),
            frames: new.frames.clone(),
            watching: new.watching.subscribe(),
        };
        running.insert(key, new);
        let cancel = self.cancel.clone();
        self.tracker.spawn(async move {
            // Ending the task drops the computation in flight, which stops within a tile.
            cancel.run_until_cancelled(task.run()).await;
        });
        viewer
    }
}

struct PreviewTask {
    view: View,
    revisions: watch::Receiver<Revision>,
    renderer: Renderer,
    frames: watch::Sender<Option<Frame>>,
    watching: watch::Receiver<usize>,
}

/// What is carried from pass to pass.
struct Progress {
    world: World,
    film: Film,
    settings: RenderSettings,
    pass: u32,
    samples: u32,
}

impl PreviewTask {
    async fn run(mut self) {
        loop {
            let revision = self.revisions.borrow_and_update().clone();
            let superseded = {
                let mut revisions = self.revisions.clone();
                async move { revisions.changed().await }
            };
            let frames = self.frames.clone();
            tokio::select! {
                biased;
                () = frames.closed() => return,
                changed = superseded => if changed.is_err() { return },
                () = self.refine(&revision) => {
                    // Refined to the end: wait for a change, or for the last viewer to go.
                    let mut revisions = self.revisions.clone();
                    tokio::select! {
                        () = frames.closed() => return,
                        changed = revisions.changed() => if changed.is_err() { return },
                    }
                }
            }
        }
    }

    /// Computes and publishes all frames of a revision.
    async fn refine(&self, revision: &Revision) {
        let mut watching = self.watching.clone();
        let started = Instant::now();
        let mut progress = match self.draft(revision, started).await {
            Ok(progress) => progress,
            Err(fault) => return tracing::error!(%fault, "the draft failed"),
        };
        let refining = Instant::now();
        while progress.samples < self.view.target_samples {
            // The sender lives in a map that outlives this task; an error would mean a stop.
            if watching.wait_for(|count| *count > 0).await.is_err() {
                return;
            }
            let target = progress.samples
                + next_pass(progress.samples, self.view.target_samples, refining.elapsed());
            let passed = self
                .renderer
                .compute(move |cancel| {
                    let Progress { world, film, settings, .. } = &mut progress;
                    let cancelled = || cancel.load(Ordering::Relaxed);
                    match render_pass(world, settings, film, target, &cancelled) {
                        PassOutcome::Cancelled => Err(RenderFault::Cancelled),
                        PassOutcome::Completed(_) => {
                            progress.pass += 1;
                            progress.samples = target;
                            Ok((encode(&progress.film.linear())?, progress))
                        }
                    }
                })
                .await;
            let image = match passed.and_then(|result| result) {
                Ok((image, next_progress)) => {
                    progress = next_progress;
                    image
                }
                Err(fault) => return tracing::error!(%fault, "a pass failed"),
            };
            let left = f64::from(self.view.target_samples - progress.samples);
            let pace = refining.elapsed().as_secs_f64() / f64::from(progress.samples);
            self.frames.send_replace(Some(Frame {
                revision: revision.number,
                pass: progress.pass,
                samples: progress.samples,
                elapsed: started.elapsed(),
                remaining: Duration::from_secs_f64(left * pace),
                noise: progress.film.noise().map_or(1.0, f64::from),
                image,
                ..self.blank_frame()
            }));
        }
    }

    /// Builds the world and publishes the coarse draft.
    async fn draft(&self, revision: &Revision, started: Instant) -> Result<Progress, RenderFault> {
        let scene = self.view.of(&revision.scene);
        let (width, height) = (self.view.width, self.view.height);
        let settings =
            RenderSettings { clamp_indirect: Some(BRIGHTEST_BOUNCE), ..RenderSettings::default() };
        let (world, image) = self
            .renderer
            .compute(move |cancel| {
                let world = World::build(&scene);
                let cancelled = || cancel.load(Ordering::Relaxed);
                let draft =
                    render_draft(&world, &settings, Draft::default(), [width, height], &cancelled);
                let draft = draft.ok_or(RenderFault::Cancelled)?;
                Ok::<_, RenderFault>((world, encode(&draft)?))
            })
            .await??;
        self.frames.send_replace(Some(Frame {
            revision: revision.number,
            elapsed: started.elapsed(),
            image,
            ..self.blank_frame()
        }));
        Ok(Progress {
            world,
            film: Film::new(width, height),
            settings,
            pass: 0,
            samples: 0,
        })
    }

    fn blank_frame(&self) -> Frame {
        Frame {
            revision: 0,
            pass: 0,
            samples: 0,
            target_samples: self.view.target_samples,
            width: self.view.width,
            height: self.view.height,
            elapsed: Duration::ZERO,
            remaining: Duration::ZERO,
            noise: 1.0,
            image: Bytes::new(),
        }
    }
}

fn encode(image: &LinearImage) -> Result<Bytes, RenderFault> {
    Ok(Bytes::from(PREVIEW_FORMAT.encode(image, ToneMap::default())?))
}
