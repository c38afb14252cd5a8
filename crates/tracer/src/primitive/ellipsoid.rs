//! Ellipsoids.

use std::f64::consts::FRAC_PI_2;

use glam::{DMat3, DVec3};

use super::Intersection;
use crate::ray::{Ray, SurfacePoint};
use crate::sampling::cone;
use crate::vector::point;
use crate::vector::single;

/// Integration steps along each coordinate of an octant, for the area.
const AREA_STEPS: u32 = 256;
/// The maximum number of tries of rejection sampling by area, each of which succeeds with a
/// probability of at least one half.
const MAX_TRIES: u32 = 64;

/// An ellipsoid; its normals point outwards. In double precision. A ray is transformed to the space
/// where it is the unit sphere.
#[derive(Debug, Clone)]
pub(crate) struct Ellipsoid {
    center: DVec3,
    radii: DVec3,
    /// Columns: its own axes.
    to_world: DMat3,
}

impl Ellipsoid {
    pub(crate) fn new(shape: &scene::Ellipsoid) -> Self {
        let rows = scene::rotation_matrix(shape.rotation.get());
        Self {
            center: point(shape.center),
            radii: shape.radii.get().into(),
            to_world: DMat3::from_cols_array_2d(&rows).transpose(),
        }
    }

    /// Transforms a vector from the world to the space of the unit sphere.
    fn to_ball(&self, world: DVec3) -> DVec3 {
        self.to_world.transpose() * world / self.radii
    }

    /// As for a sphere: the discriminant comes from the offset perpendicular to the ray, and the
    /// sign of `c` alone tells inside from outside.
    #[inline(never)]
    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        let offset = self.to_ball(ray.origin.as_dvec3() - self.center);
        let direction = self.to_ball(ray.direction.as_dvec3());
        let a = direction.length_squared();
        let half_b = offset.dot(direction);
        let across = offset - direction * (half_b / a);
        let discriminant = a * (1.0 - across.length_squared());
        if discriminant < 0.0 {
            return None;
        }
        let c = offset.length_squared() - 1.0;
        let larger = -(half_b + discriminant.sqrt().copysign(half_b));
        let distance = match (c > 0.0, half_b < 0.0) {
            (true, false) => return None,
            (false, true) => larger / a,
            _ => c / larger,
        } as f32;
        (distance > 0.0 && distance < t_max).then_some(Intersection { distance, part: 0 })
    }

    pub(crate) fn surface_at(&self, ray: &Ray, intersection: Intersection) -> SurfacePoint {
        let along = ray.direction.as_dvec3() * f64::from(intersection.distance);
        let met = self.to_ball(ray.origin.as_dvec3() - self.center + along);
        self.surface(met.try_normalize().unwrap_or(DVec3::Y))
    }

    /// The point of the surface for the unit vector `unit` on the unit sphere.
    fn surface(&self, unit: DVec3) -> SurfacePoint {
        let place = self.center + self.to_world * (unit * self.radii);
        // Scaling by the shortest radius keeps the components near 1.
        let normal = self.to_world * (unit * (self.radii.min_element() / self.radii));
        let normal = normal.try_normalize().unwrap_or(DVec3::Y);
        SurfacePoint::new(single(place), single(normal), self.radii.max_element() as f32)
    }

    /// The area of the surface per solid angle of the unit sphere at `unit`, relative to the
    /// maximum.
    fn stretch(&self, unit: DVec3) -> f64 {
        (unit * (self.radii.min_element() / self.radii)).length()
    }

    /// The area by integration over an octant: there is no closed form.
    pub(super) fn area(&self) -> f32 {
        let at = |step: u32| (f64::from(step) + 0.5) / f64::from(AREA_STEPS);
        let mut sum = 0.0;
        for row in 0..AREA_STEPS {
            let height = at(row);
            let flat = (1.0 - height * height).sqrt();
            for column in 0..AREA_STEPS {
                let (sin, cos) = (FRAC_PI_2 * at(column)).sin_cos();
                sum += self.stretch(DVec3::new(flat * cos, flat * sin, height));
            }
        }
        let middle = sum / f64::from(AREA_STEPS * AREA_STEPS);
        let largest = self.radii.element_product() / self.radii.min_element();
        (8.0 * FRAC_PI_2 * middle * largest) as f32
    }

    /// Rejection sampling of points on the unit sphere by the area element.
    pub(super) fn sample_area(&self, [u, v]: [f32; 2]) -> SurfacePoint {
        let mut unit = cone([u, v], 2.0).as_dvec3();
        let mut state = u.to_bits() ^ v.to_bits().rotate_left(16);
        for _ in 0..MAX_TRIES {
            if f64::from(next(&mut state)) < self.stretch(unit) {
                break;
            }
            unit = cone([next(&mut state), next(&mut state)], 2.0).as_dvec3();
        }
        self.surface(unit)
    }
}

/// The next of a sequence of random numbers in [0, 1). PCG: Jarzynski and Olano 2020, "Hash
/// Functions for GPU Rendering".
fn next(state: &mut u32) -> f32 {
    *state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((*state >> ((*state >> 28) + 4)) ^ *state).wrapping_mul(277_803_737);
    (((word >> 22) ^ word) >> 8) as f32 / (1 << 24) as f32
}
