//! Bidirectional path tracing: each sample follows one path from the camera and one from a light
//! and joins them in every way.
//!
//! A path of k edges can be found in about k ways, by the number of its points that were found from
//! the light. All are weighed by the power heuristic (Veach 1997, sections 9.2 and 10.2; PBR 4e,
//! section 16.3). The weights do not need the whole path: what the points on one side contribute is
//! carried along in two numbers, see [`weights`].
//!
//! Light that is joined to the camera itself falls on any pixel; such light is gathered as
//! [`Splat`]s. Each light path belongs to a sample of a pixel, but its numbers come from one
//! sequence over all pixels: neighbours then send theirs into different directions.

mod camera_path;
mod light_path;
mod strategy;
mod weights;

use glam::{UVec2, Vec3A};

use self::light_path::{LightPath, LightVertex};
use self::strategy::{Sink, Strategy};
use super::{PathResult, Window};
use crate::bsdf::ShadingArena;
use crate::settings::RenderSettings;
use crate::world::World;

/// Light that was followed from a source to the lens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Splat {
    /// The pixel it falls on.
    pub(crate) pixel: UVec2,
    /// The sum of these over all samples of the picture, divided by the samples per pixel, is
    /// radiance.
    pub(crate) radiance: Vec3A,
}

/// What light paths have found since the last look, and room for the one in hand.
#[derive(Debug, Default)]
pub(crate) struct LightPaths {
    pub(crate) splats: Vec<Splat>,
    /// Always empty between two samples: kept for its room.
    vertices: Vec<LightVertex<'static>>,
}

/// One sample of a picture.
#[inline(never)]
pub(super) fn sample(
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

/// The room of a list for things of another lifetime; collecting in place allocates nothing.
fn emptied<'a>(mut vertices: Vec<LightVertex<'_>>) -> Vec<LightVertex<'a>> {
    vertices.clear();
    vertices.into_iter().map_while(|_| None).collect()
}

/// Follows both paths and joins them; the number of rays.
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

/// The sum of all strategies by their shares.
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
