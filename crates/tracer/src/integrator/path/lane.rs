//! One of the paths that are followed side by side.

use super::{Origin, Passage, Path, ShadowRay};
use crate::bsdf::{Scatters, ShadingArena};
use crate::integrator::batch::Batch;
use crate::integrator::medium::Medium;
use crate::integrator::roulette::roulette_number;
use crate::integrator::scene_features::SceneFeatures;
use crate::integrator::vertex::Vertex;
use crate::integrator::vertex_numbers::VertexNumbers;
use crate::integrator::window::PathResult;
use crate::light::Receiver;
use crate::primitive::Intersection;
use crate::ray::Ray;
use crate::sampler::Sampler;
use crate::world::Hit;

/// How a path begins.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub(super) sampler: Sampler,
    pub(super) ray: Ray,
    pub(super) first: FirstHit,
}

/// What a ray hits first: the index of a body.
#[derive(Clone, Copy)]
pub(super) enum FirstHit {
    Unknown,
    Known(Option<(usize, Intersection)>),
}

/// A path and the ray that continues it.
pub(super) struct Lane<'a, S: SceneFeatures> {
    pub(super) path: Path<'a, S>,
    pub(super) ray: Ray,
    pub(super) first: FirstHit,
    pub(super) origin: Origin<S>,
    /// Radiance in glass is scaled by the squared index; roulette must not count that as brightness.
    pub(super) eta_squared: f32,
    pub(super) medium: Medium,
    /// Whether the ray is in a closed shape, which fog does not fill; only tracked in fog.
    pub(super) inside: bool,
    /// Whether nothing has changed the direction of the ray since the camera.
    pub(super) is_from_camera: bool,
    /// The place of the sample in its batch.
    pub(super) at: usize,
}

impl<'a, S: SceneFeatures> Lane<'a, S> {
    /// The path of the sample `at`.
    pub(super) fn new(
        batch: &'a Batch<'a>,
        features: S,
        at: usize,
        Start { sampler, ray, first }: Start,
    ) -> Self {
        let receiver = Receiver::in_air(ray.origin, ray.direction);
        Self {
            path: Path::new(batch.world, batch.settings, sampler, features),
            ray,
            first,
            origin: Origin { receiver, place: S::AIR, pdf: None },
            eta_squared: 1.0,
            medium: Medium::AIR,
            inside: false,
            is_from_camera: true,
            at,
        }
    }

    /// The random numbers of the sample and the first set of those of the next vertex.
    pub(super) fn numbers(&self) -> (Sampler, u32) {
        (self.path.sampler, S::SETS * self.path.edges + 1)
    }

    pub(super) fn add(&mut self, light: &ShadowRay) {
        self.path.radiance += light.contribution;
    }

    pub(super) fn result(&self) -> PathResult {
        self.path.result()
    }

    /// Follows the ray to what it hits, and returns whether the path goes on from there along another.
    /// `shadow` gets the ray to the light that was sampled.
    #[inline(always)]
    pub(super) fn follow(
        &mut self,
        hit: Option<Hit<'_>>,
        numbers: &VertexNumbers,
        arena: &ShadingArena,
        shadow: &mut Option<ShadowRay>,
    ) -> bool {
        let (path, ray, inside) = (&mut self.path, self.ray, self.inside);
        path.edges += 1;
        path.rays += 1;
        let distance = hit.as_ref().map_or(f32::INFINITY, |hit| hit.distance);
        match path.pass_air(&ray, distance, inside, arena) {
            Passage::Clear => {}
            Passage::Ended => return false,
            Passage::Scattered(next, from) => {
                (self.ray, self.origin) = (next, from);
                self.is_from_camera = false;
                return true;
            }
        }
        let Some(mut hit) = hit else {
            path.meet_sky(ray.direction, &self.origin);
            return false;
        };
        if let Some(left) = self.medium.left_after(distance) {
            path.throughput *= left;
        }
        let Some(bsdf) = path.meet(&mut hit, ray.direction, &self.origin, arena) else {
            return false;
        };
        if path.edges == path.settings.max_depth {
            return false;
        }
        let vertex = Vertex::new(hit.surface, bsdf, ray.direction, self.medium);
        let receiver = vertex.receiver();
        if !bsdf.is_specular() {
            let [u, v, choice, _] = numbers.light;
            // Around the normal opposite to the scattered ray of a matte surface: where one finds the sky blocked, the
            // other often does not.
            let of_sky = [numbers.scattering[0], numbers.scattering[1]].map(|number| 1.0 - number);
            let of_light = [u, v, choice];
            *shadow =
                path.add_direct_light(&vertex, &receiver, (of_light, of_sky), (arena, inside));
        }
        let [u, v, choice, _] = numbers.scattering;
        let Some(sample) = bsdf.sample(vertex.wo, vertex.outside, [u, v, choice]) else {
            return false;
        };
        path.throughput *= sample.weight;
        self.eta_squared *= sample.eta_squared;
        path.scatterings += u32::from(sample.pdf.is_some());
        let roulette = || roulette_number(vertex.bsdf, &sample, numbers);
        if !path.survives(self.eta_squared, roulette) {
            return false;
        }
        let Some(next) = vertex.ray_along(&sample) else { return false };
        self.ray = next;
        self.medium = vertex.medium_after(&sample);
        if path.features.fog().is_some() && vertex.is_crossed_by(&sample) {
            self.inside = vertex.outside;
        }
        // Light sampling finds lights through transparent surfaces, so the previous vertex stays the origin.
        if !(path.world.has_transparent_shadows() && sample.goes_straight()) {
            self.origin = Origin { receiver, place: S::SURFACE, pdf: sample.pdf };
            self.is_from_camera = false;
        }
        true
    }
}
