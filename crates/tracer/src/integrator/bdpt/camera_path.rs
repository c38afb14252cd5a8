//! The camera subpath and its connections to lights and to the light subpath.

use glam::Vec3A;

use super::light_path::LightVertex;
use super::strategy::{Sink, Strategy};
use super::weights::{Sums, power};
use crate::bsdf::{Scatters, ShadingArena};
use crate::integrator::Window;
use crate::integrator::medium::Medium;
use crate::integrator::roulette::{chance_to_survive, roulette_number};
use crate::integrator::vertex::Vertex;
use crate::light::{Anything, End, Receiver, Source};
use crate::ray::{Ray, SurfacePoint};
use crate::sampler::Sampler;
use crate::settings::RenderSettings;
use crate::surface_kind::SurfaceKind;
use crate::world::World;

/// Traces a camera subpath; returns the number of rays.
pub(super) fn trace(
    world: &World,
    settings: &RenderSettings,
    window: &Window,
    arena: &ShadingArena,
    light_vertices: &[LightVertex<'_>],
    sink: &mut impl Sink,
) -> u32 {
    let sampler = window.sampler(settings.seed);
    let [x, y, lens @ ..] = sampler.first::<4>(0);
    let ray = world.camera.ray(window.at(x, y), window.aspect(), lens);
    let next = power(1.0 / world.camera.direction_pdf(ray.direction, window.aspect()));
    let mut path = CameraPath {
        world,
        settings,
        sampler,
        throughput: Vec3A::ONE,
        sums: Sums { next, before: 0.0 },
        points: 1,
        last: None,
        rays: 0,
    };
    path.trace(ray, arena, light_vertices, sink);
    path.rays
}

struct CameraPath<'a> {
    world: &'a World,
    settings: &'a RenderSettings,
    sampler: Sampler,
    throughput: Vec3A,
    sums: Sums,
    /// The number of vertices so far, the camera included.
    points: u32,
    /// The last vertex, unless it is specular.
    last: Option<Receiver>,
    /// Rays traced.
    rays: u32,
}

