//! Tori and arcs of tori.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec2, DVec3};

use super::Intersection;
use super::sampling::choose_part;
use crate::polynomial::roots_within;
use crate::ray::{Ray, SurfacePoint};
use crate::sampling::unit_disc;
use crate::vector::point;
use crate::vector::single;

const TUBE: u32 = 0;
const START: u32 = 1;
const END: u32 = 2;

/// A torus, whole or an arc with capped ends. Normals point out of the tube. In double precision,
/// since its equation is a quartic.
#[derive(Debug, Clone)]
pub(crate) struct Torus {
    center: DVec3,
    /// Columns: towards angle 0, towards 90 degrees, and along the axis.
    to_world: DMat3,
    /// The major radius.
    ring: f64,
    /// The minor radius.
    tube: f64,
    arc: Option<Arc>,
}

/// The existing part of a torus.
#[derive(Debug, Clone)]
struct Arc {
    /// The start angle and the extent, in radians, below a full turn.
    start: f64,
    length: f64,
    /// Unit vectors in the plane of the torus towards its two ends.
    ends: [DVec2; 2],
}

impl Torus {
    pub(crate) fn new(shape: &scene::Torus) -> Self {
        let [x, y, z] = shape.axes().map(DVec3::from);
        let [start, end] = [shape.start_angle, shape.end_angle].map(|at| at.get().to_radians());
        let arc = (!shape.is_whole()).then(|| Arc {
            start,
            length: end - start,
            ends: [start, end].map(DVec2::from_angle),
        });
        Self {
            center: point(shape.center),
            to_world: DMat3::from_cols(x, y, z),
            ring: shape.radius.get(),
            tube: 0.5 * shape.thickness.get(),
            arc,
        }
    }

    fn to_local(&self, world: DVec3) -> DVec3 {
        let axes = &self.to_world;
        DVec3::new(axes.x_axis.dot(world), axes.y_axis.dot(world), axes.z_axis.dot(world))
    }

