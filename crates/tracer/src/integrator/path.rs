//! Light along one path: unidirectional path tracing with next-event estimation.

use glam::Vec3A;

use super::medium::Medium;
use super::roulette::{chance_to_survive, roulette_number};
use super::vertex::Vertex;
use super::{PathResult, Window};
use crate::bsdf::Looks;
use crate::light::{Glow, Receiver, Source};
use crate::ray::{Ray, SurfacePoint};
use crate::sampler::Sampler;
use crate::sampling::power_heuristic;
use crate::settings::{DirectLighting, RenderSettings};
use crate::world::{Role, World};

/// One sample of a picture.
pub(super) fn sample(world: &World, settings: &RenderSettings, window: &Window) -> PathResult {
    let sampler = window.sampler(settings.seed);
    let [x, y, lens @ ..] = sampler.first::<4>(0);
    let ray = world.camera.ray(window.at(x, y), window.aspect(), lens);
    Path::new(world, settings, sampler).trace(ray, &Looks::default())
}

/// The surface a path comes from, when light sampling could have found the same light.
struct Origin {
    receiver: Receiver,
    /// Density with which the direction was sampled there, per steradian.
    pdf: f32,
}

struct Path<'a> {
    world: &'a World,
    settings: &'a RenderSettings,
    sampler: Sampler,
    radiance: Vec3A,
    throughput: Vec3A,
    /// Edges from the camera so far.
    edges: u32,
    /// Bounces so far at surfaces that scatter into more than single directions.
    scatterings: u32,
    rays: u32,
}

impl<'a> Path<'a> {
    fn new(world: &'a World, settings: &'a RenderSettings, sampler: Sampler) -> Self {
        Self {
            world,
            settings,
            sampler,
            radiance: Vec3A::ZERO,
            throughput: Vec3A::ONE,
            edges: 0,
            scatterings: 0,
            rays: 0,
        }
    }

    fn trace(mut self, mut ray: Ray, looks: &Looks) -> PathResult {
        let mut origin: Option<Origin> = None;
        // Radiance that entered glass is larger there by the square of the index; roulette must not
        // take that for brightness.
        let mut eta_squared = 1.0;
        let mut medium = Medium::AIR;
        while self.edges < self.settings.max_depth {
            self.edges += 1;
            self.rays += 1;
            let Some(mut hit) = self.world.intersect(&ray) else {
                self.meet_sky(ray.direction, origin.as_ref());
                break;
            };
            if let Some(left) = medium.left_after(hit.distance) {
                self.throughput *= left;
            }
            let bsdf = match hit.role {
                Role::Surface(bsdf) => bsdf,
                Role::Varied(finish) => finish.at(&mut hit.surface, hit.part, looks),
                Role::Light(light) => {
                    self.meet_light(*light, &hit.surface, ray.direction, origin.as_ref());
                    break;
                }
                Role::Glowing(glowing) => {
                    self.meet_glow(glowing.glow, &hit.surface, ray.direction, origin.as_ref());
                    let met = glowing.bsdf_at(&mut hit.surface, hit.part, looks);
                    let Some(bsdf) = met else { break };
                    bsdf
                }
            };
            if self.edges == self.settings.max_depth {
                break;
            }
            let vertex = Vertex::new(hit.surface, bsdf, ray.direction, medium);
            let first_set = 2 * self.edges - 1;
            let receiver = vertex.receiver();
            if !bsdf.is_specular() {
                self.add_direct_light(&vertex, &receiver, first_set + 1);
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
            origin = sample.pdf.map(|pdf| Origin { receiver, pdf });
        }
        let rejected = !self.radiance.is_finite();
        let radiance = if rejected { Vec3A::ZERO } else { self.radiance };
        PathResult { radiance, rays: self.rays, rejected }
    }

    /// Russian roulette by what the path can still bring.
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

    fn meet_sky(&mut self, direction: Vec3A, origin: Option<&Origin>) {
        let sky = &self.world.lights().environment;
        let weight = self
            .weight_of_meeting(origin, Source::Sky, |origin| sky.pdf(&origin.receiver, direction));
        self.add(sky.radiance(direction) * weight, self.edges);
    }

    #[inline(always)]
    fn meet_light(
        &mut self,
        index: usize,
        surface: &SurfacePoint,
        direction: Vec3A,
        origin: Option<&Origin>,
    ) {
        let light = &self.world.lights().lights[index];
        let radiance = light.radiance(surface, -direction);
        if radiance == Vec3A::ZERO {
            return;
        }
        let weight = self.weight_of_meeting(origin, Source::Light(index), |origin| {
            light.pdf(origin.receiver.point, surface, direction)
        });
        self.add(radiance * weight, self.edges);
    }

    /// Apart from the loop: most scenes have no shape that glows.
    #[inline(never)]
    fn meet_glow(
        &mut self,
        glow: Glow,
        surface: &SurfacePoint,
        direction: Vec3A,
        origin: Option<&Origin>,
    ) {
        if let Some((light, surface)) = glow.seen(surface, direction) {
            self.meet_light(light, &surface, direction, origin);
        }
    }

    /// The weight of having met `source` by following the path; `pdf_of_light` is the density of
    /// finding the same by sampling that source.
    fn weight_of_meeting(
        &self,
        origin: Option<&Origin>,
        source: Source,
        pdf_of_light: impl FnOnce(&Origin) -> f32,
    ) -> f32 {
        let Some(origin) = origin else { return 1.0 };
        match self.settings.direct_lighting {
            DirectLighting::Lights => {
                let sampled =
                    source != Source::Sky || self.world.lights().samples_sky(&origin.receiver);
                if sampled { 0.0 } else { 1.0 }
            }
            DirectLighting::Bsdf => 1.0,
            DirectLighting::Mis => {
                let chance = self.world.lights().chance(&origin.receiver, source);
                power_heuristic(origin.pdf, chance * pdf_of_light(origin))
            }
        }
    }

    /// Next-event estimation: one sample of one light.
    fn add_direct_light(&mut self, vertex: &Vertex<'_>, receiver: &Receiver, set: u32) {
        let [u, v, choice] = self.sampler.first(set);
        let Some(sample) = self.world.lights().sample(receiver, choice, [u, v]) else {
            return;
        };
        let scattering = vertex.evaluate(sample.direction);
        let weight = match (sample.pdf, self.settings.direct_lighting) {
            (None, _) => 1.0,
            (Some(_), DirectLighting::Bsdf) => 0.0,
            (Some(pdf), DirectLighting::Lights) => 1.0 / pdf,
            (Some(pdf), DirectLighting::Mis) => power_heuristic(pdf, scattering.pdf) / pdf,
        };
        let mut arriving = scattering.value * sample.radiance * weight;
        if arriving == Vec3A::ZERO {
            return;
        }
        if let Some(left) = vertex.left_of(&sample) {
            arriving *= left;
        }
        self.rays += 1;
        if !vertex.is_shadowed(self.world, &sample) {
            self.add(arriving, self.edges + 1);
        }
    }

    /// Adds light that arrives at the end of a path of `edges` edges.
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
