//! Views of clients.

use std::collections::BTreeSet;
use std::sync::Arc;

use scene::{Assets, Camera, Scene};

/// Pixels of the largest view that is not large: its film takes 48 MiB.
const LARGE_PIXELS: u64 = 1024 * 640;

/// The picture that a viewer wants.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Samples per pixel at the end.
    pub target_samples: u32,
    /// A private camera; `None` for the scene's own.
    pub camera: Option<Camera>,
    /// Ids of hidden shapes and lights; unknown ids are ignored.
    pub hidden: Arc<BTreeSet<String>>,
    /// The time of the animation in seconds; after its end it is the end. `None` for the scene at rest.
    pub at_time: Option<f64>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            width: 400,
            height: 300,
            target_samples: 256,
            camera: None,
            hidden: Arc::default(),
            at_time: None,
        }
    }
}

impl View {
    /// The number of its pixels.
    pub fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Whether its film takes so much memory that few are made at a time, and none for viewers that read nothing.
    pub fn is_large(&self) -> bool {
        self.pixels() > LARGE_PIXELS
    }

    /// `scene` as this viewer sees it; `assets` are its meshes.
    pub(crate) fn of(&self, scene: &Arc<Scene>, assets: &dyn Assets) -> Arc<Scene> {
        if self.camera.is_none() && self.hidden.is_empty() && self.at_time.is_none() {
            return Arc::clone(scene);
        }
        let mut seen = match self.at_time {
            Some(time) => scene.at_time(time, assets),
            None => (**scene).clone(),
        };
        if let Some(camera) = &self.camera {
            // The exposure belongs to the scene, whatever the camera.
            seen.camera = Camera { exposure: seen.camera.exposure, ..camera.clone() };
        }
        seen.shapes.retain(|shape| !self.hidden.contains(shape.id.as_str()));
        seen.lights.retain(|light| !self.hidden.contains(light.id.as_str()));
        Arc::new(seen)
    }
}
