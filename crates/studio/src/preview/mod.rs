//! Previews: progressive pictures of the current scene. A coarse draft comes first, then passes of 1, 1,
//! 2, 4, 8 ... samples. A new revision cancels the current computation.

mod frame;
mod progress;
mod task;

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
    /// Viewers that are not paused.
    watching: watch::Sender<usize>,
}

impl Running {
    fn viewer(&self) -> Viewer {
        let mut frames = self.frames.subscribe();
        // An existing frame is new to this viewer.
        frames.mark_changed();
        let mut viewer = Viewer { frames, watching: self.watching.clone(), paused: true };
        viewer.set_paused(false);
        viewer
    }
}

/// A subscription to a preview. The preview refines while at least one viewer is not paused, and ends
/// with the last viewer.
pub struct Viewer {
    frames: watch::Receiver<Option<Frame>>,
    watching: watch::Sender<usize>,
    paused: bool,
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

    /// Subscribes to `view`.
    pub fn watch(&self, view: &View) -> Viewer {
        let camera = view.camera.as_ref().map(Camera::to_json);
        let View { width, height, target_samples, hidden, .. } = view;
        let key = format!("{width}x{height}@{target_samples} {camera:?} {hidden:?}");
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
