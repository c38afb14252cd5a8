//! The paths that are followed side by side, and where they have arrived.

use glam::Vec3A;

use crate::bsdf::{Simple, SimpleLanes};
use crate::integrator::medium::Medium;
use crate::integrator::path::lane::{FirstHit, Start};
use crate::integrator::window::PathResult;
use crate::light::{Known, Receiver};
use crate::primitive::{Intersection, Primitive};
use crate::ray::{LANES, Ray, SurfacePoint};
use crate::sampler::Sampler;
use crate::vector::lanes::{Stored, StoredVectors, set_vector, vector_of};

/// Paths under way, by what they have.
pub(super) struct Paths {
    /// A bit mask of the lanes with a path.
    pub(super) active: u32,
    /// A bit mask of those whose rays come from the camera.
    pub(super) from_camera: u32,
    /// The places of their samples in the batch.
    pub(super) at: [usize; LANES],
    pub(super) samplers: [Sampler; LANES],
    pub(super) rays: [Ray; LANES],
    /// The same.
    pub(super) ray_origins: StoredVectors,
    pub(super) ray_directions: StoredVectors,
    pub(super) first: [FirstHit; LANES],
    /// Edges from the camera so far.
    pub(super) edges: [u32; LANES],
    /// Non-specular bounces so far.
    pub(super) scatterings: [u32; LANES],
    /// Rays traced so far.
    pub(super) traced: [u32; LANES],
    pub(super) radiance: StoredVectors,
    pub(super) throughput: StoredVectors,
    /// Radiance in glass is scaled by the squared index; roulette must not count that as brightness.
    pub(super) eta_squared: Stored,
    /// What the rays are in; air but after vertices that are shaded one by one.
    pub(super) medium: [Medium; LANES],
    pub(super) origin: Origins,
}

/// The previous vertices of paths.
pub(super) struct Origins {
    pub(super) point: StoredVectors,
    pub(super) normal: StoredVectors,
    /// The pdfs of the rays by scattering, per steradian.
    pub(super) pdf: Stored,
    /// A bit mask of the lanes with a pdf: where light sampling could have found the same light.
    pub(super) has_pdf: u32,
    /// A bit mask of those at which even a smooth sky is sampled.
    pub(super) samples_sky: u32,
    /// A bit mask of those that were shaded one by one: their `sky_chance` is not known.
    pub(super) single: u32,
    /// A bit mask of those that receive light on both sides.
    pub(super) both_sides: u32,
    /// The probability with which the sky was chosen.
    pub(super) sky_chance: Stored,
}

impl Paths {
    /// With the path of the sample `at` in the first lane.
    pub(super) fn new(at: usize, start: Start) -> Self {
        let (none, zero) = ([0.0; LANES], [[0.0; LANES]; 3]);
        let mut paths = Self {
            active: 0,
            from_camera: 0,
            at: [at; LANES],
            samplers: [start.sampler; LANES],
            rays: [start.ray; LANES],
            ray_origins: zero,
            ray_directions: zero,
            first: [FirstHit::Unknown; LANES],
            edges: [0; LANES],
            scatterings: [0; LANES],
            traced: [0; LANES],
            radiance: zero,
            throughput: zero,
            eta_squared: none,
            medium: [Medium::AIR; LANES],
            origin: Origins {
                point: zero,
                normal: zero,
                pdf: none,
                has_pdf: 0,
                samples_sky: 0,
                single: 0,
                both_sides: 0,
                sky_chance: none,
            },
        };
        paths.begin(0, at, start);
        paths
    }

    /// Begins the path of the sample `at`.
    pub(super) fn begin(&mut self, lane: usize, at: usize, Start { sampler, ray, first }: Start) {
        self.active |= 1 << lane;
        self.from_camera |= 1 << lane;
        self.origin.has_pdf &= !(1 << lane);
        self.origin.single &= !(1 << lane);
        self.medium[lane] = Medium::AIR;
        (self.at[lane], self.samplers[lane]) = (at, sampler);
        (self.rays[lane], self.first[lane]) = (ray, first);
        (self.edges[lane], self.scatterings[lane], self.traced[lane]) = (0, 0, 0);
        set_vector(&mut self.ray_origins, lane, ray.origin);
        set_vector(&mut self.ray_directions, lane, ray.direction);
        set_vector(&mut self.radiance, lane, Vec3A::ZERO);
        set_vector(&mut self.throughput, lane, Vec3A::ONE);
        self.eta_squared[lane] = 1.0;
    }

