//! Capsules.

use std::f32::consts::TAU;

use glam::{DVec3, Vec3A};

use super::Intersection;
use super::intersection::roots;
use super::sampling::{around, choose_part};
use crate::frame::Frame;
use crate::ray::{Ray, SurfacePoint};
use crate::sampling::cone;
use crate::vector::single;

/// All points within a radius of a line segment; the normal points outwards.
#[derive(Debug, Clone)]
pub(crate) struct Capsule {
    start: Vec3A,
    /// Unit vector from start to end.
    axis: Vec3A,
    height: f32,
    radius: f32,
}

impl Capsule {
    pub(crate) fn new([start, end]: [DVec3; 2], radius: f64) -> Self {
        let axis = end - start;
        Self {
            start: single(start),
            axis: single(axis.normalize()),
            height: axis.length() as f32,
            radius: radius as f32,
        }
    }

    /// Intersects in double precision, where the sign of a quadratic safely tells inside from
    /// outside: a ray that starts just off the surface does not hit it again.
    #[inline(never)]
    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        let axis = self.axis.as_dvec3().normalize();
        let (height, radius) = (f64::from(self.height), f64::from(self.radius));
        let offset = ray.origin.as_dvec3() - self.start.as_dvec3();
        let direction = ray.direction.as_dvec3();
        let (offset_along, direction_along) = (offset.dot(axis), direction.dot(axis));
        let (across, turning) = (offset - axis * offset_along, direction - axis * direction_along);
        let along = |distance: f64| offset_along + distance * direction_along;
        let mut nearest = f64::from(t_max);
        let mut met = false;
        let mut consider = |distance: f64, within: bool| {
            if within && distance > 0.0 && distance < nearest {
                (nearest, met) = (distance, true);
            }
        };
        // Each part of the surface counts where it is outermost.
        for distance in roots(turning, across, radius) {
            consider(distance, (0.0..=height).contains(&along(distance)));
        }
        for distance in roots(direction, offset, radius) {
            consider(distance, along(distance) <= 0.0);
        }
        for distance in roots(direction, offset - axis * height, radius) {
            consider(distance, along(distance) >= height);
        }
        let distance = nearest as f32;
        (met && distance > 0.0 && distance < t_max).then_some(Intersection { distance, part: 0 })
    }

    pub(crate) fn surface_at(&self, ray: &Ray, intersection: Intersection) -> SurfacePoint {
        let from_start = ray.origin.as_dvec3()
            + ray.direction.as_dvec3() * f64::from(intersection.distance)
            - self.start.as_dvec3();
        let axis = self.axis.as_dvec3().normalize();
        let along = from_start.dot(axis).clamp(0.0, f64::from(self.height));
        let middle = axis * along;
        // On the axis any perpendicular direction will do.
        let normal =
            (from_start - middle).try_normalize().unwrap_or_else(|| axis.any_orthonormal_vector());
        self.surface(single(middle), single(normal))
    }

    /// The area of the side, and of both hemispheres together.
    pub(super) fn part_areas(&self) -> [f32; 2] {
        [TAU * self.radius * self.height, 2.0 * TAU * self.radius * self.radius]
    }

    pub(super) fn sample_area(&self, [u, v]: [f32; 2]) -> SurfacePoint {
        let (part, u) = choose_part(&self.part_areas(), u);
        let (along, local) = match part {
            0 => (u * self.height, around(v)),
            _ => {
                let outwards = cone([u, v], 2.0);
                (if outwards.z > 0.0 { self.height } else { 0.0 }, outwards)
            }
        };
        self.surface(self.axis * along, Frame::around(self.axis).to_world(local).normalize())
    }

    /// The point of the surface in the direction `normal` from `middle`, a point of the axis
    /// relative to its start.
    fn surface(&self, middle: Vec3A, normal: Vec3A) -> SurfacePoint {
        let point = self.start + (middle + normal * self.radius);
        SurfacePoint::new(point, normal, self.height + 2.0 * self.radius)
    }
}