    #[inline(never)]
    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        let origin = self.to_local(ray.origin.as_dvec3() - self.center);
        let direction = self.to_local(ray.direction.as_dvec3());
        let mut nearest = f64::from(t_max);
        let mut part = self.tube_distance(origin, direction, nearest).map(|distance| {
            nearest = distance;
            TUBE
        });
        if let Some(arc) = &self.arc {
            for (end, name) in arc.ends.into_iter().zip([START, END]) {
                // The cap is in the plane through the axis.
                let across = DVec2::new(-end.y, end.x);
                let distance = -across.dot(origin.truncate()) / across.dot(direction.truncate());
                let met = origin + direction * distance;
                let from_middle = DVec2::new(end.dot(met.truncate()) - self.ring, met.z);
                let within = from_middle.length_squared() <= self.tube * self.tube;
                if distance > 0.0 && distance < nearest && within {
                    (nearest, part) = (distance, Some(name));
                }
            }
        }
        let intersection = Intersection { distance: nearest as f32, part: part? };
        (intersection.distance > 0.0 && intersection.distance < t_max).then_some(intersection)
    }

    /// The first distance in `0 < distance < t_max` at which the ray crosses the tube.
    ///
    /// In units of the outer radius, and relative to the point of the ray nearest to the centre,
    /// the coefficients are small and the roots accurate to some 1e-13. Between the roots of its
    /// derivative the polynomial is monotonic, so no root is missed.
    fn tube_distance(&self, origin: DVec3, direction: DVec3, t_max: f64) -> Option<f64> {
        let reach = self.ring + self.tube;
        let length = direction.length();
        let direction = direction / length;
        let middle = -origin.dot(direction);
        let across = (origin + direction * middle) / reach;
        let squared = across.length_squared();
        // Half the chord in the bounding sphere, with a margin for rounding.
        let half_chord = (1.0 + 1e-9 - squared).max(0.0).sqrt();
        let (start, limit) = (-middle / reach, (t_max * length - middle) / reach);
        let (from, to) = (start.max(-half_chord), limit.min(half_chord));
        if squared > 1.0 + 1e-9 || from >= to {
            return None;
        }
        // (|p|^2 + R^2 - r^2)^2 - 4 R^2 (x^2 + y^2) along p = across + t direction, which are
        // perpendicular.
        let (ring, tube) = (self.ring / reach, self.tube / reach);
        let k = squared + ring * ring - tube * tube;
        let four = 4.0 * ring * ring;
        let (flat, flat_direction) = (across.truncate(), direction.truncate());
        let coefficients = [
            k * k - four * flat.length_squared(),
            -2.0 * four * flat.dot(flat_direction),
            2.0 * k - four * flat_direction.length_squared(),
            0.0,
            1.0,
        ];
        roots_within(coefficients, from, to)
            .into_iter()
            .flatten()
            .filter(|root| {
                let met = across + direction * *root;
                self.arc.as_ref().is_none_or(|arc| arc.holds(met.truncate()))
            })
            .map(|root| (root * reach + middle) / length)
            .find(|distance| *distance > 0.0 && *distance < t_max)
    }

    pub(crate) fn surface_at(&self, ray: &Ray, intersection: Intersection) -> SurfacePoint {
        let distance = f64::from(intersection.distance);
        let met = ray.origin.as_dvec3() + ray.direction.as_dvec3() * distance - self.center;
        let met = self.to_local(met);
        match (&self.arc, intersection.part) {
            (Some(arc), START) => self.end_surface(arc.ends[0], met, -1.0),
            (Some(arc), END) => self.end_surface(arc.ends[1], met, 1.0),
            _ => {
                let outwards = met.truncate().try_normalize().unwrap_or(DVec2::X);
                let middle = (outwards * self.ring).extend(0.0);
                let normal = (met - middle).try_normalize().unwrap_or(DVec3::Z);
                self.surface(middle + normal * self.tube, normal)
            }
        }
    }

    /// The areas of the tube and of the two caps of an arc. By Pappus's theorem: the tube's
    /// circumference times the path of its centre.
    pub(super) fn part_areas(&self) -> [f32; 3] {
        let length = self.arc.as_ref().map_or(TAU, |arc| arc.length);
        let end = if self.arc.is_some() { PI * self.tube * self.tube } else { 0.0 };
        [TAU * self.tube * self.ring * length, end, end].map(|area| area as f32)
    }

    pub(super) fn sample_area(&self, [u, v]: [f32; 2]) -> SurfacePoint {
        let (part, u) = choose_part(&self.part_areas(), u);
        match (&self.arc, part as u32) {
            (Some(arc), end @ (START | END)) => {
                let end = (end - START) as usize;
                let flat = unit_disc([u, v]).as_dvec2() * self.tube;
                let middle = arc.ends[end] * (self.ring + flat.x);
                self.end_surface(arc.ends[end], middle.extend(flat.y), 2.0 * end as f64 - 1.0)
            }
            _ => {
                // The outer side of the tube is longer by as much as the inner side is shorter:
                // points are mirrored to the other side with the corresponding probability.
                let along = DVec2::from_angle(TAU * f64::from(u));
                let keeps = 0.5 * (1.0 + self.tube / self.ring * along.x);
                let v = f64::from(v);
                let (x, v) = if v < keeps {
                    (along.x, v / keeps)
                } else {
                    (-along.x, (v - keeps) / (1.0 - keeps))
                };
                let (start, length) =
                    self.arc.as_ref().map_or((0.0, TAU), |arc| (arc.start, arc.length));
                let outwards = DVec2::from_angle(start + v * length);
                let normal = (outwards * x).extend(along.y);
                self.surface((outwards * self.ring).extend(0.0) + normal * self.tube, normal)
            }
        }
    }

    /// The point of the cap towards the unit vector `end`; `side` is 1 for the counter-clockwise
    /// end.
    fn end_surface(&self, end: DVec2, met: DVec3, side: f64) -> SurfacePoint {
        let normal = DVec2::new(-end.y, end.x).extend(0.0) * side;
        self.surface(met - normal * normal.dot(met), normal)
    }

    fn surface(&self, local: DVec3, normal: DVec3) -> SurfacePoint {
        let place = single(self.center + self.to_world * local);
        let extent = (self.ring + self.tube) as f32;
        SurfacePoint::new(place, single(self.to_world * normal), extent)
    }
}

impl Arc {
    fn holds(&self, place: DVec2) -> bool {
        (place.y.atan2(place.x) - self.start).rem_euclid(TAU) <= self.length
    }
}
