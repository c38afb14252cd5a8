//! Unidirectional path tracing with next-event estimation.

mod air;
mod emission;

use glam::Vec3A;

use super::medium::Medium;
use super::roulette::{chance_to_survive, roulette_number};
use super::scene_features::{Clear, Foggy, Plain, SceneFeatures};
use super::transparent_shadows;
use super::vertex::Vertex;
use super::{LightPaths, PathResult, SampleFn, Window};
use crate::bsdf::{Scatters, ShadingArena};
use crate::light::{Anything, LightSample, Receiver};
use crate::ray::Ray;
use crate::sampler::Sampler;
use crate::sampling::power_heuristic;
use crate::settings::{DirectLighting, RenderSettings};
use crate::world::World;

/// The path tracer specialised for the features of this world.
pub(super) fn sample_fn(world: &World) -> SampleFn {
    match world.fog() {
        None if world.is_simple() && world.lights().environment.is_uneven(Anything) => {
            sample::<Plain<false>>
        }
        None if world.is_simple() => sample::<Plain<true>>,
        None => sample::<Clear>,
        Some(_) => sample::<Foggy>,
    }
}

/// One sample of a pixel; black if the world does not have these features.
fn sample<S: SceneFeatures>(
    world: &World,
    settings: &RenderSettings,
    window: &Window,
    _: &mut LightPaths,
) -> PathResult {
    let Some(features) = S::of(world) else { return PathResult::default() };
    let sampler = window.sampler(settings.seed);
    let [x, y, lens @ ..] = sampler.first::<4>(0);
    let ray = world.camera.ray(window.at(x, y), window.aspect(), lens);
    Path::new(world, settings, sampler, features).trace(ray, &ShadingArena::default())
}

/// The previous vertex of a path.
struct Origin<S: SceneFeatures> {
    /// In a medium only its position is used.
    receiver: Receiver<S::Known>,
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

    #[inline(always)]
    fn trace(mut self, mut ray: Ray, arena: &ShadingArena) -> PathResult {
        let receiver = Receiver::in_air(ray.origin, ray.direction, S::KNOWN);
        let mut origin = Origin { receiver, place: S::AIR, pdf: None };
        // Radiance in glass is scaled by the squared index; roulette must not count that as
        // brightness.
        let mut eta_squared = 1.0;
        let mut medium = Medium::AIR;
        // Fog does not fill closed shapes; this is only tracked in fog.
        let mut inside = false;
        while self.edges < self.settings.max_depth {
            self.edges += 1;
            self.rays += 1;
            let Some(mut hit) = self.world.intersect(&ray) else {
                match self.pass_air(&ray, f32::INFINITY, inside, arena) {
                    Passage::Clear => self.meet_sky(ray.direction, &origin),
                    Passage::Ended => {}
                    Passage::Scattered(next, from) => {
                        (ray, origin) = (next, from);
                        continue;
                    }
                }
                break;
            };
            match self.pass_air(&ray, hit.distance, inside, arena) {
                Passage::Clear => {}
                Passage::Ended => break,
                Passage::Scattered(next, from) => {
                    (ray, origin) = (next, from);
                    continue;
                }
            }
            if let Some(left) = medium.left_after(hit.distance) {
                self.throughput *= left;
            }
            let Some(bsdf) = self.meet(&mut hit, ray.direction, &origin, arena) else {
                break;
            };
            if self.edges == self.settings.max_depth {
                break;
            }
            let vertex = Vertex::new(hit.surface, bsdf, ray.direction, medium);
            let first_set = S::SETS * self.edges - (S::SETS - 1);
            let receiver = vertex.receiver(S::KNOWN);
            if !bsdf.is_specular() {
                self.add_direct_light(&vertex, &receiver, first_set + 1, (arena, inside));
            }
            let [u, v, choice] = self.sampler.first(first_set);
            let Some(sample) = bsdf.sample(vertex.wo, vertex.outside, [u, v, choice]) else {
                break;
            };
            self.throughput *= sample.weight;
            eta_squared *= sample.eta_squared;
            self.scatterings += u32::from(sample.pdf.is_some());
            let sampler = self.sampler;
            let roulette = || roulette_number(&sampler, first_set, vertex.bsdf, &sample, choice);
            if !self.survives(eta_squared, roulette) {
                break;
            }
            let Some(next) = vertex.ray_along(&sample) else { break };
            ray = next;
            medium = vertex.medium_after(&sample);
            if self.features.fog().is_some() && vertex.is_crossed_by(&sample) {
                inside = vertex.outside;
            }
            // Light sampling finds lights through transparent surfaces, so the previous vertex
            // stays the origin.
            if S::SIMPLE || !(self.world.has_transparent_shadows() && sample.goes_straight()) {
                origin = Origin { receiver, place: S::SURFACE, pdf: sample.pdf };
            }
        }
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
            (Some(pdf), DirectLighting::Mis) => power_heuristic(pdf, scattering_pdf) / pdf,
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
        let Some(chance) = chance_to_survive(self.edges, self.scatterings, brightest) else {
            return true;
        };
        self.throughput /= chance;
        roulette() < chance
    }

    /// Next-event estimation: one sample of one light.
    #[inline(always)]
    fn add_direct_light(
        &mut self,
        vertex: &Vertex<'_, S::Surface>,
        receiver: &Receiver<S::Known>,
        set: u32,
        (arena, inside): (&ShadingArena, bool),
    ) {
        let [u, v, choice] = self.sampler.first(set);
        let Some(sample) = self.world.lights().sample(receiver, choice, [u, v]) else {
            return;
        };
        let scattering = vertex.evaluate(sample.direction);
        let weight = self.weight_of_light(&sample, scattering.pdf);
        let mut arriving = scattering.value * sample.radiance * weight;
        if arriving == Vec3A::ZERO {
            return;
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
        if !S::SIMPLE && self.world.has_transparent_shadows() {
            let start = vertex.start_towards(sample.direction);
            self.add_through_surfaces(arriving, start, &sample, arena);
        } else if !vertex.is_shadowed(self.world, &sample) {
            self.add(arriving, self.edges + 1);
        }
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
        let left =
            transparent_shadows::transmittance(self.world, start, sample, arena, max_surfaces);
        self.rays += left.surfaces;
        self.add(arriving * left.share, self.edges + 1 + left.surfaces);
    }

    /// Adds the contribution of a path of `edges` edges.
    fn add(&mut self, radiance: Vec3A, edges: u32) {
        let mut contribution = self.throughput * radiance;
        if let Some(limit) = self.settings.clamp_indirect
            && edges > 2
        {
            contribution = contribution.min(Vec3A::splat(limit));
        }
        self.radiance += contribution;
    }
}
