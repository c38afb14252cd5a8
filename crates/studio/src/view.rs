//! What someone looks at.

use std::sync::Arc;

use scene::{Camera, Scene};

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
