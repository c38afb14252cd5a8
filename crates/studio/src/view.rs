//! Views of clients.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use scene::{Assets, Camera, FieldOfView, Length, Projection, Scene};

/// Pixels of the largest picture that is not large: its film takes 48 MiB.
const LARGE_PIXELS: u64 = 1024 * 640;
/// The most pixels of the first pictures of a revision: larger views begin with smaller pictures, which are there sooner.
pub(crate) const FIRST_PIXELS: u64 = 640 * 480;
/// A view with fewer pixels than this many first pictures needs no traced picture that is smaller than itself.
const SKIPPED_STEP: u64 = 2;
/// How many times as many samples as its least a picture has at most.
const MAX_REFINEMENT: u32 = 16;

/// The picture that a viewer wants.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Samples per pixel at the end, at the least.
    pub target_samples: u32,
    /// It goes on beyond these samples, up to 16 times as many, as long as all of it is computed within this time.
    pub refined_for: Duration,
    /// A private camera; `None` for the scene's own.
    pub camera: Option<Camera>,
    /// Width over height of the shape that pictures are composed for: a narrower view shows as much from side to side
    /// as a picture of that shape, and more above and below. `None` to show less from side to side.
    pub fit_aspect: Option<f64>,
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
            refined_for: Duration::ZERO,
            camera: None,
            fit_aspect: None,
            hidden: Arc::default(),
            at_time: None,
        }
    }
}

impl View {
    /// The number of its pixels.
    pub fn pixels(&self) -> u64 {
        pixels(self.size())
    }

    /// Whether its film takes so much memory that few are made at a time, and none for viewers that read nothing.
    pub fn is_large(&self) -> bool {
        is_large(self.size())
    }

    /// Samples per pixel at the end, where each takes so many seconds.
    pub fn samples_at(&self, seconds_per_sample: f64) -> u32 {
        let within = self.refined_for.as_secs_f64() / seconds_per_sample.max(1e-9);
        let most = self.target_samples.saturating_mul(MAX_REFINEMENT);
        (within as u32).clamp(self.target_samples, most)
    }

    pub(crate) fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// The size of the draft: that of the view, or smaller in the same shape.
    pub(crate) fn draft_size(&self) -> [u32; 2] {
        let factor = (FIRST_PIXELS as f64 / self.pixels().max(1) as f64).sqrt();
        if factor >= 1.0 {
            return self.size();
        }
        self.size().map(|side| ((f64::from(side) * factor).round() as u32).max(1))
    }

    /// The size of the first traced picture: that of the view, or of the draft where the view is much larger.
    pub(crate) fn first_size(&self) -> [u32; 2] {
        let needs_step = self.pixels() >= SKIPPED_STEP * FIRST_PIXELS;
        if needs_step { self.draft_size() } else { self.size() }
    }

    /// `scene` as this viewer sees it; `assets` are its meshes.
    pub fn of(&self, scene: &Arc<Scene>, assets: &dyn Assets) -> Arc<Scene> {
        let heightening = self.heightening();
        let is_as_it_is = self.camera.is_none() && self.hidden.is_empty() && heightening == 1.0;
        if is_as_it_is && self.at_time.is_none() {
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
        heighten(&mut seen.camera, heightening);
        seen.shapes.retain(|shape| !self.hidden.contains(shape.id.as_str()));
        seen.lights.retain(|light| !self.hidden.contains(light.id.as_str()));
        Arc::new(seen)
    }

    /// How many times as much this view shows from top to bottom as its camera tells.
    fn heightening(&self) -> f64 {
        let aspect = f64::from(self.width) / f64::from(self.height);
        self.fit_aspect.map_or(1.0, |fit| (fit / aspect).max(1.0))
    }
}

/// Lets a camera see `factor` times as much from top to bottom, as far as it can.
fn heighten(camera: &mut Camera, factor: f64) {
    if factor == 1.0 {
        return;
    }
    if camera.projection == Projection::Orthographic {
        camera.height = Length::new(camera.view_height() * factor).or(camera.height);
    }
    let half = (0.5 * camera.vfov.get()).to_radians().tan() * factor;
    camera.vfov = FieldOfView::new(2.0 * half.atan().to_degrees()).unwrap_or(camera.vfov);
}

/// The number of pixels of a picture.
pub(crate) fn pixels([width, height]: [u32; 2]) -> u64 {
    u64::from(width) * u64::from(height)
}

/// Whether the film of a picture takes much memory.
pub(crate) fn is_large(size: [u32; 2]) -> bool {
    pixels(size) > LARGE_PIXELS
}
