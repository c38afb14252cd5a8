//! The random numbers of path vertices.

use fearless_simd::Level;

use crate::sampler::{Numbers, Sampler};

/// The two sets of random numbers of a vertex.
pub(super) struct VertexNumbers {
    pub(super) scattering: [f32; 4],
    pub(super) light: [f32; 4],
}

impl VertexNumbers {
    /// The first set, which is for scattering, or the second.
    #[inline(always)]
    pub(super) fn of_set(&self, set: u32) -> &[f32; 4] {
        if set == 0 { &self.scattering } else { &self.light }
    }
}

/// Those of the vertices of many paths.
pub(super) struct NumbersOfVertices {
    scattering: Numbers,
    light: Numbers,
}

impl NumbersOfVertices {
    /// The numbers by the sampler of each path and the first set of its vertex, for up to
    /// [`LANES`](crate::ray::LANES) paths.
    #[inline]
    pub(super) fn of(vertices: impl Iterator<Item = (Sampler, u32)>, level: Level) -> Self {
        let [scattering, light] = Numbers::of(vertices, level);
        Self { scattering, light }
    }

    #[inline(always)]
    pub(super) fn of_lane(&self, lane: usize) -> VertexNumbers {
        VertexNumbers { scattering: self.scattering.of_lane(lane), light: self.light.of_lane(lane) }
    }
}
