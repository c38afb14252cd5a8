//! Strategies of bidirectional path tracing.

use glam::{UVec2, Vec3A};

/// A bidirectional sampling strategy: the numbers of vertices sampled from the light and from the
/// camera, ends included (s and t of Veach).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Strategy {
    pub(super) light: u32,
    pub(super) camera: u32,
}

impl Strategy {
    /// The number of edges of the path.
    pub(super) fn edges(self) -> u32 {
        self.light + self.camera - 1
    }
}

/// The receiver of the contributions of all strategies.
pub(super) trait Sink {
    /// The radiance that one strategy estimates on its own, and its MIS weight in 0..=1. It belongs to
    /// `pixel`, or else to the pixel of the sample.
    fn take(&mut self, strategy: Strategy, radiance: Vec3A, weight: f32, pixel: Option<UVec2>);
}
