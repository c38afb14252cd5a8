//! Points of shapes, evenly by area.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3A};

use super::Primitive;
use crate::ray::SurfacePoint;

impl Primitive {
    /// The area of the surface, in square metres.
    pub(crate) fn area(&self) -> f32 {
        match self {
            Self::Sphere(shape) => 4.0 * PI * shape.radius * shape.radius,
            Self::Cuboid(shape) => shape.face_areas().iter().sum::<f32>() * 2.0,
            Self::Quad(shape) => shape.u.cross(shape.v).length(),
            Self::Disc(shape) => PI * shape.radius * shape.radius,
            Self::Frustum(shape) => shape.part_areas().iter().sum(),
            Self::Capsule(shape) => shape.part_areas().iter().sum(),
            Self::Torus(shape) => shape.part_areas().iter().sum(),
            Self::Ellipsoid(shape) => shape.area(),
            Self::RoundedBox(shape) => shape.part_areas().iter().sum(),
            Self::Triangle(shape) => shape.area(),
            Self::Instance(shape) => shape.areas().total(),
        }
    }

    /// A point of the surface, evenly by area. Meshes keep what they need for it in
    /// [`MeshAreas`](super::MeshAreas) instead; of them this takes the first triangle.
    pub(crate) fn sample_area(&self, [u, v]: [f32; 2]) -> SurfacePoint {
        match self {
            Self::Sphere(shape) => shape.surface_towards(crate::sampling::cone([u, v], 2.0)),
            Self::Cuboid(shape) => shape.sample_area([u, v]),
            Self::Quad(shape) => shape.surface(u, v),
            Self::Disc(shape) => shape.sample_area([u, v]),
            Self::Frustum(shape) => shape.sample_area([u, v]),
            Self::Capsule(shape) => shape.sample_area([u, v]),
            Self::Torus(shape) => shape.sample_area([u, v]),
            Self::Ellipsoid(shape) => shape.sample_area([u, v]),
            Self::RoundedBox(shape) => shape.sample_area([u, v]),
            Self::Triangle(shape) => shape.sample_area([u, v]),
            Self::Instance(shape) => shape.triangle_at(0, even_in_triangle([u, v])),
        }
    }

    /// Whether the surface has an outside, which alone it shines to when it glows.
    pub(crate) fn is_closed(&self) -> bool {
        match self {
            Self::Sphere(_)
            | Self::Cuboid(_)
            | Self::Capsule(_)
            | Self::Torus(_)
            | Self::Ellipsoid(_)
            | Self::RoundedBox(_) => true,
            Self::Frustum(shape) => shape.is_capped(),
            Self::Quad(_) | Self::Disc(_) | Self::Triangle(_) | Self::Instance(_) => false,
        }
    }
}

/// The part that `u`, in [0, 1), stands for when each has its share of `areas`, and `u` stretched
/// over it.
pub(super) fn choose_part(areas: &[f32], u: f32) -> (usize, f32) {
    let mut left = u * areas.iter().sum::<f32>();
    let mut chosen = (0, u);
    // Rounding may leave a rest after the last: then it is the last that has an area at all.
    for (part, &area) in areas.iter().enumerate().filter(|(_, area)| **area > 0.0) {
        chosen = (part, (left / area).min(1.0 - f32::EPSILON));
        if left < area {
            break;
        }
        left -= area;
    }
    chosen
}

/// Weights of the corners of a triangle, evenly by area. PBR 4e, section A.5.2.
pub(super) fn even_in_triangle([u, v]: [f32; 2]) -> [f64; 3] {
    let [u, v] = [u, v].map(f64::from);
    let root = u.sqrt();
    [1.0 - root, root * (1.0 - v), root * v]
}

/// The inverse of [`even_in_triangle`].
pub(super) fn numbers_in_triangle(weights: [f64; 3]) -> [f32; 2] {
    let root = (1.0 - weights[0]).clamp(0.0, 1.0);
    let v = if root > 0.0 { weights[2] / root } else { 0.5 };
    [(root * root) as f32, v as f32]
}

/// A unit vector across z.
pub(super) fn around(u: f32) -> Vec3A {
    let flat = Vec2::from_angle(TAU * u);
    Vec3A::new(flat.x, flat.y, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_chosen_by_area_and_numbers_stretched() {
        assert_eq!(choose_part(&[1.0, 0.0, 3.0], 0.125), (0, 0.5));
        assert_eq!(choose_part(&[1.0, 0.0, 3.0], 0.25), (2, 0.0));
        assert_eq!(choose_part(&[1.0, 0.0, 3.0], 0.625), (2, 0.5));
        assert_eq!(choose_part(&[1.0, 0.0], 1.0 - f32::EPSILON).0, 0);
    }
}
