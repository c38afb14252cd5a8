//! Unidirectional path tracing with next-event estimation.

mod air;
mod emission;
mod lane;
mod plain;
mod starts;
pub(super) mod stream;

use glam::Vec3A;

use super::roulette::goes_on;
use super::scene_features::SceneFeatures;
use super::transparent_shadows;
use super::vertex::Vertex;
use super::window::PathResult;
use crate::bsdf::ShadingArena;
use crate::light::{Anything, End, LightSample, Receiver, Source};
use crate::ray::Ray;
use crate::sampler::Sampler;
use crate::sampling::{balance_heuristic, power_heuristic};
use crate::settings::{DirectLighting, RenderSettings};
use crate::world::World;

/// The previous vertex of a path.
#[derive(Clone, Copy)]
struct Origin<S: SceneFeatures> {
    /// In a medium only its position is used.
    receiver: Receiver,
    place: S::Place,
    /// The pdf of the sampled direction, per steradian; `None` where light sampling could not have
    /// found the same light.
    pdf: Option<f32>,
}

/// The outcome of a ray's passage through fog.
enum Passage<S: SceneFeatures> {
    /// No interaction.
    Clear,
    /// The path ends in the fog.
    Ended,
    /// The fog scatters the path into another ray.
    Scattered(Ray, Origin<S>),
}

/// Light that arrives at a vertex if nothing is in between.
struct ShadowRay {
    ray: Ray,
    distance: f32,
    contribution: Vec3A,
}

struct Path<'a, S: SceneFeatures> {
    world: &'a World,
    features: S,
    settings: &'a RenderSettings,
    sampler: Sampler,
    radiance: Vec3A,
    throughput: Vec3A,
    /// The number of edges from the camera so far.
    edges: u32,
    /// The number of non-specular bounces so far.
    scatterings: u32,
    rays: u32,
}

impl<'a, S: SceneFeatures> Path<'a, S> {
    fn new(world: &'a World, settings: &'a RenderSettings, sampler: Sampler, features: S) -> Self {
        Self {
            world,
            features,
            settings,
            sampler,
            radiance: Vec3A::ZERO,
            throughput: Vec3A::ONE,
            edges: 0,
            scatterings: 0,
            rays: 0,
        }
    }

    fn result(&self) -> PathResult {
        let rejected = !self.radiance.is_finite();
        let radiance = if rejected { Vec3A::ZERO } else { self.radiance };
        PathResult { radiance, rays: self.rays, rejected }
    }

    /// The MIS weight of a light sample over its pdf; `scattering_pdf` is the pdf of the same
    /// direction by scattering.
    #[inline(always)]
    fn weight_of_light(&self, sample: &LightSample, scattering_pdf: f32) -> f32 {
        match (sample.pdf, self.settings.direct_lighting) {
            (None, _) => 1.0,
            (Some(_), DirectLighting::Bsdf) => 0.0,
            (Some(pdf), DirectLighting::Lights) => 1.0 / pdf,
            (Some(pdf), DirectLighting::Mis) => match (sample.end, self.advantage_at_sky()) {
                (End::Infinity, Some(advantage)) => {
                    balance_heuristic(pdf, advantage * scattering_pdf) / pdf
                }
                _ => power_heuristic(pdf, scattering_pdf) / pdf,
            },
        }
    }

    /// How much more scattered rays count than samples of the sky, if it is smooth.
    #[inline(always)]
    fn advantage_at_sky(&self) -> Option<f32> {
        let is_smooth = !self.world.lights().environment.is_uneven(Anything);
        is_smooth.then(|| self.world.scattering_advantage())
    }

    /// The MIS weight of a scattered ray with `pdf` that hits `source`; `light_pdf` is the pdf of the same direction by
    /// light sampling.
    #[inline(always)]
    fn weight_of_scattering(&self, pdf: f32, source: Source, light_pdf: f32) -> f32 {
        match (source, self.advantage_at_sky()) {
            (Source::Sky, Some(advantage)) => balance_heuristic(advantage * pdf, light_pdf),
            _ => power_heuristic(pdf, light_pdf),
        }
    }

    /// Russian roulette by the throughput of the path.
    #[inline(always)]
    fn survives(&mut self, eta_squared: f32, roulette: impl FnOnce() -> f32) -> bool {
        let brightest = self.throughput.max_element() * eta_squared;
        if brightest == 0.0 {
            return false;
        }
        if !self.settings.russian_roulette {
            return true;
        }
        let so_far = (self.edges, self.scatterings);
        goes_on(&mut self.throughput, so_far, brightest, roulette)
    }

    /// Next-event estimation: one sample of one light. The smooth sky is sampled by the numbers `of_sky`. Returns the shadow ray it takes, if its contribution is
    /// not decided yet.
    #[inline(always)]
    fn add_direct_light(
        &mut self,
        vertex: &Vertex<'_>,
        receiver: &Receiver,
        ([u, v, choice], of_sky): ([f32; 3], [f32; 2]),
        (arena, inside): (&ShadingArena, bool),
    ) -> Option<ShadowRay> {
        let sample = self.world.lights().sample(receiver, choice, [[u, v], of_sky])?;
        let scattering = vertex.evaluate(sample.direction);
        let weight = self.weight_of_light(&sample, scattering.pdf);
        let mut arriving = scattering.value * sample.radiance * weight;
        if arriving == Vec3A::ZERO {
            return None;
        }
        if let Some(left) = vertex.left_of(&sample) {
            arriving *= left;
        }
        if let Some(fog) = self.features.fog() {
            let behind = vertex.is_behind(sample.direction);
            if !(if behind { vertex.outside } else { inside }) {
                arriving *= fog.left_of(&sample, vertex.surface.point);
            }
        }
        self.rays += 1;
        if self.world.has_transparent_shadows() {
            let start = vertex.start_towards(sample.direction);
            self.add_through_surfaces(arriving, start, &sample, arena);
            return None;
        }
        let contribution = self.contribution(arriving, self.edges + 1);
        let Some((ray, distance)) = vertex.ray_to(&sample) else {
            self.radiance += contribution;
            return None;
        };
        Some(ShadowRay { ray, distance, contribution })
    }

    /// Each transparent surface on the shadow ray is one more edge, as it is for a path through it.
    #[inline(never)]
    fn add_through_surfaces(
        &mut self,
        arriving: Vec3A,
        start: Vec3A,
        sample: &LightSample,
        arena: &ShadingArena,
    ) {
        let max_surfaces = self.settings.max_depth - self.edges - 1;
        let end = match sample.end {
            End::Infinity => None,
            End::Point(point) => Some(point),
            End::Surface(end) => Some(end.origin_towards(-sample.direction)),
        };
        let ray = Ray::new(start, sample.direction);
        let left = transparent_shadows::transmittance(self.world, ray, end, arena, max_surfaces);
        self.rays += left.surfaces;
        self.add(arriving * left.share, self.edges + 1 + left.surfaces);
    }

    /// Adds the contribution of a path of `edges` edges.
    fn add(&mut self, radiance: Vec3A, edges: u32) {
        self.radiance += self.contribution(radiance, edges);
    }

    fn contribution(&self, radiance: Vec3A, edges: u32) -> Vec3A {
        let contribution = self.throughput * radiance;
        match self.settings.clamp_indirect {
            Some(limit) if edges > 2 => contribution.min(Vec3A::splat(limit)),
            _ => contribution,
        }
    }
}
