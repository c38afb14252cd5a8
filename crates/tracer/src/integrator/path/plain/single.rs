//! Vertices of worlds that are not plain everywhere: what a path meets there is shaded by itself, as in a
//! [stream](super::super::stream).

use glam::Vec3A;

use super::paths::Paths;
use super::shade::ShadowRays;
use crate::bsdf::ShadingArena;
use crate::integrator::batch::Batch;
use crate::integrator::path::lane::{FirstHit, Lane};
use crate::integrator::path::{Origin, Path, ShadowRay};
use crate::integrator::scene_features::Clear;
use crate::integrator::transparent_shadows::transmittance;
use crate::integrator::vertex_numbers::NumbersOfVertices;
use crate::light::{Anything, Receiver};
use crate::ray::LANES;
use crate::vector::lanes::{set_vector, vector_of};
use crate::world::Hit;

/// A path that was shaded by itself. The others overwrite what is in its lane, so it is kept until they are shaded.
struct SinglePath<'a> {
    lane: usize,
    path: Lane<'a, Clear>,
    goes_on: bool,
    shadow: Option<ShadowRay>,
}

/// Those of one edge.
pub(super) struct SinglePaths<'a>(Vec<SinglePath<'a>>);

impl<'a> SinglePaths<'a> {
    pub(super) fn new() -> Self {
        Self(Vec::with_capacity(LANES))
    }

    /// Follows the ray of a path to what it hits.
    #[inline(never)]
    pub(super) fn follow(
        &mut self,
        (paths, lane): (&Paths, usize),
        batch: &'a Batch<'a>,
        hit: Option<Hit<'_>>,
        (numbers, arena): (&NumbersOfVertices, &ShadingArena),
    ) {
        let mut path = paths.lane(lane, batch);
        let mut shadow = None;
        let goes_on = path.follow(hit, &numbers.of_lane(lane), arena, &mut shadow);
        self.0.push(SinglePath { lane, path, goes_on, shadow });
    }

    /// Puts the paths back among the others; returns a bit mask of those that go on.
    pub(super) fn put_back(&mut self, paths: &mut Paths, shadows: &mut ShadowRays) -> u32 {
        let mut going_on = 0;
        (paths.origin.single, paths.origin.both_sides) = (0, 0);
        for SinglePath { lane, path, goes_on, shadow } in self.0.drain(..) {
            paths.put(lane, &path);
            going_on |= u32::from(goes_on) << lane;
            if let Some(shadow) = shadow {
                shadows.add(lane, &shadow);
            }
        }
        going_on
    }
}

/// Adds the light that surfaces let through; each of them is one more edge, as it is for a path.
#[inline(never)]
pub(super) fn add_through_surfaces(
    batch: &Batch<'_>,
    paths: &mut Paths,
    shadows: &ShadowRays,
    arena: &ShadingArena,
) {
    let Batch { world, settings, .. } = *batch;
    for (at, &lane) in shadows.lanes.iter().enumerate() {
        let (ray, distance) = (shadows.rays[at], shadows.distances[at]);
        let end = distance.is_finite().then(|| ray.at(distance));
        let max_surfaces = settings.max_depth - paths.edges[lane] - 1;
        let left = transmittance(world, ray, end, arena, max_surfaces);
        paths.traced[lane] += left.surfaces;
        let mut light = vector_of(&shadows.light, lane) * left.share;
        if let Some(limit) = settings.clamp_indirect
            && paths.edges[lane] + 1 + left.surfaces > 2
        {
            light = light.min(Vec3A::splat(limit));
        }
        let radiance = vector_of(&paths.radiance, lane) + light;
        set_vector(&mut paths.radiance, lane, radiance);
    }
}

impl Paths {
    /// The path of a lane, whose edge to what it hits is counted already.
    fn lane<'a>(&self, lane: usize, batch: &'a Batch<'a>) -> Lane<'a, Clear> {
        let is_set = |mask: u32| mask >> lane & 1 == 1;
        let Batch { world, settings, .. } = *batch;
        let mut path = Path::new(world, settings, self.samplers[lane], Clear);
        path.radiance = vector_of(&self.radiance, lane);
        path.throughput = vector_of(&self.throughput, lane);
        path.edges = self.edges[lane] - 1;
        path.rays = self.traced[lane] - 1;
        path.scatterings = self.scatterings[lane];
        let receiver = Receiver {
            both_sides: is_set(self.origin.both_sides),
            ..self.receiver(lane, Anything)
        };
        Lane {
            path,
            ray: self.rays[lane],
            first: FirstHit::Unknown,
            origin: Origin { receiver, place: (), pdf: self.pdf_of(lane) },
            eta_squared: self.eta_squared[lane],
            medium: self.medium[lane],
            inside: false,
            is_from_camera: is_set(self.from_camera),
            at: self.at[lane],
        }
    }

    /// The opposite.
    fn put(&mut self, lane: usize, from: &Lane<'_, Clear>) {
        let Lane { path, ray, origin: Origin { receiver, pdf, .. }, .. } = from;
        let set =
            |mask: &mut u32, is_set: bool| *mask = *mask & !(1 << lane) | u32::from(is_set) << lane;
        set_vector(&mut self.radiance, lane, path.radiance);
        set_vector(&mut self.throughput, lane, path.throughput);
        (self.edges[lane], self.traced[lane]) = (path.edges, path.rays);
        self.scatterings[lane] = path.scatterings;
        self.eta_squared[lane] = from.eta_squared;
        self.medium[lane] = from.medium;
        self.rays[lane] = *ray;
        set_vector(&mut self.ray_origins, lane, ray.origin);
        set_vector(&mut self.ray_directions, lane, ray.direction);
        set(&mut self.from_camera, from.is_from_camera);
        let origin = &mut self.origin;
        set_vector(&mut origin.point, lane, receiver.point);
        set_vector(&mut origin.normal, lane, receiver.normal);
        origin.pdf[lane] = pdf.unwrap_or(0.0);
        set(&mut origin.has_pdf, pdf.is_some());
        set(&mut origin.samples_sky, receiver.samples_sky);
        set(&mut origin.both_sides, receiver.both_sides);
        set(&mut origin.single, true);
    }
}

impl ShadowRays {
    fn add(&mut self, lane: usize, shadow: &ShadowRay) {
        let at = self.lanes.len();
        (self.rays[at], self.distances[at]) = (shadow.ray, shadow.distance);
        set_vector(&mut self.light, lane, shadow.contribution);
        self.lanes.push(lane);
    }
}
