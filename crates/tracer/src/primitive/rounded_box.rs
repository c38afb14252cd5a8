//! Boxes with rounded edges and corners.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec3};

use super::Intersection;
use super::intersection::roots;
use super::sampling::{around, choose_part};
use crate::ray::{Ray, SurfacePoint};
use crate::sampling::cone;
use crate::vector::point;
use crate::vector::single;

/// The part of an edge or a corner; the flat ones are 0..=5, as of a box.
const ROUND: u32 = 6;
/// The overlap of the parts of the surface relative to the size, so that rounding leaves no gaps.
const SLACK: f64 = 1e-12;

/// All points within a radius of a box; its normals point outwards. In double precision, where the
/// sign of a quadratic safely tells inside from outside.
#[derive(Debug, Clone)]
pub(crate) struct RoundedBox {
    center: DVec3,
    /// The half size of the inner box.
    inner: DVec3,
    radius: f64,
    /// Columns: its own axes.
    to_world: DMat3,
}

impl RoundedBox {
    pub(crate) fn new(shape: &scene::RoundedBox) -> Self {
        let rows = scene::rotation_matrix(shape.rotation.get());
        Self {
            center: point(shape.center),
            inner: shape.inner_half().into(),
            radius: shape.radius.get(),
            to_world: DMat3::from_cols_array_2d(&rows).transpose(),
        }
    }

