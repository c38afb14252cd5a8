//! Passes of a preview that are shared with render workers.

use std::sync::Arc;

use scene::Scene;
use tracer::{Film, Meshes, RenderSettings};

use crate::workers::{Posted, SceneText, Workers};

/// A shorter pass is not shared: its parts would be on the way for longer than they are rendered.
const MIN_SECONDS: f64 = 0.2;

/// What workers need to take part in a preview.
pub(super) struct Sharing {
    workers: Workers,
    scene: Arc<Scene>,
    meshes: Arc<Meshes>,
    /// Once it was asked for; `None` in it if workers cannot have the scene.
    text: Option<Option<SceneText>>,
}

impl Sharing {
    pub(super) fn new(workers: Workers, scene: Arc<Scene>, meshes: Arc<Meshes>) -> Self {
        Self { workers, scene, meshes, text: None }
    }

    /// Shares the pass that brings `film` to `target` samples, if there are workers and it takes `seconds` long
    /// enough; else the film comes back.
    pub(super) fn post(
        &mut self,
        settings: &RenderSettings,
        film: Film,
        target: u32,
        seconds: f64,
    ) -> Result<Posted, Film> {
        if self.workers.connected() == 0 || seconds < MIN_SECONDS {
            return Err(film);
        }
        let text = || Workers::scene_text(&self.scene, &self.meshes);
        let Some(text) = self.text.get_or_insert_with(text).clone() else { return Err(film) };
        let missing = f64::from(target.saturating_sub(film.samples()).max(1));
        let samples = missing * f64::from(film.width()) * f64::from(film.height());
        let pace = seconds * rayon::current_num_threads() as f64 / samples;
        self.workers.post(text, *settings, film, target, pace)
    }
}
