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

/// What a strategy contributes to a sample.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contribution {
    /// The place of the sample in its batch.
    pub(super) at: usize,
    pub(super) strategy: Strategy,
    /// The radiance that the strategy estimates on its own.
    pub(super) radiance: Vec3A,
    /// Its MIS weight in 0..=1.
    pub(super) weight: f32,
    /// The pixel it belongs to; `None` for that of the sample.
    pub(super) pixel: Option<UVec2>,
}

/// The receiver of the contributions of all strategies.
pub(super) trait Sink {
    fn take(&mut self, contribution: &Contribution);
}
