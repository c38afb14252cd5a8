//! The light subpaths.

use glam::Vec3A;

use super::connections::Connections;
use super::group::Group;
use super::strategy::{Contribution, Sink, Strategy};
use super::stream::{Subpath, Subpaths};
use super::weights::{Sums, power};
use crate::bsdf::{Scatters, ShadingArena};
use crate::integrator::medium::Medium;
use crate::integrator::roulette::{goes_on, roulette_number};
use crate::integrator::vertex::Vertex;
use crate::integrator::vertex_numbers::{NumbersOfVertices, VertexNumbers};
use crate::light::{Emitted, End};
use crate::ray::{LANES, Ray};
use crate::sampler::Sampler;
use crate::world::{Hit, World};

/// The number of random sets for the emission; each vertex has two of its own.
const SETS_OF_START: u32 = 2;

/// A vertex that the camera subpath can be connected to.
#[derive(Debug)]
pub(super) struct LightVertex<'world> {
    pub(super) vertex: Vertex<'world>,
    /// The throughput: the contribution of the subpath over its pdf.
    pub(super) throughput: Vec3A,
    pub(super) sums: Sums,
    /// The number of vertices from the light up to this one.
    pub(super) points: u32,
    /// The index of the one before it in the same subpath.
    before: Option<usize>,
}

/// The vertices of the light subpaths of a group of samples.
#[derive(Debug, Default)]
pub(super) struct LightVertices<'world> {
    all: Vec<LightVertex<'world>>,
    /// For each sample the index of its last one.
    last: Vec<Option<usize>>,
}

impl<'world> LightVertices<'world> {
    pub(super) fn new(samples: usize) -> Self {
        Self { all: Vec::with_capacity(2 * samples), last: vec![None; samples] }
    }

    /// Those of a sample of the group.
    pub(super) fn of(&self, sample: usize) -> impl Iterator<Item = &LightVertex<'world>> {
        let last = self.last[sample].map(|last| &self.all[last]);
        std::iter::successors(last, |vertex| vertex.before.map(|before| &self.all[before]))
    }
}

/// Traces light subpaths and connects every vertex to the camera.
pub(super) struct LightPaths<'a, 'world, K> {
    pub(super) group: &'a Group<'a, 'world>,
    pub(super) arena: &'world ShadingArena,
    pub(super) vertices: &'a mut LightVertices<'world>,
    pub(super) connections: Connections<'a, K>,
    /// The next sample of the group.
    pub(super) next: usize,
    pub(super) ready: Vec<LightPath>,
}

/// A light subpath under way.
pub(super) struct LightPath {
    /// The sample of the group that it belongs to.
    sample: usize,
    sampler: Sampler,
    emitted: Emitted,
    ray: Ray,
    throughput: Vec3A,
    sums: Sums,
    /// The number of vertices, the next one included.
    points: u32,
    /// The number of non-specular bounces so far.
    scatterings: u32,
    medium: Medium,
}

impl Subpath for LightPath {
    fn ray(&self) -> &Ray {
        &self.ray
    }

    fn is_from_camera(&self) -> bool {
        false
    }

    fn numbers(&self) -> (Sampler, u32) {
        (self.sampler, SETS_OF_START + 2 * (self.points - 2))
    }
}

impl<'world, K: Sink> Subpaths<'world> for LightPaths<'_, 'world, K> {
    type Path = LightPath;

    fn start(&mut self) -> Option<LightPath> {
        while self.ready.is_empty() && self.next < self.group.samples.len() {
            self.prepare();
        }
        self.ready.pop()
    }

    fn follow(
        &mut self,
        path: &mut LightPath,
        hit: Option<Hit<'world>>,
        numbers: &VertexNumbers,
    ) -> bool {
        let Some(mut hit) = hit else { return false };
        if let Some(left) = path.medium.left_after(hit.distance) {
            path.throughput *= left;
        }
        let Some(bsdf) = hit.bsdf(self.arena) else { return false };
        let vertex = Vertex::new(hit.surface, bsdf, path.ray.direction, path.medium);
        if vertex.cos == 0.0 {
            return false;
        }
        path.sums = match path.points {
            2 => sums_of_first_bend(self.group.batch.world, path, &vertex, hit.distance),
            _ => path.sums.arriving(hit.distance, vertex.cos),
        };
        if !bsdf.is_specular() {
            self.add(path, vertex.clone(), [numbers.light[0], numbers.light[1]]);
        }
        path.points < self.group.batch.settings.max_depth
            && path.scatter(&vertex, numbers, self.group.batch.settings.russian_roulette)
    }

    fn settle(&mut self) {
        self.connections.settle();
    }
}