    pub(super) fn result(&self, lane: usize) -> PathResult {
        let radiance = vector_of(&self.radiance, lane);
        let rejected = !radiance.is_finite();
        let radiance = if rejected { Vec3A::ZERO } else { radiance };
        PathResult { radiance, rays: self.traced[lane], rejected }
    }

    /// The pdf of the ray by scattering; `None` where light sampling could not have found the same light.
    pub(super) fn pdf_of(&self, lane: usize) -> Option<f32> {
        (self.origin.has_pdf >> lane & 1 == 1).then(|| self.origin.pdf[lane])
    }

    /// The previous vertex as a point to sample lights for.
    pub(super) fn receiver<K: Known>(&self, lane: usize, known: K) -> Receiver<K> {
        Receiver {
            point: vector_of(&self.origin.point, lane),
            normal: vector_of(&self.origin.normal, lane),
            samples_sky: self.origin.samples_sky >> lane & 1 == 1,
            both_sides: false,
            known,
        }
    }

    /// Adds what a ray has hit.
    pub(super) fn add(&mut self, lane: usize, radiance: Vec3A, clamp_indirect: Option<f32>) {
        let mut contribution = vector_of(&self.throughput, lane) * radiance;
        if let Some(limit) = clamp_indirect
            && self.edges[lane] > 2
        {
            contribution = contribution.min(Vec3A::splat(limit));
        }
        let sum = vector_of(&self.radiance, lane) + contribution;
        set_vector(&mut self.radiance, lane, sum);
    }
}

/// Where rays have hit surfaces that scatter light.
#[derive(Default)]
pub(super) struct Vertices {
    /// A bit mask of the lanes that have one.
    pub(super) met: u32,
    /// A bit mask of those that have left the world.
    pub(super) missed: u32,
    /// A bit mask of those on spheres, of which there is no surface point but where they are hit.
    pub(super) on_spheres: u32,
    pub(super) center: StoredVectors,
    pub(super) radius: Stored,
    pub(super) distance: Stored,
    /// See [`SurfacePoint`].
    pub(super) point: StoredVectors,
    pub(super) error: StoredVectors,
    pub(super) normal: StoredVectors,
    pub(super) shading: StoredVectors,
    pub(super) bsdfs: SimpleLanes,
}

impl Vertices {
    pub(super) fn clear(&mut self) {
        (self.met, self.missed, self.on_spheres) = (0, 0, 0);
        self.bsdfs.clear();
    }

    /// The vertex where a ray hits a body.
    #[inline(always)]
    pub(super) fn set(
        &mut self,
        lane: usize,
        (primitive, intersection): (&Primitive, Intersection),
        ray: &Ray,
        bsdf: &Simple,
    ) {
        if let Primitive::Sphere(sphere) = primitive {
            self.met |= 1 << lane;
            self.on_spheres |= 1 << lane;
            set_vector(&mut self.center, lane, sphere.center);
            self.radius[lane % LANES] = sphere.radius;
            self.distance[lane % LANES] = intersection.distance;
            self.bsdfs.set(lane, bsdf);
        } else {
            self.set_surface(lane, &primitive.surface_at(ray, intersection), bsdf);
        }
    }

    #[inline(always)]
    pub(super) fn set_surface(&mut self, lane: usize, surface: &SurfacePoint, bsdf: &Simple) {
        self.met |= 1 << lane;
        set_vector(&mut self.point, lane, surface.point);
        set_vector(&mut self.error, lane, surface.error);
        set_vector(&mut self.normal, lane, surface.normal);
        set_vector(&mut self.shading, lane, surface.shading);
        self.bsdfs.set(lane, bsdf);
    }
}
