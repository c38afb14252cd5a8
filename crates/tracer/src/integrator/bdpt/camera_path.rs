//! The camera subpaths and their connections to lights and to the light subpaths.

use glam::Vec3A;

use super::connections::Connections;
use super::group::Group;
use super::light_path::{LightVertex, LightVertices};
use super::strategy::{Contribution, Sink, Strategy};
use super::stream::{Subpath, Subpaths};
use super::weights::{Sums, power};
use crate::bsdf::{Bsdf, Scatters, ShadingArena};
use crate::integrator::medium::Medium;
use crate::integrator::roulette::{goes_on, roulette_number};
use crate::integrator::vertex::Vertex;
use crate::integrator::vertex_numbers::VertexNumbers;
use crate::light::{End, Receiver, Source};
use crate::ray::{LANES, Ray, SurfacePoint};
use crate::sampler::{Numbers, Sampler};
use crate::settings::RenderSettings;
use crate::surface_kind::SurfaceKind;
use crate::world::{Hit, World};

/// Traces camera subpaths and connects every vertex to lights and light subpaths.
pub(super) struct CameraPaths<'a, 'world, K> {
    pub(super) group: &'a Group<'a, 'world>,
    pub(super) arena: &'world ShadingArena,
    pub(super) light_vertices: &'a LightVertices<'world>,
    pub(super) connections: Connections<'a, K>,
    /// The next sample of the group.
    pub(super) next: usize,
    pub(super) ready: Vec<CameraPath<'a>>,
}

/// A camera subpath under way.
pub(super) struct CameraPath<'a> {
    world: &'a World,
    settings: &'a RenderSettings,
    /// The sample of the group that it belongs to, and its place in the batch.
    sample: usize,
    at: usize,
    sampler: Sampler,
    ray: Ray,
    throughput: Vec3A,
    sums: Sums,
    /// The number of vertices so far, the camera included.
    points: u32,
    /// The number of non-specular bounces so far.
    scatterings: u32,
    /// Radiance in glass is scaled by the squared index; roulette must not count that as brightness.
    eta_squared: f32,
    medium: Medium,
    is_from_camera: bool,
    /// The last vertex, unless it is specular.
    last: Option<Receiver>,
}

impl Subpath for CameraPath<'_> {
    fn ray(&self) -> &Ray {
        &self.ray
    }

    fn is_from_camera(&self) -> bool {
        self.is_from_camera
    }

    fn numbers(&self) -> (Sampler, u32) {
        (self.sampler, 2 * self.points - 1)
    }
}

impl<'a, 'world, K: Sink> Subpaths<'world> for CameraPaths<'a, 'world, K> {
    type Path = CameraPath<'a>;

    fn start(&mut self) -> Option<CameraPath<'a>> {
        if self.ready.is_empty() {
            self.prepare();
        }
        self.ready.pop()
    }

    fn follow(
        &mut self,
        path: &mut CameraPath<'a>,
        hit: Option<Hit<'world>>,
        numbers: &VertexNumbers,
    ) -> bool {
        path.points += 1;
        let Some(mut hit) = hit else {
            path.meet_sky(self.connections.sink);
            return false;
        };
        if let Some(left) = path.medium.left_after(hit.distance) {
            path.throughput *= left;
        }
        let Some(bsdf) = path.meet_surface(&mut hit, self.arena, self.connections.sink) else {
            return false;
        };
        let vertex = Vertex::new(hit.surface, bsdf, path.ray.direction, path.medium);
        let max_depth = path.settings.max_depth;
        if path.points > max_depth || vertex.cos == 0.0 {
            return false;
        }
        path.sums = path.sums.arriving(hit.distance, vertex.cos);
        path.last = None;
        if !bsdf.is_specular() {
            let receiver = vertex.receiver();
            path.join_light(&vertex, &receiver, numbers, &mut self.connections);
            for light in self.light_vertices.of(path.sample) {
                let strategy = Strategy { light: light.points, camera: path.points };
                if strategy.edges() <= max_depth {
                    path.join(&vertex, light, strategy, &mut self.connections);
                }
            }
            path.last = Some(receiver);
        }
        path.scatter(&vertex, numbers)
    }

    fn settle(&mut self) {
        self.connections.settle();
    }
}

