//! Areas of shapes, and points on them uniform by area.

use std::f32::consts::PI;

use super::sampling::even_in_triangle;
use super::{MeshAreas, Primitive};
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

    /// A point of the surface, uniform by area. Of a mesh this samples the first triangle only; see
    /// [`sample_area_with`](Self::sample_area_with).
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

    /// Like [`sample_area`](Self::sample_area), with the part of the surface that contains the
    /// point; `areas` are those of a mesh.
    pub(crate) fn sample_area_with(
        &self,
        areas: Option<&MeshAreas>,
        u: [f32; 2],
    ) -> (SurfacePoint, u32) {
        match (areas, self) {
            (Some(areas), Self::Instance(mesh)) => mesh.sample_area(areas, u),
            _ => (self.sample_area(u), 0),
        }
    }

    /// Whether the surface is closed; it then emits to the outside only.
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
