//! The light subpath.

use glam::Vec3A;

use super::strategy::{Sink, Strategy};
use super::weights::{Sums, power};
use crate::bsdf::{Scatters, ShadingArena};
use crate::integrator::Window;
use crate::integrator::medium::Medium;
use crate::integrator::roulette::{chance_to_survive, roulette_number};
use crate::integrator::vertex::Vertex;
use crate::light::{Anything, Emitted, End};
use crate::sampler::Sampler;
use crate::settings::RenderSettings;
use crate::world::World;

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
}

/// Traces a light subpath and connects every vertex to the camera.
pub(super) struct LightPath<'a, 'world> {
    pub(super) world: &'world World,
    pub(super) settings: &'a RenderSettings,
    pub(super) window: &'a Window,
    pub(super) sampler: Sampler,
    /// Rays traced so far.
    pub(super) rays: u32,
}

impl<'world> LightPath<'_, 'world> {
    /// Replaces `vertices` by those of a new subpath.
    pub(super) fn trace(
        &mut self,
        arena: &'world ShadingArena,
        vertices: &mut Vec<LightVertex<'world>>,
        sink: &mut impl Sink,
    ) {
        vertices.clear();
        // The longest path has at least one edge to the camera.
        if self.settings.max_depth < 2 {
            return;
        }
        let [choice, x, y] = self.sampler.first(0);
        let Some(emitted) = self.world.lights().emit(choice, [x, y], self.sampler.first(1)) else {
            return;
        };
        let mut ray = emitted.ray;
        let mut throughput = Vec3A::ONE;
        let mut sums = self.sums_of_start(&emitted);
        let mut scatterings = 0;
        let mut medium = Medium::AIR;
        for points in 2..=self.settings.max_depth {
            self.rays += 1;
            let Some(mut hit) = self.world.intersect(&ray) else { return };
            if let Some(left) = medium.left_after(hit.distance) {
                throughput *= left;
            }
            let Some(bsdf) = hit.bsdf(arena) else { return };
            let vertex = Vertex::new(hit.surface, bsdf, ray.direction, medium);
            let cos = vertex.cos;
            if cos == 0.0 {
                return;
            }
            sums = match points {
                2 => self.sums_of_first_bend(&emitted, &vertex, hit.distance, sums),
                _ => sums.arriving(hit.distance, cos),
            };
            let set = SETS_OF_START + 2 * (points - 2);
            if !bsdf.is_specular() {
                let throughput = throughput * emitted.weight;
                let found = LightVertex { vertex: vertex.clone(), throughput, sums, points };
                let lens = self.sampler.first(set + 1);
                self.join_camera(&found, lens, sink);
                vertices.push(found);
            }
            let [u, v, choice] = self.sampler.first(set);
            let Some(sample) = bsdf.sample(vertex.wo, vertex.outside, [u, v, choice]) else {
                return;
            };
            let Some(next) = vertex.ray_along(&sample) else { return };
            // Importance, unlike radiance, is not scaled by the squared index on the way into
            // glass.
            let adjoint = vertex.adjoint(next.direction, sample.wi);
            throughput *= sample.weight * (sample.eta_squared * adjoint);
            sums = match sample.pdf {
                None => sums.mirrored(cos, sample.eta_squared),
                Some(pdf) => {
                    let reverse = vertex.reverse_pdf_of(sample.wi);
                    sums.scattered(vertex.cos_of(next.direction), pdf, reverse)
                }
            };
            scatterings += u32::from(sample.pdf.is_some());
            if self.settings.russian_roulette {
                let brightest = throughput.max_element();
                if let Some(chance) = chance_to_survive(points, scatterings, brightest) {
                    let roulette = roulette_number(bsdf, &sample, choice, |of, which| {
                        self.sampler.first::<4>(set + of)[which]
                    });
                    if roulette >= chance {
                        return;
                    }
                    throughput /= chance;
                }
            }
            if throughput == Vec3A::ZERO {
                return;
            }
            ray = next;
            medium = vertex.medium_after(&sample);
        }
    }

    /// A camera subpath can hit area lights and the sky, but no point lights.
    fn sums_of_start(&self, emitted: &Emitted) -> Sums {
        let before = match emitted.start {
            End::Point(_) => 0.0,
            End::Surface(_) | End::Infinity => power(emitted.cos / emitted.pdf),
        };
        Sums { next: 0.0, before }
    }

    /// The strategy with all vertices but the light from the camera is next-event estimation, whose
    /// pdf depends on the first vertex it starts from.
    fn sums_of_first_bend(
        &self,
        emitted: &Emitted,
        vertex: &Vertex<'_>,
        distance: f32,
        start: Sums,
    ) -> Sums {
        let cos = vertex.cos;
        let turned = start.turned(cos);
        if vertex.bsdf.is_specular() {
            return turned;
        }
        let (lights, receiver) = (self.world.lights(), vertex.receiver(Anything));
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

    /// Connects a vertex to the camera.
    fn join_camera(&mut self, found: &LightVertex<'_>, lens: [f32; 2], sink: &mut impl Sink) {
        let LightVertex { vertex, throughput, sums, points } = found;
        let point = vertex.surface.point;
        let Some(sight) = self.world.camera.sight(point, self.window.aspect(), lens) else {
            return;
        };
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
        self.rays += 1;
        let start = vertex.start_towards(towards);
        if self.world.is_hidden_between(start, sight.origin) {
            return;
        }
        let pixel = (sight.at * self.window.size).as_uvec2();
        let strategy = Strategy { light: *points, camera: 1 };
        sink.take(strategy, radiance, (1.0 / (1.0 + fewer)) as f32, Some(pixel));
    }
}
