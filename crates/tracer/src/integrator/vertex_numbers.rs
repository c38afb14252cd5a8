//! The random numbers of path vertices.

use fearless_simd::Level;

use crate::sampler::{Numbers, Sampler};

/// The two sets of random numbers of a vertex.
pub(super) struct VertexNumbers {
    pub(super) scattering: [f32; 4],
    pub(super) light: [f32; 4],
}

/// Those of the vertices of many paths.
pub(super) struct NumbersOfVertices {
    pub(super) scattering: Numbers,
    pub(super) light: Numbers,
}

impl NumbersOfVertices {
    /// The first `COUNT` numbers of each set by the sampler of each path and the first set of its vertex, for up to
    /// [`LANES`](crate::ray::LANES) paths.
    #[inline]
    pub(super) fn of<const COUNT: usize>(
        vertices: impl Iterator<Item = (Sampler, u32)>,
        level: Level,
    ) -> Self {
        let [scattering, light] = Numbers::of::<2, COUNT>(vertices, level);
        Self { scattering, light }
    }

    #[inline(always)]
    pub(super) fn of_lane(&self, lane: usize) -> VertexNumbers {
        VertexNumbers { scattering: self.scattering.of_lane(lane), light: self.light.of_lane(lane) }
    }
}
