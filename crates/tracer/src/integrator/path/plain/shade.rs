//! Vertices of many paths in vector registers: direct light and the next rays.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, mask32x16};

use super::paths::{Paths, Vertices};
use crate::bsdf::SimpleLanes;
use crate::integrator::roulette::chances_to_survive;
use crate::integrator::vertex_numbers::NumbersOfVertices;
use crate::lane_mask::lanes_of;
use crate::light::{Known, LightSamples, Receivers};
use crate::primitive::Sphere;
use crate::ray::{LANES, Ray};
use crate::ray_lanes::{Vectors, dot};
use crate::sampler::Numbers;
use crate::settings::{DirectLighting, RenderSettings};
use crate::shading::ShadingLanes;
use crate::vector::lanes::{
    Stored, StoredVectors, abs, add, balance_heuristic, bits_of, each, load, load_vectors, mask_of,
    max_element, multiply, negate, power_heuristic, scale, select, store, store_vectors, subtract,
};
use crate::world::World;

/// What vertices are shaded in.
pub(super) struct Shade<'a, K> {
    pub(super) world: &'a World,
    pub(super) settings: &'a RenderSettings,
    pub(super) known: K,
}

/// Rays to lights and the light that arrives along them if nothing is in between.
pub(super) struct ShadowRays {
    /// The lanes of their paths.
    pub(super) lanes: Vec<usize>,
    pub(super) rays: [Ray; LANES],
    pub(super) distances: Stored,
    /// By the lanes of the paths.
    pub(super) light: StoredVectors,
}

impl ShadowRays {
    /// None; any ray fills the free lanes.
    pub(super) fn new(any: Ray) -> Self {
        Self {
            lanes: Vec::with_capacity(LANES),
            rays: [any; LANES],
            distances: [0.0; LANES],
            light: [[0.0; LANES]; 3],
        }
    }
}

/// Vertices in registers; see [`Vertex`](crate::integrator::vertex::Vertex).
struct VertexLanes<'a, S: Simd> {
    bsdfs: &'a SimpleLanes,
    point: Vectors<S>,
    /// From the point off the surface, on the side of the normal.
    offset: Vectors<S>,
    outside: mask32x16<S>,
    facing: Vectors<S>,
    shading: ShadingLanes<S>,
    wo: Vectors<S>,
}

impl<'a, S: Simd> VertexLanes<'a, S> {
    #[inline(always)]
    fn new(simd: S, vertices: &'a Vertices, paths: &Paths) -> Self {
        let zero = f32x16::splat(simd, 0.0);
        let mut point = load_vectors(simd, &vertices.point);
        let mut error = load_vectors(simd, &vertices.error);
        let mut normal = load_vectors(simd, &vertices.normal);
        let mut shading = load_vectors(simd, &vertices.shading);
        let direction = load_vectors(simd, &paths.ray_directions);
        if vertices.on_spheres != 0 {
            let on_sphere = mask_of(simd, vertices.on_spheres);
            let sphere = (&load_vectors(simd, &vertices.center), load(simd, &vertices.radius));
            let along = scale(&direction, load(simd, &vertices.distance));
            let hit = add(&load_vectors(simd, &paths.ray_origins), &along);
            let [of_sphere, its_error, its_normal] = Sphere::surfaces_at(simd, sphere, &hit);
            point = select(on_sphere, &of_sphere, &point);
            error = select(on_sphere, &its_error, &error);
            normal = select(on_sphere, &its_normal, &normal);
            shading = select(on_sphere, &its_normal, &shading);
        }
        let outside = dot(&normal, &direction).simd_lt(zero);
        let facing = select(outside, &normal, &negate(&normal));
        let towards = negate(&direction);
        let shading = ShadingLanes::new(simd, &facing, &shading, &towards);
        let [x, y, z] = shading.frames.to_local(&towards);
        let off = dot(&abs(&normal), &error);
        Self {
            bsdfs: &vertices.bsdfs,
            point,
            offset: scale(&normal, off),
            outside,
            facing,
            shading,
            wo: [x, y, z.max(zero)],
        }
    }

    /// The origins of rays that leave on the side of the previous vertex, or behind it.
    #[inline(always)]
    fn start(&self, behind: mask32x16<S>) -> Vectors<S> {
        let along = (behind & !self.outside) | (!behind & self.outside);
        let offset = select(along, &self.offset, &negate(&self.offset));
        add(&self.point, &offset)
    }
}