impl<'world, K: Sink> LightPaths<'_, 'world, K> {
    /// Begins the subpaths of some samples; not all lights send a ray for all numbers.
    fn prepare(&mut self) {
        let samples = self.next..self.group.samples.len().min(self.next + LANES);
        self.next = samples.end;
        let (group, batch) = (self.group, self.group.batch);
        // The longest path has at least one edge to the camera.
        if batch.settings.max_depth < 2 {
            return;
        }
        let seed = batch.settings.seed;
        let samplers: Vec<Sampler> =
            samples.clone().map(|sample| group.window(sample).sampler_of_picture(seed)).collect();
        let numbers = NumbersOfVertices::of::<4>(
            samplers.iter().map(|sampler| (*sampler, 0)),
            batch.world.level(),
        );
        for (lane, (sample, sampler)) in samples.zip(samplers).enumerate() {
            let VertexNumbers { scattering: [choice, x, y, _], light: [u, v, ..] } =
                numbers.of_lane(lane);
            let emitted = batch.world.lights().emit(choice, [x, y], [u, v]);
            self.ready.extend(emitted.map(|emitted| LightPath {
                sample,
                sampler,
                emitted,
                ray: emitted.ray,
                throughput: Vec3A::ONE,
                sums: sums_of_start(&emitted),
                points: 2,
                scatterings: 0,
                medium: Medium::AIR,
            }));
        }
    }

    /// Keeps a vertex and connects it to the camera.
    fn add(&mut self, path: &LightPath, vertex: Vertex<'world>, lens: [f32; 2]) {
        let throughput = path.throughput * path.emitted.weight;
        let LightVertices { all, last } = &mut *self.vertices;
        let before = last[path.sample].replace(all.len());
        let (sums, points) = (path.sums, path.points);
        let found = LightVertex { vertex, throughput, sums, points, before };
        self.join_camera(path.sample, &found, lens);
        self.vertices.all.push(found);
    }

    fn join_camera(&mut self, sample: usize, found: &LightVertex<'_>, lens: [f32; 2]) {
        let LightVertex { vertex, throughput, sums, points, .. } = found;
        let world = self.group.batch.world;
        let point = vertex.surface.point;
        let window = self.group.window(sample);
        let Some(sight) = world.camera.sight(point, window.aspect(), lens) else { return };
        let towards = -sight.direction;
        // The value includes the cosine that converts the pdf to one per area.
        let scattering = vertex.evaluate_power(towards);
        let per_area = sight.pdf / (sight.distance * sight.distance);
        let radiance = *throughput * scattering.value * per_area;
        if radiance == Vec3A::ZERO {
            return;
        }
        let cos = vertex.cos_of(towards);
        let fewer = sums.total(per_area * cos, vertex.reverse_pdf(towards));
        let contribution = Contribution {
            at: self.group.samples.start + sample,
            strategy: Strategy { light: *points, camera: 1 },
            radiance,
            weight: (1.0 / (1.0 + fewer)) as f32,
            pixel: Some((sight.at * window.size).as_uvec2()),
        };
        let start = vertex.start_towards(towards);
        if !world.has_hidden_lights() {
            self.connections.add(Ray::between(start, sight.origin), contribution);
            return;
        }
        self.connections.traced += 1;
        if !world.is_hidden_between(start, sight.origin) {
            self.connections.sink.take(&contribution);
        }
    }
}

impl LightPath {
    /// Continues the subpath; returns whether it goes on.
    fn scatter(
        &mut self,
        vertex: &Vertex<'_>,
        numbers: &VertexNumbers,
        russian_roulette: bool,
    ) -> bool {
        let [u, v, choice, _] = numbers.scattering;
        let Some(sample) = vertex.bsdf.sample(vertex.wo, vertex.outside, [u, v, choice]) else {
            return false;
        };
        let Some(next) = vertex.ray_along(&sample) else { return false };
        // Importance, unlike radiance, is not scaled by the squared index on the way into glass.
        let adjoint = vertex.adjoint(next.direction, sample.wi);
        self.throughput *= sample.weight * (sample.eta_squared * adjoint);
        self.sums = match sample.pdf {
            None => self.sums.mirrored(vertex.cos, sample.eta_squared),
            Some(pdf) => {
                let reverse = vertex.reverse_pdf_of(sample.wi);
                self.sums.scattered(vertex.cos_of(next.direction), pdf, reverse)
            }
        };
        self.scatterings += u32::from(sample.pdf.is_some());
        let brightest = self.throughput.max_element();
        let so_far = (self.points, self.scatterings);
        let roulette = || roulette_number(vertex.bsdf, &sample, numbers);
        if russian_roulette && !goes_on(&mut self.throughput, so_far, brightest, roulette) {
            return false;
        }
        self.ray = next;
        self.medium = vertex.medium_after(&sample);
        self.points += 1;
        self.throughput != Vec3A::ZERO
    }
}

/// A camera subpath can hit area lights and the sky, but no point lights.
fn sums_of_start(emitted: &Emitted) -> Sums {
    let before = match emitted.start {
        End::Point(_) => 0.0,
        End::Surface(_) | End::Infinity => power(emitted.cos / emitted.pdf),
    };
    Sums { next: 0.0, before }
}

/// The strategy with all vertices but the light from the camera is next-event estimation, whose
/// pdf depends on the first vertex it starts from.
fn sums_of_first_bend(world: &World, path: &LightPath, vertex: &Vertex<'_>, distance: f32) -> Sums {
    let (cos, emitted) = (vertex.cos, &path.emitted);
    let turned = path.sums.turned(cos);
    if vertex.bsdf.is_specular() {
        return turned;
    }
    let (lights, receiver) = (world.lights(), vertex.receiver());
    let chance = lights.chance(&receiver, emitted.source);
    // The ratio of the pdfs of light sampling and of emission, per area of the vertex.
    let ratio = match emitted.start {
        End::Point(_) => distance * distance,
        End::Infinity => lights.environment.pdf(&receiver, -emitted.ray.direction),
        End::Surface(surface) => {
            let towards = -emitted.ray.direction;
            let place = (&surface, emitted.part);
            lights.pdf(emitted.source, receiver.point, place, towards) * emitted.cos
        }
    };
    Sums { next: power(chance * ratio / (emitted.pdf * cos)), ..turned }
}
