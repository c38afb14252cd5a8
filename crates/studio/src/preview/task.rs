//! The computation behind a preview: a draft of each revision, then passes.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bytes::Bytes;
use scene::Revision;
use tokio::sync::watch;
use tracer::{
    Draft, Film, LinearImage, PassOutcome, RenderSettings, World, denoise, render_draft,
    render_pass,
};

use crate::passes::next_pass;
use crate::picture::Display;
use crate::render::{RenderFault, Renderer};
use crate::view::View;

use super::{Frame, PREVIEW_FORMAT};

/// The brightest a single bounce may make a sample of a preview: fewer fireflies while people work,
/// at the price of dimmer caustics. Pictures on request are not clamped.
const BRIGHTEST_BOUNCE: f32 = 8.0;

/// Noisier pictures are shown denoised. With less, what the denoiser takes away is no longer worth
/// the detail it may take with it.
const QUIET: f64 = 0.03;

/// Computes the frames of one view until its last viewer is gone.
pub(super) struct PreviewTask {
    pub(super) view: View,
    pub(super) revisions: watch::Receiver<Revision>,
    pub(super) renderer: Renderer,
    pub(super) frames: watch::Sender<Option<Frame>>,
    /// Viewers that are not paused.
    pub(super) watching: watch::Receiver<usize>,
}

/// What is carried from pass to pass.
struct Progress {
    revision: u64,
    world: World,
    film: Film,
    settings: RenderSettings,
    pass: u32,
    samples: u32,
    /// When the revision was seen.
    started: Instant,
    /// Time spent in passes.
    computing: Duration,
}

impl Progress {
    /// The picture to show at this much noise.
    fn picture(&self, noise: f64) -> LinearImage {
        let denoised = if noise > QUIET { denoise(&self.film) } else { None };
        denoised.unwrap_or_else(|| self.film.linear())
    }
}

impl PreviewTask {
    pub(super) async fn run(mut self) {
        let frames = self.frames.clone();
        tokio::select! {
            biased;
            () = frames.closed() => {}
            () = self.follow() => {}
        }
    }

    /// Follows the revisions until there are no more.
    async fn follow(&mut self) {
        while self.someone_watches().await {
            let revision = self.revisions.borrow_and_update().clone();
            // A draft that has begun is finished even if an edit comes: someone who drags a thing
            // about would otherwise see nothing until they stop.
            let drafted = self.draft(&revision).await;
            let mut revisions = self.revisions.clone();
            let refined = async { self.refine(drafted?).await };
            tokio::select! {
                biased;
                changed = revisions.changed() => if changed.is_err() { return },
                result = refined => {
                    if let Err(fault) = result {
                        tracing::error!(%fault, revision = revision.number, "a preview failed");
                    }
                    if revisions.changed().await.is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// Waits while all viewers are paused; false when the preview is over.
    async fn someone_watches(&self) -> bool {
        self.watching.clone().wait_for(|count| *count > 0).await.is_ok()
    }

    /// Builds the world and publishes the coarse draft.
    async fn draft(&self, revision: &Revision) -> Result<Progress, RenderFault> {
        let (number, scene) = (revision.number, self.view.of(&revision.scene));
        let (width, height) = (self.view.width, self.view.height);
        let started = Instant::now();
        let meshes = self.renderer.meshes(&scene).await;
        let draft = self.renderer.interactive(move |cancel| {
            let world = World::build_with(&scene, &meshes);
            let settings = RenderSettings {
                clamp_indirect: Some(BRIGHTEST_BOUNCE),
                ..RenderSettings::default()
            };
            let cancelled = || cancel.load(Ordering::Relaxed);
            let size = [width, height];
            let image = render_draft(&world, &settings, Draft::default(), size, &cancelled)
                .ok_or(RenderFault::Cancelled)?;
            let progress = Progress {
                revision: number,
                world,
                film: Film::with_features(width, height),
                settings,
                pass: 0,
                samples: 0,
                started,
                computing: Duration::ZERO,
            };
            Ok::<_, RenderFault>((encode(&image)?, progress))
        });
        let (image, progress) = draft.await??;
        self.publish(&progress, 1.0, image);
        Ok(progress)
    }

    /// Computes and publishes all passes.
    async fn refine(&self, mut progress: Progress) -> Result<(), RenderFault> {
        while progress.samples < self.view.target_samples && self.someone_watches().await {
            let pace = progress.computing.as_secs_f64() / f64::from(progress.samples.max(1));
            let target = progress.samples
                + next_pass(progress.samples, self.view.target_samples, pace, f64::INFINITY);
            let pass = self.renderer.pass(move |cancel| {
                let begun = Instant::now();
                let Progress { world, film, settings, .. } = &mut progress;
                let cancelled = || cancel.load(Ordering::Relaxed);
                match render_pass(world, settings, film, target, &cancelled) {
                    PassOutcome::Cancelled => return Err(RenderFault::Cancelled),
                    PassOutcome::Completed(_) => {}
                }
                progress.pass += 1;
                progress.samples = target;
                progress.computing += begun.elapsed();
                let noise = progress.film.noise().map_or(1.0, f64::from);
                Ok((encode(&progress.picture(noise))?, noise, progress))
            });
            let (image, noise, next) = pass.await??;
            self.publish(&next, noise, image);
            progress = next;
        }
        Ok(())
    }

    fn publish(&self, progress: &Progress, noise: f64, image: Bytes) {
        let left = f64::from(self.view.target_samples - progress.samples);
        let pace = progress.computing.as_secs_f64() / f64::from(progress.samples.max(1));
        self.frames.send_replace(Some(Frame {
            revision: progress.revision,
            pass: progress.pass,
            samples: progress.samples,
            target_samples: self.view.target_samples,
            width: self.view.width,
            height: self.view.height,
            elapsed: progress.started.elapsed(),
            remaining: Duration::from_secs_f64(left * pace),
            noise,
            image,
        }));
    }
}

fn encode(image: &LinearImage) -> Result<Bytes, RenderFault> {
    Ok(Bytes::from(PREVIEW_FORMAT.encode(image, Display::default())?))
}