impl<K: Known> Shade<'_, K> {
    /// Samples direct light and the next rays at the vertices that were met; returns a bit mask of the paths that go on.
    #[inline(always)]
    pub(super) fn scatter<S: Simd>(
        &self,
        simd: S,
        paths: &mut Paths,
        vertices: &Vertices,
        numbers: &NumbersOfVertices,
        shadows: &mut ShadowRays,
    ) -> u32 {
        shadows.lanes.clear();
        if vertices.met == 0 {
            return 0;
        }
        let vertex = VertexLanes::new(simd, vertices, paths);
        let numbers = [three(simd, &numbers.scattering), three(simd, &numbers.light)];
        let lit = vertices.met & !vertices.bsdfs.specular();
        let mut sky_chance = f32x16::splat(simd, 0.0);
        if lit != 0 {
            let samples = self.sample_lights(simd, &vertex, lit, &numbers);
            self.add_direct_light(simd, paths, &vertex, &samples, shadows);
            sky_chance = samples.sky_chance;
        }
        let going_on = self.leave(simd, paths, &vertex, vertices.met, &numbers);
        store_vectors(&vertex.point, &mut paths.origin.point);
        store_vectors(&vertex.facing, &mut paths.origin.normal);
        store(sky_chance, &mut paths.origin.sky_chance);
        paths.origin.has_pdf = lit;
        paths.origin.samples_sky = vertices.bsdfs.matte();
        paths.from_camera &= !going_on;
        going_on
    }

    /// Samples a light for each of the vertices `lit`.
    #[inline(always)]
    fn sample_lights<S: Simd>(
        &self,
        simd: S,
        vertex: &VertexLanes<'_, S>,
        lit: u32,
        [scattering, light]: &[[f32x16<S>; 3]; 2],
    ) -> LightSamples<S> {
        let receivers = Receivers {
            point: vertex.point,
            normal: vertex.facing,
            samples_sky: vertex.bsdfs.matte(),
            lanes: lit,
            known: self.known,
        };
        // Around the normal opposite to the scattered ray of a matte surface, as in `Lane::follow`.
        let of_sky = [1.0 - scattering[0], 1.0 - scattering[1]];
        let of_light = [light[0], light[1]];
        self.world.lights().sample_many(simd, &receivers, light[2], [of_light, of_sky])
    }

    /// Samples the next rays of the paths with a vertex, those of the bit mask `met`; returns which go on.
    #[inline(always)]
    fn leave<S: Simd>(
        &self,
        simd: S,
        paths: &mut Paths,
        vertex: &VertexLanes<'_, S>,
        met: u32,
        [scattering, light]: &[[f32x16<S>; 3]; 2],
    ) -> u32 {
        let sample = vertex.bsdfs.sample(simd, &vertex.wo, vertex.outside, *scattering);
        let specular = vertex.bsdfs.specular();
        let is_specular = mask_of(simd, specular);
        for lane in lanes_of(met & !specular) {
            paths.scatterings[lane] += 1;
        }
        let throughput = multiply(&load_vectors(simd, &paths.throughput), &sample.weight);
        let eta_squared = load(simd, &paths.eta_squared) * sample.eta_squared;
        // As `roulette_number`.
        let roulette = is_specular.select(light[2], scattering[2]);
        let (throughput, survives) = self.survive(simd, paths, throughput, eta_squared, roulette);
        let (direction, agrees) = vertex.shading.leave(simd, &sample.wi, is_specular);
        let start = vertex.start(sample.wi[2].simd_lt(f32x16::splat(simd, 0.0)));
        store_vectors(&throughput, &mut paths.throughput);
        store(eta_squared, &mut paths.eta_squared);
        store(sample.pdf, &mut paths.origin.pdf);
        store_vectors(&start, &mut paths.ray_origins);
        store_vectors(&direction, &mut paths.ray_directions);
        let (starts, directions) = (each(simd, &start), each(simd, &direction));
        for ((ray, start), direction) in paths.rays.iter_mut().zip(starts).zip(directions) {
            *ray = Ray::new(start, direction);
        }
        met & bits_of(sample.exists & survives & agrees)
    }

    /// Adds light that nothing can block, and gives shadow rays for the rest.
    #[inline(always)]
    fn add_direct_light<S: Simd>(
        &self,
        simd: S,
        paths: &mut Paths,
        vertex: &VertexLanes<'_, S>,
        samples: &LightSamples<S>,
        shadows: &mut ShadowRays,
    ) {
        let zero = f32x16::splat(simd, 0.0);
        let local = vertex.shading.frames.to_local(&samples.direction);
        let (value, scattering_pdf) = vertex.bsdfs.evaluate(simd, &vertex.wo, &local);
        let agrees = vertex.shading.agree(simd, local[2], &samples.direction);
        let weight = self.weight_of_lights(simd, samples, scattering_pdf);
        let arriving = scale(&multiply(&value, &samples.radiance), weight);
        let shines =
            !(arriving[0].simd_eq(zero) & arriving[1].simd_eq(zero) & arriving[2].simd_eq(zero));
        let lanes = samples.lanes & bits_of(shines & agrees);
        let throughput = load_vectors(simd, &paths.throughput);
        let light = if self.world.has_transparent_shadows() {
            // What is left of it is not known yet, nor how many edges it takes.
            multiply(&throughput, &arriving)
        } else {
            self.contribution(simd, &throughput, &arriving, &paths.edges, 1)
        };
        store_vectors(&light, &mut shadows.light);
        let start = vertex.start(mask_of(simd, 0));
        let way = subtract(&samples.end, &start);
        let distance = dot(&way, &way).sqrt();
        let of_sky = mask_of(simd, samples.of_sky);
        let direction = select(of_sky, &samples.direction, &scale(&way, 1.0 / distance));
        let distance = of_sky.select(f32x16::splat(simd, f32::INFINITY), distance);
        let (starts, directions) = (each(simd, &start), each(simd, &direction));
        for lane in lanes_of(lanes) {
            paths.traced[lane] += 1;
            if distance[lane] > 0.0 {
                let at = shadows.lanes.len() % LANES;
                shadows.rays[at] = Ray::new(starts[lane % LANES], directions[lane % LANES]);
                shadows.distances[at] = distance[lane];
                shadows.lanes.push(lane);
            } else {
                // Both ends are at one place: nothing is in between.
                for (radiance, light) in paths.radiance.iter_mut().zip(&shadows.light) {
                    radiance[lane] += light[lane];
                }
            }
        }
    }

    /// The MIS weights of light samples over their pdfs.
    #[inline(always)]
    fn weight_of_lights<S: Simd>(
        &self,
        simd: S,
        samples: &LightSamples<S>,
        scattering_pdf: f32x16<S>,
    ) -> f32x16<S> {
        let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
        let weight = match self.settings.direct_lighting {
            DirectLighting::Bsdf => zero,
            DirectLighting::Lights => one / samples.pdf,
            DirectLighting::Mis => {
                let mut weight = power_heuristic(samples.pdf, scattering_pdf);
                if let Some(advantage) = self.advantage_at_sky()
                    && samples.of_sky != 0
                {
                    let at_sky = balance_heuristic(samples.pdf, scattering_pdf * advantage);
                    weight = mask_of(simd, samples.of_sky).select(at_sky, weight);
                }
                weight / samples.pdf
            }
        };
        mask_of(simd, samples.of_points).select(one, weight)
    }

    /// Russian roulette by the throughputs: those that go on, and which do.
    #[inline(always)]
    fn survive<S: Simd>(
        &self,
        simd: S,
        paths: &Paths,
        throughput: Vectors<S>,
        eta_squared: f32x16<S>,
        roulette: f32x16<S>,
    ) -> (Vectors<S>, mask32x16<S>) {
        let zero = f32x16::splat(simd, 0.0);
        let brightest = max_element(&throughput) * eta_squared;
        let is_bright = !brightest.simd_eq(zero);
        if !self.settings.russian_roulette {
            return (throughput, is_bright);
        }
        let (takes_part, chance) =
            chances_to_survive(simd, &paths.edges, &paths.scatterings, brightest);
        let brighter = takes_part.select(1.0 / chance, f32x16::splat(simd, 1.0));
        let survives = !takes_part | roulette.simd_lt(chance);
        (scale(&throughput, brighter), is_bright & survives)
    }
}

/// The first three numbers of a set.
#[inline(always)]
fn three<S: Simd>(simd: S, numbers: &Numbers) -> [f32x16<S>; 3] {
    [
        load(simd, numbers.of_dimension(0)),
        load(simd, numbers.of_dimension(1)),
        load(simd, numbers.of_dimension(2)),
    ]
}
