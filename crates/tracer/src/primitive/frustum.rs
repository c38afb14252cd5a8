//! Cylinders and cones: the surface between two circles with a common axis.

use std::f32::consts::PI;

use glam::{DVec3, Mat3A, Vec3A};

use super::Intersection;
use super::sampling::{around, choose_part};
use crate::frame::Frame;
use crate::ray::{Ray, SurfacePoint};
use crate::sampling::unit_disc;
use crate::vector::single;

const SIDE: u32 = 0;
const BASE: u32 = 1;
const TOP: u32 = 2;

/// A cylinder, a cone or a frustum, open or capped. Normals point away from the axis and away from
/// the other end.
#[derive(Debug, Clone)]
pub(crate) struct Frustum {
    base: Vec3A,
    /// Columns: two perpendicular axes, and the axis from base to top.
    to_world: Mat3A,
    height: f32,
    base_radius: f32,
    top_radius: f32,
    capped: bool,
}

impl Frustum {
    /// The frustum between circles with `centers` (base, top) and `radii`.
    pub(crate) fn new([base, top]: [DVec3; 2], radii: [f64; 2], capped: bool) -> Self {
        let axis = top - base;
        let frame = Frame::around(single(axis.normalize()));
        Self {
            base: single(base),
            to_world: Mat3A::from_cols(
                frame.to_world(Vec3A::X),
                frame.to_world(Vec3A::Y),
                frame.to_world(Vec3A::Z),
            ),
            height: axis.length() as f32,
            base_radius: radii[0] as f32,
            top_radius: radii[1] as f32,
            capped,
        }
    }

    fn to_local(&self, world: Vec3A) -> Vec3A {
        let axes = &self.to_world;
        Vec3A::new(axes.x_axis.dot(world), axes.y_axis.dot(world), axes.z_axis.dot(world))
    }

    fn slope(&self) -> f64 {
        (f64::from(self.top_radius) - f64::from(self.base_radius)) / f64::from(self.height)
    }

    /// Solves the quadratic in double precision, since that of a cone suffers from cancellation;
    /// the error of a distance is then that of the single-precision ray.
    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        let origin = self.to_local(ray.origin - self.base).as_dvec3();
        let direction = self.to_local(ray.direction).as_dvec3();
        let mut nearest = f64::from(t_max);
        let mut part = None;
        for distance in self.side_distances(origin, direction) {
            let z = origin.z + distance * direction.z;
            let within = (0.0..=f64::from(self.height)).contains(&z);
            if distance > 0.0 && distance < nearest && within {
                (nearest, part) = (distance, Some(SIDE));
            }
        }
        if self.capped {
            let ends = [(0.0, self.base_radius, BASE), (self.height, self.top_radius, TOP)];
            for (z, radius, end) in ends {
                let distance = (f64::from(z) - origin.z) / direction.z;
                let across = (origin + distance * direction).truncate();
                let within = across.length_squared() <= f64::from(radius) * f64::from(radius);
                if distance > 0.0 && distance < nearest && within {
                    (nearest, part) = (distance, Some(end));
                }
            }
        }
        let intersection = Intersection { distance: nearest as f32, part: part? };
        (intersection.distance > 0.0 && intersection.distance < t_max).then_some(intersection)
    }

    /// Both distances to the infinite cone x^2 + y^2 = (base_radius + slope z)^2; NaN if there are
    /// none.
    fn side_distances(&self, origin: DVec3, direction: DVec3) -> [f64; 2] {
        let slope = self.slope();
        let radius = f64::from(self.base_radius) + slope * origin.z;
        let (across, along) = (origin.truncate(), direction.truncate());
        let narrowing = slope * direction.z;
        let a = along.length_squared() - narrowing * narrowing;
        let half_b = across.dot(along) - radius * narrowing;
        let c = across.length_squared() - radius * radius;
        let root = (half_b * half_b - a * c).sqrt();
        let larger = -(half_b + root.copysign(half_b));
        [c / larger, larger / a]
    }

    pub(super) fn is_capped(&self) -> bool {
        self.capped
    }

    /// The areas of the side, the base and the top.
    pub(super) fn part_areas(&self) -> [f32; 3] {
        let (base, top) = (self.base_radius, self.top_radius);
        let slant = self.height.hypot(base - top);
        let ends = [base, top].map(|radius| if self.capped { PI * radius * radius } else { 0.0 });
        [PI * (base + top) * slant, ends[0], ends[1]]
    }

    pub(super) fn sample_area(&self, [u, v]: [f32; 2]) -> SurfacePoint {
        let (part, u) = choose_part(&self.part_areas(), u);
        let on_disc = |radius: f32| (unit_disc([u, v]) * radius).extend(0.0).into();
        let near = match part as u32 {
            BASE => on_disc(self.base_radius),
            TOP => on_disc(self.top_radius),
            _ => {
                // The circumference is linear in the height: invert the quadratic distribution.
                let (base, top) = (self.base_radius, self.top_radius);
                let radius = (base * base + u * (top * top - base * base)).sqrt();
                let share = u * (base + top) / (base + radius);
                around(v) + Vec3A::Z * (share * self.height)
            }
        };
        self.surface(part as u32, near)
    }

    pub(crate) fn surface_at(&self, ray: &Ray, intersection: Intersection) -> SurfacePoint {
        self.surface(intersection.part, self.to_local(ray.at(intersection.distance) - self.base))
    }

    /// The point of a part nearest to `met`.
    fn surface(&self, part: u32, met: Vec3A) -> SurfacePoint {
        let (local, normal) = match part {
            BASE => (Vec3A::new(met.x, met.y, 0.0), Vec3A::NEG_Z),
            TOP => (Vec3A::new(met.x, met.y, self.height), Vec3A::Z),
            _ => self.side_at(met),
        };
        let extent = self.height + 2.0 * self.base_radius;
        let point = self.base + self.to_world * local;
        SurfacePoint::new(point, self.to_world * normal, extent)
    }

    fn side_at(&self, met: Vec3A) -> (Vec3A, Vec3A) {
        let z = met.z.clamp(0.0, self.height);
        let slope = self.slope() as f32;
        let radius = self.base_radius + slope * z;
        // At the apex any perpendicular direction will do.
        let across = Vec3A::new(met.x, met.y, 0.0).try_normalize().unwrap_or(Vec3A::X);
        let normal = Vec3A::new(across.x, across.y, -slope).normalize();
        (Vec3A::new(across.x * radius, across.y * radius, z), normal)
    }
}
