//! Sphere lights.

use std::f32::consts::PI;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, mask32x16};

use super::bounds::LightBounds;
use super::density::Density;
use crate::color::channels;
use crate::color::luminance;
use crate::frame::Frame;
use crate::primitive::Sphere;
use crate::ray::{LANES, ROUNDING, SurfacePoint};
use crate::ray_lanes::{Vectors, dot};
use crate::sampling::{cone, cone_pdf};
use crate::vector::lanes::{
    Frames, Stored, StoredVectors, add, load, load_vectors, normalize, scale, set_vector, subtract,
    unit_circle,
};
use crate::vector::point;
use glam::Vec3A;
use scene::AreaSphereLight;

/// A sphere that emits outwards.
#[derive(Debug, Clone)]
pub(crate) struct SphereLight {
    pub(crate) body: Sphere,
    pub(crate) emission: Vec3A,
}

impl SphereLight {
    pub(crate) fn new(light: &AreaSphereLight) -> Self {
        let body = Sphere::new(point(light.center), light.radius.get());
        Self { body, emission: channels(light.emission.get()) }
    }

    /// 1 - cos of the half-angle that the sphere subtends; `None` from inside.
    fn one_minus_cos_max(&self, from: Vec3A) -> Option<f32> {
        let sin_squared =
            self.body.radius * self.body.radius / from.distance_squared(self.body.center);
        // This form of 1 - sqrt(1 - s) is accurate for small angles.
        (sin_squared < 1.0).then(|| sin_squared / (1.0 + (1.0 - sin_squared).sqrt()))
    }

    /// A point of the side that faces `from`, uniform by solid angle. PBR 4e, section 6.2.4.
    pub(super) fn sample(&self, from: Vec3A, u: [f32; 2]) -> Option<(SurfacePoint, Density)> {
        let limit = self.one_minus_cos_max(from)?;
        let to_center = self.body.center - from;
        let distance = to_center.length();
        let towards = cone(u, limit);
        let sin_squared = towards.x * towards.x + towards.y * towards.y;
        // In the triangle of `from`, the centre and the point, by the law of sines: beta at the
        // point, alpha at the centre.
        let ratio = distance / self.body.radius;
        let cos_beta = (1.0 - ratio * ratio * sin_squared).max(0.0).sqrt();
        let cos_alpha = ratio * sin_squared + cos_beta * towards.z;
        let flat = towards.truncate() * (ratio * towards.z - cos_beta);
        // The frame looks from `from` to the centre; the normal looks back.
        let frame = Frame::around(to_center / distance);
        let normal = frame.to_world(Vec3A::new(flat.x, flat.y, -cos_alpha));
        let surface = self.body.surface_towards(normal);
        Some((surface, Density::Directions(cone_pdf(limit))))
    }

    pub(crate) fn pdf(&self, from: Vec3A) -> f32 {
        self.one_minus_cos_max(from).map_or(0.0, cone_pdf)
    }

    pub(super) fn bounds(&self) -> LightBounds {
        let ball = (self.body.center, self.body.radius);
        let squared_radius = self.body.radius * self.body.radius;
        let weight = PI * luminance(self.emission) * squared_radius;
        LightBounds { dark_within: squared_radius, ..LightBounds::round(ball, weight) }
    }

    pub(crate) fn power(&self) -> f32 {
        4.0 * PI * PI * self.body.radius * self.body.radius * luminance(self.emission)
    }
}

/// Sphere lights side by side.
#[derive(Debug, Default)]
pub(super) struct SphereLights {
    center: StoredVectors,
    radius: Stored,
    pub(super) emission: StoredVectors,
    /// A bit mask of those that there are.
    pub(super) lanes: u32,
}

/// Points of sphere lights.
pub(super) struct PointsOfSpheres<S: Simd> {
    /// Unit vectors towards them.
    pub(super) direction: Vectors<S>,
    /// The ends of shadow rays, off the surfaces.
    pub(super) end: Vectors<S>,
}

impl SphereLights {
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, light: &SphereLight) {
        set_vector(&mut self.center, lane, light.body.center);
        set_vector(&mut self.emission, lane, light.emission);
        self.radius[lane % LANES] = light.body.radius;
        self.lanes |= 1 << lane;
    }

    /// See [`SphereLight::sample`]: points, their pdfs per steradian, and whether light arrives from there.
    #[inline(always)]
    pub(super) fn sample<S: Simd>(
        &self,
        simd: S,
        from: &Vectors<S>,
        [u, v]: [f32x16<S>; 2],
    ) -> (PointsOfSpheres<S>, f32x16<S>, mask32x16<S>) {
        let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
        let (center, radius) = (load_vectors(simd, &self.center), load(simd, &self.radius));
        let to_center = subtract(&center, from);
        let squared = dot(&to_center, &to_center);
        let sin_squared = radius * radius / squared;
        let outside = sin_squared.simd_lt(one);
        let limit = sin_squared / ((one - sin_squared).max(zero).sqrt() + 1.0);
        let distance = squared.sqrt();
        // The cone around the center, as `cone`.
        let one_minus_cos = u * limit;
        let sin = (one_minus_cos * (2.0 - one_minus_cos)).max(zero).sqrt();
        let [x, y] = unit_circle(simd, v);
        let (x, y, z) = (sin * x, sin * y, one - one_minus_cos);
        let sin_squared = x * x + y * y;
        let ratio = distance / radius;
        let cos_beta = (one - ratio * ratio * sin_squared).max(zero).sqrt();
        let cos_alpha = ratio * sin_squared + cos_beta * z;
        let flat = ratio * z - cos_beta;
        let frames = Frames::around(simd, &scale(&to_center, one / distance));
        let normal = frames.to_world(&[x * flat, y * flat, -cos_alpha]);
        let point = add(&center, &scale(&normal, radius));
        let direction = normalize(&subtract(&point, from));
        let pdf = one / (limit * (2.0 * PI));
        let faces = dot(&normal, &direction).simd_lt(zero);
        let arrives =
            outside & faces & pdf.simd_gt(zero) & pdf.simd_lt(f32x16::splat(simd, f32::INFINITY));
        // As `SurfacePoint`.
        let even = radius * (16.0 * ROUNDING);
        let error = [
            point[0].abs() * (4.0 * ROUNDING) + even,
            point[1].abs() * (4.0 * ROUNDING) + even,
            point[2].abs() * (4.0 * ROUNDING) + even,
        ];
        let off = dot(&[normal[0].abs(), normal[1].abs(), normal[2].abs()], &error);
        let end = add(&point, &scale(&normal, off));
        (PointsOfSpheres { direction, end }, pdf, arrives)
    }
}
