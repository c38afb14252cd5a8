//! The computation behind a preview: a draft of each revision, then passes.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use scene::{Revision, Scene};
use tokio::sync::watch;
use tracer::{Draft, RenderSettings, World, render_draft};

use crate::client::RenderClient;
use crate::error::RenderError;
use crate::picture::Display;
use crate::render::Renderer;
use crate::schedule::{Order, Priority};
use crate::view::{View, is_large, pixels};

use super::frame::Frame;
use super::progress::{Progress, Shown, encode};
use super::sharing::Sharing;
use super::watching::Watching;

/// The clamp of indirect radiance in previews: it removes fireflies and dims caustics. Pictures on
/// request are not clamped.
const MAX_INDIRECT_RADIANCE: f32 = 8.0;

/// Computes the frames of one view until its last viewer is gone.
pub(super) struct PreviewTask {
    pub(super) view: View,
    pub(super) revisions: watch::Receiver<Revision>,
    pub(super) client: RenderClient,
    pub(super) renderer: Renderer,
    pub(super) frames: watch::Sender<Option<Frame>>,
    pub(super) watching: watch::Receiver<Watching>,
}

/// A draft with its image.
struct Drafted {
    progress: Progress,
    shown: Shown,
    /// A receiver that has seen the drawn revision.
    revisions: watch::Receiver<Revision>,
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
            // A draft is finished even if an edit arrives: otherwise the user would see nothing while
            // dragging an object.
            let drafted = caught(self.draft()).await;
            let mut revisions = self.revisions.clone();
            let refined = async { caught(self.refine(drafted?)).await };
            tokio::select! {
                biased;
                changed = revisions.changed() => if changed.is_err() { return },
                result = refined => {
                    if let Err(fault) = result {
                        tracing::error!(%fault, "a preview failed");
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
        self.watching.clone().wait_for(|watching| watching.drafts > 0).await.is_ok()
    }

    /// Waits while no viewer wants more than drafts; false when the preview is over.
    async fn someone_wants_passes(&self) -> bool {
        self.watching.clone().wait_for(|watching| watching.passes > 0).await.is_ok()
    }

    fn order(&self, priority: Priority, size: [u32; 2]) -> Order {
        // Of a pass, the film is large.
        let is_large = priority != Priority::Now && is_large(size);
        Order { client: self.client.clone(), priority, size: pixels(size), is_large }
    }

    /// Builds the world of the newest revision at this preview's turn, and publishes the draft.
    async fn draft(&mut self) -> Result<Progress, RenderError> {
        loop {
            let started = Instant::now();
            let known = self.revisions.borrow_and_update().clone();
            let meshes = self.renderer.meshes(&known.scene, &self.client).await;
            let (mut revisions, view) = (self.revisions.clone(), self.view.clone());
            let workers = self.renderer.workers().clone();
            let size = self.view.draft_size();
            let draft = self.renderer.interactive(self.order(Priority::Now, size), move |turn| {
                let newest = revisions.borrow_and_update().clone();
                if newest.number != known.number && !names_no_more(&newest.scene, &known.scene) {
                    return Ok::<_, RenderError>(None);
                }
                let scene = view.of(&newest.scene, &*meshes);
                let cancelled = || turn.is_cancelled();
                let world = World::build_unless(&scene, &meshes, &cancelled);
                let world = world.ok_or(RenderError::Cancelled)?;
                let settings = RenderSettings {
                    clamp_indirect: Some(MAX_INDIRECT_RADIANCE),
                    ..RenderSettings::default()
                };
                let display = Display::of(&scene);
                let image = render_draft(&world, &settings, Draft::default(), size, &cancelled);
                let image = encode(&image.ok_or(RenderError::Cancelled)?, display)?;
                let number = newest.number;
                let sharing = Sharing::new(workers, scene, meshes);
                let first = view.first_size();
                let progress =
                    Progress::new(number, world, sharing, settings, first, display, started);
                Ok(Some(Drafted { progress, shown: Shown { size, image, noise: 1.0 }, revisions }))
            });
            // Otherwise its meshes have to be loaded first.
            if let Some(Drafted { progress, shown, revisions }) = draft.await?? {
                self.revisions = revisions;
                self.publish(&progress, shown);
                return Ok(progress);
            }
        }
    }

    /// Computes and publishes all passes.
    async fn refine(&self, mut progress: Progress) -> Result<(), RenderError> {
        let films = self.renderer.films();
        progress.target = self.view.target_samples;
        while progress.shown < progress.target {
            if self.watching.borrow().passes == 0 {
                let paused = progress.take_film().map(|film| films.pause(film));
                if !self.someone_wants_passes().await {
                    return Ok(());
                }
                progress.put_film(paused.and_then(|paused| paused.take()));
            }
            if progress.lacks_room() {
                progress.give_room(films.keep(progress.pixels()).await);
                // The last viewer may be gone.
                continue;
            }
            let priority = if progress.pass == 0 { Priority::Soon } else { Priority::Later };
            let order = self.order(priority, progress.size);
            let turn = self.renderer.interactive(order, move |turn| {
                let shown = progress.go_on(turn)?;
                Ok::<_, RenderError>((shown, progress))
            });
            let (shown, next) = turn.await??;
            progress = next;
            if let Some(shown) = shown {
                if progress.size == self.view.size() {
                    progress.target = self.view.samples_at(progress.pace()).max(progress.shown);
                }
                progress.grow(self.view.size());
                self.publish(&progress, shown);
            }
            if progress.shown >= progress.target {
                break;
            }
            if progress.wants_room() {
                progress.give_room(films.try_keep(progress.pixels()));
            }
            if progress.wants_room() || (progress.is_at_its_goal() && films.has_waiters()) {
                progress.free_film();
            }
        }
        Ok(())
    }

    /// The draft is published before there is a target.
    fn publish(&self, progress: &Progress, Shown { size: [width, height], image, noise }: Shown) {
        let left = f64::from(progress.target.saturating_sub(progress.shown));
        self.frames.send_replace(Some(Frame {
            revision: progress.revision,
            pass: progress.pass,
            samples: progress.shown,
            target_samples: progress.target.max(self.view.target_samples),
            width,
            height,
            elapsed: progress.started.elapsed(),
            remaining: Duration::from_secs_f64(left * progress.pace()),
            noise,
            image,
        }));
    }
}

/// Makes a panic an error: without its task, a preview would stand still for as long as somebody looks at it.
async fn caught<T>(work: impl Future<Output = Result<T, RenderError>>) -> Result<T, RenderError> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or(Err(RenderError::Internal))
}

/// Whether all meshes and images of `scene` are used by `known`, too.
fn names_no_more(scene: &Scene, known: &Scene) -> bool {
    scene.mesh_names().is_subset(&known.mesh_names())
        && scene.image_names().is_subset(&known.image_names())
}