impl<K> CameraPaths<'_, '_, K> {
    /// Begins the subpaths of some samples.
    fn prepare(&mut self) {
        let samples = self.next..self.group.samples.len().min(self.next + LANES);
        self.next = samples.end;
        let (group, batch) = (self.group, self.group.batch);
        let (world, settings) = (batch.world, batch.settings);
        if settings.max_depth == 0 {
            return;
        }
        let begin = |sample: usize| {
            let window = group.window(sample);
            (sample, window, window.sampler(settings.seed))
        };
        let begun: Vec<_> = samples.map(begin).collect();
        let [numbers] =
            Numbers::of::<1, 4>(begun.iter().map(|(.., sampler)| (*sampler, 0)), world.level());
        for (lane, (sample, window, sampler)) in begun.into_iter().enumerate() {
            let [x, y, lens @ ..] = numbers.of_lane(lane);
            let ray = world.camera.ray(window.at(x, y), window.aspect(), lens);
            let next = power(1.0 / world.camera.direction_pdf(ray.direction, window.aspect()));
            self.ready.push(CameraPath {
                world,
                settings,
                sample,
                at: group.samples.start + sample,
                sampler,
                ray,
                throughput: Vec3A::ONE,
                sums: Sums { next, before: 0.0 },
                points: 1,
                scatterings: 0,
                eta_squared: 1.0,
                medium: Medium::AIR,
                is_from_camera: true,
                last: None,
            });
        }
    }
}

impl CameraPath<'_> {
    /// Adds the emission of the hit surface and returns its BSDF, if it scatters light.
    fn meet_surface<'b>(
        &self,
        hit: &mut Hit<'b>,
        arena: &'b ShadingArena,
        sink: &mut impl Sink,
    ) -> Option<&'b Bsdf> {
        let met = match hit.kind {
            SurfaceKind::Light(light) => Some((*light, hit.surface)),
            SurfaceKind::Emissive(emissive) => {
                emissive.area_light.seen(&hit.surface, self.ray.direction)
            }
            SurfaceKind::Surface(_) | SurfaceKind::Varied(_) => None,
        };
        if let Some((light, surface)) = met {
            self.meet_light(light, (&surface, hit.part), hit.distance, sink);
        }
        hit.bsdf(arena)
    }

    /// Continues the subpath; returns whether it goes on.
    fn scatter(&mut self, vertex: &Vertex<'_>, numbers: &VertexNumbers) -> bool {
        let [u, v, choice, _] = numbers.scattering;
        let Some(sample) = vertex.bsdf.sample(vertex.wo, vertex.outside, [u, v, choice]) else {
            return false;
        };
        self.throughput *= sample.weight;
        self.eta_squared *= sample.eta_squared;
        let Some(next) = vertex.ray_along(&sample) else { return false };
        self.sums = match sample.pdf {
            None => {
                self.last = None;
                self.sums.mirrored(vertex.cos, sample.eta_squared)
            }
            Some(pdf) => {
                let reverse = vertex.reverse_pdf_of(sample.wi);
                self.sums.scattered(vertex.cos_of(next.direction), pdf, reverse)
            }
        };
        self.scatterings += u32::from(sample.pdf.is_some());
        let brightest = self.throughput.max_element() * self.eta_squared;
        if brightest == 0.0 {
            return false;
        }
        let so_far = (self.points - 1, self.scatterings);
        let roulette = || roulette_number(vertex.bsdf, &sample, numbers);
        if self.settings.russian_roulette
            && !goes_on(&mut self.throughput, so_far, brightest, roulette)
        {
            return false;
        }
        self.ray = next;
        self.is_from_camera &= sample.goes_straight();
        self.medium = vertex.medium_after(&sample);
        true
    }

    fn meet_sky(&self, sink: &mut impl Sink) {
        // The camera is the first point.
        if self.settings.hides_sky && self.points == 2 {
            return;
        }
        let (lights, direction) = (self.world.lights(), self.ray.direction);
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
        sink: &mut impl Sink,
    ) {
        let (lights, source) = (self.world.lights(), Source::Light(index));
        let direction = self.ray.direction;
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
        sink.take(&self.contribution(strategy, self.throughput * radiance, weight));
    }

    fn contribution(&self, strategy: Strategy, radiance: Vec3A, weight: f32) -> Contribution {
        Contribution { at: self.at, strategy, radiance, weight, pixel: None }
    }

    /// Next-event estimation: connects the subpath to a sampled point of a light.
    fn join_light(
        &self,
        vertex: &Vertex<'_>,
        receiver: &Receiver,
        numbers: &VertexNumbers,
        connections: &mut Connections<'_, impl Sink>,
    ) {
        let [u, v, choice, _] = numbers.light;
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
        let strategy = Strategy { light: 1, camera: self.points };
        connections.add(vertex.ray_to(&sample), self.contribution(strategy, radiance, weight));
    }

    /// Connects the subpath to a vertex of the light subpath.
    fn join(
        &self,
        vertex: &Vertex<'_>,
        light: &LightVertex<'_>,
        strategy: Strategy,
        connections: &mut Connections<'_, impl Sink>,
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
        let (start, end) = (vertex.start_towards(towards), light.vertex.start_towards(-towards));
        connections.add(Ray::between(start, end), self.contribution(strategy, radiance, weight));
    }
}
