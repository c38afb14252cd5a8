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
mod light_path;
mod strategy;
mod weights;

use glam::{UVec2, Vec3A};

use self::light_path::{LightPath, LightVertex};
use self::strategy::{Sink, Strategy};
use super::batch::{Batch, Taken};
use super::window::{PathResult, Window};
use crate::bsdf::ShadingArena;
use crate::settings::RenderSettings;
use crate::world::World;

/// The contribution of a light subpath that is connected to the camera.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Splat {
    /// The pixel it falls on.
    pub(crate) pixel: UVec2,
    /// The sum of these over all samples of the picture, divided by the samples per pixel, is
    /// radiance.
    pub(crate) radiance: Vec3A,
}

/// The splats of light subpaths since the last pass over them, and a buffer for the current
/// subpath.
#[derive(Debug, Default)]
pub(crate) struct LightPaths {
    pub(crate) splats: Vec<Splat>,
    /// Empty between two samples; kept to reuse the allocation.
    vertices: Vec<LightVertex<'static>>,
}

/// The samples between two looks at whether the batch is cancelled: some tenths of a millisecond of work.
const SAMPLES_PER_POLL: usize = 16;

/// Takes the samples one after another.
pub(super) fn sample_all(
    batch: &Batch<'_>,
    light_paths: &mut LightPaths,
    taken: &mut Taken,
) -> Option<()> {
    taken.reset(batch.len());
    for (at, window) in batch.windows().enumerate() {
        if at.is_multiple_of(SAMPLES_PER_POLL) && (batch.cancelled)() {
            return None;
        }
        taken.set(at, sample(batch.world, batch.settings, &window, light_paths));
    }
    Some(())
}

/// One sample of a pixel.
fn sample(
    world: &World,
    settings: &RenderSettings,
    window: &Window,
    light_paths: &mut LightPaths,
) -> PathResult {
    let mut sum = WeightedSum {
        clamp_indirect: settings.clamp_indirect,
        radiance: Vec3A::ZERO,
        splats: &mut light_paths.splats,
        rejected: false,
    };
    let arena = ShadingArena::default();
    let mut vertices = std::mem::take(&mut light_paths.vertices);
    let rays = follow(world, settings, window, &arena, &mut vertices, &mut sum);
    light_paths.vertices = emptied(vertices);
    PathResult { radiance: sum.radiance, rays, rejected: sum.rejected }
}

/// The allocation of a list for another lifetime; collecting in place allocates nothing.
fn emptied<'a>(mut vertices: Vec<LightVertex<'_>>) -> Vec<LightVertex<'a>> {
    vertices.clear();
    vertices.into_iter().map_while(|_| None).collect()
}

/// Traces both subpaths and connects them; returns the number of rays.
fn follow<'world>(
    world: &'world World,
    settings: &RenderSettings,
    window: &Window,
    arena: &'world ShadingArena,
    vertices: &mut Vec<LightVertex<'world>>,
    sink: &mut impl Sink,
) -> u32 {
    let sampler = window.sampler_of_picture(settings.seed);
    let mut light_path = LightPath { world, settings, window, sampler, rays: 0 };
    light_path.trace(arena, vertices, sink);
    let rays = light_path.rays;
    rays + camera_path::trace(world, settings, window, arena, vertices, sink)
}

/// The MIS-weighted sum over all strategies.
struct WeightedSum<'a> {
    clamp_indirect: Option<f32>,
    radiance: Vec3A,
    splats: &'a mut Vec<Splat>,
    rejected: bool,
}

impl Sink for WeightedSum<'_> {
    #[inline]
    fn take(&mut self, strategy: Strategy, radiance: Vec3A, weight: f32, pixel: Option<UVec2>) {
        let mut radiance = radiance * weight;
        if !radiance.is_finite() {
            self.rejected = true;
            return;
        }
        if let Some(limit) = self.clamp_indirect
            && strategy.edges() > 2
        {
            radiance = radiance.min(Vec3A::splat(limit));
        }
        match pixel {
            None => self.radiance += radiance,
            Some(pixel) => self.splats.push(Splat { pixel, radiance }),
        }
    }
}

#[cfg(test)]
mod tests;
