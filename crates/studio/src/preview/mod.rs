//! Previews: progressive pictures of the current scene. A coarse draft comes first, then passes of 1, 1,
//! 2, 4, 8 ... samples. A new revision cancels the current computation.

mod frame;
mod progress;
mod sharing;
mod task;
mod watching;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use scene::Camera;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::render::Renderer;
use crate::shared::SharedScene;
use crate::view::View;

pub use self::frame::{Frame, PREVIEW_FORMAT};
use self::task::PreviewTask;
use self::watching::Watching;

/// The previews of one scene. Viewers with the same view share one computation, which ends when
/// the last of them is gone.
pub struct Previews {
    scene: Arc<SharedScene>,
    renderer: Renderer,
    tracker: TaskTracker,
    cancel: CancellationToken,
    /// The computations by view; locked only for a lookup or an insert.
    running: Mutex<HashMap<String, Running>>,
}

/// The shared state of a computation and its viewers.
#[derive(Clone)]
struct Running {
    /// A `watch`, because only the newest frame is worth sending.
    frames: watch::Sender<Option<Frame>>,
    watching: watch::Sender<Watching>,
}

impl Running {
    fn viewer(&self, drafts_only: bool) -> Viewer {
        let mut frames = self.frames.subscribe();
        // An existing frame is new to this viewer.
        frames.mark_changed();
        let watching = self.watching.clone();
        let mut viewer = Viewer { frames, watching, paused: true, drafts_only };
        viewer.set_paused(false);
        viewer
    }
}

/// A subscription to a preview. The preview refines while at least one viewer is not paused, and ends
/// with the last viewer.
pub struct Viewer {
    frames: watch::Receiver<Option<Frame>>,
    watching: watch::Sender<Watching>,
    paused: bool,
    drafts_only: bool,
}

impl Viewer {
    /// The next frame that this viewer has not seen. Pending forever after the server has stopped.
    pub async fn next(&mut self) -> Frame {
        while self.frames.changed().await.is_ok() {
            if let Some(frame) = self.frames.borrow_and_update().clone() {
                return frame;
            }
        }
        std::future::pending().await
    }

    /// Pauses or resumes refinement for this viewer. The current picture is kept.
    pub fn set_paused(&mut self, paused: bool) {
        self.become_so(paused, self.drafts_only);
    }

    /// Asks for more than drafts.
    pub fn want_passes(&mut self) {
        self.become_so(self.paused, false);
    }

    fn become_so(&mut self, paused: bool, drafts_only: bool) {
        let counts = |paused: bool, drafts_only: bool| (!paused, !paused && !drafts_only);
        let before = counts(self.paused, self.drafts_only);
        let after = counts(paused, drafts_only);
        (self.paused, self.drafts_only) = (paused, drafts_only);
        if before != after {
            self.watching.send_modify(|watching| {
                watching.drafts = watching.drafts + usize::from(after.0) - usize::from(before.0);
                watching.passes = watching.passes + usize::from(after.1) - usize::from(before.1);
            });
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

    /// Subscribes to `view`; with `drafts_only`, to the drafts of its revisions until more is wanted.
    pub fn watch(&self, view: &View, drafts_only: bool) -> Viewer {
        let camera = view.camera.as_ref().map(Camera::to_json);
        let View { width, height, target_samples, refined_for, .. } = view;
        let View { fit_aspect, hidden, at_time, .. } = view;
        let key = format!(
            "{width}x{height}@{target_samples} {refined_for:?} {camera:?} {fit_aspect:?} {hidden:?} {at_time:?}"
        );
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|_, running| running.frames.receiver_count() > 0);
        if let Some(running) = running.get(&key) {
            return running.viewer(drafts_only);
        }
        let new = Running { frames: watch::Sender::new(None), watching: watch::Sender::default() };
        let viewer = new.viewer(drafts_only);
        let task = PreviewTask {
            view: view.clone(),
            revisions: self.scene.subscribe(),
            client: self.scene.render_client().clone(),
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