    #[inline(never)]
    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        let into = self.to_world.transpose();
        let origin = into * (ray.origin.as_dvec3() - self.center);
        let direction = into * ray.direction.as_dvec3();
        let half = self.inner + self.radius;
        // A direction parallel to a face gives infinities, and a ray within the plane of a face
        // NaN, which is ignored.
        let inverse = direction.recip();
        let (low, high) = ((-half - origin) * inverse, (half - origin) * inverse);
        let mut enter = f64::NEG_INFINITY;
        let mut leave = f64::INFINITY;
        for axis in 0..3 {
            enter = enter.max(low[axis].min(high[axis]));
            leave = leave.min(low[axis].max(high[axis]));
        }
        if enter > leave || leave <= 0.0 {
            return None;
        }
        let mut first = First { nearest: f64::from(t_max), part: None };
        self.meet_faces(origin, direction, inverse, &mut first);
        // A flat part that is hit at the entry into the bounding box is the first hit.
        if first.part.is_none() || first.nearest > enter {
            self.meet_edges(origin, direction, &mut first);
            self.meet_corners(origin, direction, &mut first);
        }
        let intersection = Intersection { distance: first.nearest as f32, part: first.part? };
        (intersection.distance > 0.0 && intersection.distance < t_max).then_some(intersection)
    }

    fn slack(&self) -> f64 {
        SLACK * (self.inner.max_element() + self.radius)
    }

    fn meet_faces(&self, origin: DVec3, direction: DVec3, inverse: DVec3, first: &mut First) {
        let reach = self.inner + self.slack();
        for axis in 0..3 {
            let [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
            for (side, part) in [(-1.0, axis), (1.0, axis + 3)] {
                let distance =
                    (side * (self.inner[axis] + self.radius) - origin[axis]) * inverse[axis];
                let met = origin + direction * distance;
                if met[b].abs() <= reach[b] && met[c].abs() <= reach[c] {
                    first.consider(distance, part as u32);
                }
            }
        }
    }

    /// For each edge, the outermost part of a cylinder.
    fn meet_edges(&self, origin: DVec3, direction: DVec3, first: &mut First) {
        let (inner, slack) = (self.inner, self.slack());
        for axis in 0..3 {
            let [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
            let mut across = direction;
            across[axis] = 0.0;
            for (side_b, side_c) in SIDES {
                let mut from_edge = origin;
                from_edge[axis] = 0.0;
                from_edge[b] -= side_b * inner[b];
                from_edge[c] -= side_c * inner[c];
                for distance in roots(across, from_edge, self.radius) {
                    let met = origin + direction * distance;
                    if met[axis].abs() <= inner[axis] + slack
                        && side_b * met[b] >= inner[b] - slack
                        && side_c * met[c] >= inner[c] - slack
                    {
                        first.consider(distance, ROUND);
                    }
                }
            }
        }
    }

    fn meet_corners(&self, origin: DVec3, direction: DVec3, first: &mut First) {
        let within = self.inner - self.slack();
        for side_a in [-1.0, 1.0] {
            for (side_b, side_c) in SIDES {
                let sides = DVec3::new(side_a, side_b, side_c);
                for distance in roots(direction, origin - sides * self.inner, self.radius) {
                    let met = (origin + direction * distance) * sides;
                    if met.cmpge(within).all() {
                        first.consider(distance, ROUND);
                    }
                }
            }
        }
    }

    pub(crate) fn surface_at(&self, ray: &Ray, intersection: Intersection) -> SurfacePoint {
        let along = ray.direction.as_dvec3() * f64::from(intersection.distance);
        let met = self.to_world.transpose() * (ray.origin.as_dvec3() - self.center + along);
        let mut middle = met.clamp(-self.inner, self.inner);
        let mut normal = (met - middle).normalize_or(DVec3::Y);
        if intersection.part < ROUND {
            let axis = intersection.part as usize % 3;
            let side = if intersection.part < 3 { -1.0 } else { 1.0 };
            normal = DVec3::ZERO;
            normal[axis] = side;
            middle[axis] = side * self.inner[axis];
        }
        self.surface(middle, normal)
    }

    /// The areas of the two faces perpendicular to each axis, of the four edges along each axis,
    /// and of the corners, which form a sphere.
    pub(super) fn part_areas(&self) -> [f32; 7] {
        let [x, y, z] = self.inner.to_array();
        let along = |half: f64| TAU * self.radius * 2.0 * half;
        let ball = 4.0 * PI * self.radius * self.radius;
        [8.0 * y * z, 8.0 * z * x, 8.0 * x * y, along(x), along(y), along(z), ball]
            .map(|area| area as f32)
    }

    pub(super) fn sample_area(&self, [u, v]: [f32; 2]) -> SurfacePoint {
        let (part, u) = choose_part(&self.part_areas(), u);
        let axis = part % 3;
        let [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
        let spread = |number: f32, half: f64| (2.0 * f64::from(number) - 1.0) * half;
        let mut normal = DVec3::ZERO;
        match part {
            0..=2 => {
                let (side, u) = choose_part(&[1.0, 1.0], u);
                normal[axis] = 2.0 * side as f64 - 1.0;
                let mut middle = normal * self.inner;
                middle[b] = spread(u, self.inner[b]);
                middle[c] = spread(v, self.inner[c]);
                self.surface(middle, normal)
            }
            3..=5 => {
                let flat = around(v);
                (normal[b], normal[c]) = (f64::from(flat.x), f64::from(flat.y));
                let mut middle = normal.signum() * self.inner;
                middle[axis] = spread(u, self.inner[axis]);
                self.surface(middle, normal.normalize())
            }
            _ => {
                let normal = cone([u, v], 2.0).as_dvec3().normalize();
                self.surface(normal.signum() * self.inner, normal)
            }
        }
    }

    /// The point of the surface in the direction `normal` from `middle`, a point of the inner box.
    fn surface(&self, middle: DVec3, normal: DVec3) -> SurfacePoint {
        let place = self.center + self.to_world * (middle + normal * self.radius);
        let extent = (self.inner.element_sum() + self.radius) as f32;
        SurfacePoint::new(single(place), single(self.to_world * normal), extent)
    }
}

/// The signs of two axes.
const SIDES: [(f64, f64); 4] = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];

/// The first part of the surface that is hit.
struct First {
    nearest: f64,
    part: Option<u32>,
}

impl First {
    fn consider(&mut self, distance: f64, part: u32) {
        if distance > 0.0 && distance < self.nearest {
            (self.nearest, self.part) = (distance, Some(part));
        }
    }
}
