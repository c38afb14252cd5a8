//! Bidirectional path tracing: each sample traces a camera subpath and a light subpath and connects
//! all pairs of their vertices.
//!
//! About k strategies can sample a path of k edges, one for each number of vertices sampled from
//! the light. The power heuristic weights them (Veach 1997, sections 9.2 and 10.2; PBR 4e, section
//! 16.3). Two running sums on each subpath replace a loop over its vertices, see [`weights`].
//!
//! Light subpaths connected to the camera contribute to any pixel, as [`Splat`]s. Each light
//! subpath belongs to a sample of a pixel, but its random numbers come from one sequence over all
//! pixels, so that neighbouring pixels trace different ones.

mod camera_path;
mod connections;
mod group;
mod light_path;
mod strategy;
mod stream;
mod weights;

use glam::{UVec2, Vec3A};

use self::camera_path::CameraPaths;
use self::connections::Connections;
use self::group::Group;
use self::light_path::{LightPaths, LightVertices};
use self::strategy::{Contribution, Sink};
use super::batch::{Batch, Taken};
use crate::bsdf::ShadingArena;

/// The contribution of a light subpath that is connected to the camera.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Splat {
    /// The pixel it falls on.
    pub(crate) pixel: UVec2,
    /// The sum of these over all samples of the picture, divided by the samples per pixel, is
    /// radiance.
    pub(crate) radiance: Vec3A,
}

/// The number of samples whose light subpaths are traced before their camera subpaths: some tenths of a
/// millisecond of work.
const GROUP: usize = 64;

/// Takes all samples, group by group.
pub(super) fn sample_all(
    batch: &Batch<'_>,
    splats: &mut Vec<Splat>,
    taken: &mut Taken,
) -> Option<()> {
    taken.reset(batch.len());
    let mut rejected = Vec::new();
    let mut sums = WeightedSums {
        clamp_indirect: batch.settings.clamp_indirect,
        radiance: &mut taken.radiance,
        rejected: &mut rejected,
        splats,
    };
    taken.rays = follow(batch, &mut sums)?;
    rejected.sort_unstable();
    rejected.dedup();
    taken.rejected = rejected.len() as u64;
    Some(())
}

/// Traces both subpaths of each sample and connects them; returns the number of rays.
fn follow(batch: &Batch<'_>, sink: &mut impl Sink) -> Option<u64> {
    let mut rays = 0;
    for start in (0..batch.len()).step_by(GROUP) {
        let samples = start..batch.len().min(start + GROUP);
        rays += follow_group(&Group { batch, samples }, sink)?;
    }
    Some(rays)
}

fn follow_group(group: &Group<'_, '_>, sink: &mut impl Sink) -> Option<u64> {
    let (world, cancelled) = (group.batch.world, group.batch.cancelled);
    let arena = &ShadingArena::default();
    let mut vertices = LightVertices::new(group.samples.len());
    let mut light_paths = LightPaths {
        group,
        arena,
        vertices: &mut vertices,
        connections: Connections::new(world, sink),
        next: 0,
        ready: Vec::new(),
    };
    let mut rays = stream::follow(world, &mut light_paths, cancelled)?;
    rays += light_paths.connections.traced;
    let mut camera_paths = CameraPaths {
        group,
        arena,
        light_vertices: &vertices,
        connections: Connections::new(world, sink),
        next: 0,
        ready: Vec::new(),
    };
    rays += stream::follow(world, &mut camera_paths, cancelled)?;
    Some(rays + camera_paths.connections.traced)
}

/// The MIS-weighted sums over all strategies.
struct WeightedSums<'a> {
    clamp_indirect: Option<f32>,
    /// Of each sample of the batch.
    radiance: &'a mut [Vec3A],
    /// The samples with a contribution that is not finite.
    rejected: &'a mut Vec<usize>,
    splats: &'a mut Vec<Splat>,
}

impl Sink for WeightedSums<'_> {
    #[inline]
    fn take(&mut self, contribution: &Contribution) {
        let Contribution { at, strategy, radiance, weight, pixel } = *contribution;
        let mut radiance = radiance * weight;
        if !radiance.is_finite() {
            self.rejected.push(at);
            return;
        }
        if let Some(limit) = self.clamp_indirect
            && strategy.edges() > 2
        {
            radiance = radiance.min(Vec3A::splat(limit));
        }
        match pixel {
            None => self.radiance[at] += radiance,
            Some(pixel) => self.splats.push(Splat { pixel, radiance }),
        }
    }
}

#[cfg(test)]
mod tests;