impl CameraPath<'_> {
    fn trace(
        &mut self,
        mut ray: Ray,
        arena: &ShadingArena,
        lights: &[LightVertex<'_>],
        sink: &mut impl Sink,
    ) {
        let (mut eta_squared, mut scatterings) = (1.0, 0);
        let mut medium = Medium::AIR;
        let mut is_from_camera = true;
        while self.points <= self.settings.max_depth {
            self.points += 1;
            self.rays += 1;
            let hit = match is_from_camera {
                true => self.world.intersect_from_camera(&ray),
                false => self.world.intersect(&ray),
            };
            let Some(mut hit) = hit else {
                self.meet_sky(ray.direction, sink);
                return;
            };
            if let Some(left) = medium.left_after(hit.distance) {
                self.throughput *= left;
            }
            let bsdf = match hit.kind {
                SurfaceKind::Surface(bsdf) => bsdf,
                SurfaceKind::Varied(shader) => shader.at(&mut hit.surface, hit.part, arena),
                SurfaceKind::Light(light) => {
                    let met = (&hit.surface, hit.part);
                    self.meet_light(*light, met, hit.distance, ray.direction, sink);
                    return;
                }
                SurfaceKind::Emissive(emissive) => {
                    if let Some((light, surface)) =
                        emissive.area_light.seen(&hit.surface, ray.direction)
                    {
                        let met = (&surface, hit.part);
                        self.meet_light(light, met, hit.distance, ray.direction, sink);
                    }
                    let met = emissive.bsdf_at(&mut hit.surface, hit.part, arena);
                    let Some(bsdf) = met else { return };
                    bsdf
                }
            };
            let vertex = Vertex::new(hit.surface, bsdf, ray.direction, medium);
            let cos = vertex.cos;
            if self.points > self.settings.max_depth || cos == 0.0 {
                return;
            }
            self.sums = self.sums.arriving(hit.distance, cos);
            let first_set = 2 * self.points - 3;
            self.last = None;
            if !bsdf.is_specular() {
                let receiver = vertex.receiver(Anything);
                self.join_light(&vertex, &receiver, first_set + 1, sink);
                for light in lights {
                    let strategy = Strategy { light: light.points, camera: self.points };
                    if strategy.edges() > self.settings.max_depth {
                        break;
                    }
                    self.join(&vertex, light, strategy, sink);
                }
                self.last = Some(receiver);
            }
            let [u, v, choice] = self.sampler.first(first_set);
            let Some(sample) = bsdf.sample(vertex.wo, vertex.outside, [u, v, choice]) else {
                return;
            };
            self.throughput *= sample.weight;
            eta_squared *= sample.eta_squared;
            let Some(next) = vertex.ray_along(&sample) else { return };
            self.sums = match sample.pdf {
                None => {
                    self.last = None;
                    self.sums.mirrored(cos, sample.eta_squared)
                }
                Some(pdf) => {
                    let reverse = vertex.reverse_pdf_of(sample.wi);
                    self.sums.scattered(vertex.cos_of(next.direction), pdf, reverse)
                }
            };
            scatterings += u32::from(sample.pdf.is_some());
            let brightest = self.throughput.max_element() * eta_squared;
            if brightest == 0.0 {
                return;
            }
            if self.settings.russian_roulette
                && let Some(chance) = chance_to_survive(self.points - 1, scatterings, brightest)
            {
                let roulette = roulette_number(bsdf, &sample, choice, |of, which| {
                    self.sampler.first::<4>(first_set + of)[which]
                });
                if roulette >= chance {
                    return;
                }
                self.throughput /= chance;
            }
            ray = next;
            is_from_camera &= sample.goes_straight();
            medium = vertex.medium_after(&sample);
        }
    }

    fn meet_sky(&self, direction: Vec3A, sink: &mut impl Sink) {
        // The camera is the first point.
        if self.settings.hides_sky && self.points == 2 {
            return;
        }
        let lights = self.world.lights();
        let look = self.last.map_or(0.0, |receiver| {
            lights.chance(&receiver, Source::Sky) * lights.environment.pdf(&receiver, direction)
        });
        let setting_out = lights.emission_pdf(Source::Sky, -direction, 1.0);
        // The sky has no distance: its densities stay per steradian.
        self.meet(lights.environment.radiance(direction), self.sums, look, setting_out, sink);
    }

    fn meet_light(
        &self,
        index: usize,
        (surface, part): (&SurfacePoint, u32),
        distance: f32,
        direction: Vec3A,
        sink: &mut impl Sink,
    ) {
        let (lights, source) = (self.world.lights(), Source::Light(index));
        let radiance = lights.lights[index].radiance(surface, part, -direction);
        if radiance == Vec3A::ZERO {
            return;
        }
        let cos = surface.normal.dot(-direction);
        let look = self.last.map_or(0.0, |receiver| {
            let pdf = lights.pdf(source, receiver.point, (surface, part), direction);
            lights.chance(&receiver, source) * pdf * cos / (distance * distance)
        });
        let setting_out = lights.emission_pdf(source, -direction, cos);
        self.meet(radiance, self.sums.arriving(distance, cos), look, setting_out, sink);
    }

    /// Adds the emission of a light that the subpath has hit. `look` is the pdf of sampling that
    /// light from the last vertex, `setting_out` the pdf of emission along the last edge.
    fn meet(&self, radiance: Vec3A, sums: Sums, look: f32, setting_out: f32, sink: &mut impl Sink) {
        let strategy = Strategy { light: 0, camera: self.points };
        // Only this strategy finds directly visible light.
        let others = if self.points == 2 {
            0.0
        } else {
            power(look) * sums.next + power(setting_out) * sums.before
        };
        let weight = (1.0 / (1.0 + others)) as f32;
        sink.take(strategy, self.throughput * radiance, weight, None);
    }

    /// Next-event estimation: connects the subpath to a sampled point of a light.
    fn join_light(
        &mut self,
        vertex: &Vertex<'_>,
        receiver: &Receiver,
        set: u32,
        sink: &mut impl Sink,
    ) {
        let [u, v, choice] = self.sampler.first(set);
        let lights = self.world.lights();
        let Some((sample, source, chance)) = lights.sample_source(receiver, choice, [[u, v]; 2])
        else {
            return;
        };
        let scattering = vertex.evaluate(sample.direction);
        let mut radiance = self.throughput * scattering.value * sample.radiance;
        let cos = vertex.cos_of(sample.direction);
        if radiance == Vec3A::ZERO || cos == 0.0 {
            return;
        }
        if let Some(left) = vertex.left_of(&sample) {
            radiance *= left;
        }
        // The pdf of the light sample per steradian, the pdf of hitting the light by continuing the
        // path, and the cosine at the light.
        let (look, met, cos_at_light) = match sample.end {
            End::Point(point) => (chance * receiver.point.distance_squared(point), 0.0, 1.0),
            End::Infinity => (chance * sample.pdf.unwrap_or(1.0), scattering.pdf, 1.0),
            End::Surface(surface) => {
                let cos_at_light = surface.normal.dot(-sample.direction);
                (chance * sample.pdf.unwrap_or(1.0), scattering.pdf, cos_at_light)
            }
        };
        let setting_out = lights.emission_pdf(source, -sample.direction, cos_at_light);
        let fewer_from_light = power(met / look);
        let reverse_pdf = vertex.reverse_pdf(sample.direction);
        let more_from_light =
            self.sums.total(setting_out * cos / (look * cos_at_light), reverse_pdf);
        let weight = (1.0 / (1.0 + fewer_from_light + more_from_light)) as f32;
        let radiance = radiance / (chance * sample.pdf.unwrap_or(1.0));
        self.rays += 1;
        if !vertex.is_shadowed(self.world, &sample) {
            let strategy = Strategy { light: 1, camera: self.points };
            sink.take(strategy, radiance, weight, None);
        }
    }

    /// Connects the subpath to a vertex of the light subpath.
    fn join(
        &mut self,
        vertex: &Vertex<'_>,
        light: &LightVertex<'_>,
        strategy: Strategy,
        sink: &mut impl Sink,
    ) {
        let way = light.vertex.surface.point - vertex.surface.point;
        let squared_distance = way.length_squared();
        let Some(towards) = way.try_normalize() else { return };
        let here = vertex.evaluate(towards);
        let there = light.vertex.evaluate_power(-towards);
        // Both values include their cosines.
        let mut radiance =
            self.throughput * here.value * there.value * light.throughput / squared_distance;
        if radiance == Vec3A::ZERO {
            return;
        }
        if let Some(left) = vertex.medium_towards(towards).left_after(squared_distance.sqrt()) {
            radiance *= left;
        }
        let (cos_here, cos_there) = (vertex.cos_of(towards), light.vertex.cos_of(towards));
        let from_here = here.pdf * cos_there / squared_distance;
        let from_there = there.pdf * cos_here / squared_distance;
        let others = light.sums.total(from_here, light.vertex.reverse_pdf(-towards))
            + self.sums.total(from_there, vertex.reverse_pdf(towards));
        let weight = (1.0 / (1.0 + others)) as f32;
        self.rays += 1;
        let (start, end) = (vertex.start_towards(towards), light.vertex.start_towards(-towards));
        if !self.world.is_blocked_between(start, end) {
            sink.take(strategy, radiance, weight, None);
        }
    }
}
