//! Area lights of shapes without a sampling method of their own.

use std::f32::consts::PI;

use glam::Vec3A;

use super::bounds::LightBounds;
use super::density::Density;
use crate::bounds::Bounds;
use crate::color::luminance;
use crate::primitive::{MeshAreas, Primitive};
use crate::ray::SurfacePoint;

/// One side of a diffuse emissive shape, sampled by area. Quads, discs and the outside of spheres
/// have lights of their own, which are sampled better.
#[derive(Debug, Clone)]
pub(crate) struct ShapeLight {
    body: Primitive,
    /// The triangle areas of a mesh.
    mesh: Option<MeshAreas>,
    pub(super) emission: Vec3A,
    pub(super) area: f32,
    pub(super) center: Vec3A,
    /// The distance from the centre to the farthest corner of its bounding box.
    pub(super) reach: f32,
    /// Whether it is the back side, which the normals point away from.
    inwards: bool,
}

impl ShapeLight {
    pub(super) fn new(body: Primitive, bounds: Bounds, emission: Vec3A, inwards: bool) -> Self {
        let mesh = match &body {
            Primitive::Instance(mesh) => Some(mesh.areas()),
            _ => None,
        };
        Self {
            area: mesh.as_ref().map_or_else(|| body.area(), MeshAreas::total),
            body,
            mesh,
            emission,
            center: bounds.center(),
            reach: 0.5 * (bounds.max - bounds.min).length(),
            inwards,
        }
    }

    /// A point of the surface, uniform by area, with its normal on the emitting side, and the part
    /// of the body it lies in.
    pub(super) fn sample(&self, u: [f32; 2]) -> (SurfacePoint, u32) {
        let (surface, part) = self.body.sample_area_with(self.mesh.as_ref(), u);
        (if self.inwards { surface.flipped() } else { surface }, part)
    }

    /// The density of [`sample`](Self::sample).
    pub(super) fn density(&self) -> Density {
        Density::Area(1.0 / self.area)
    }

    pub(super) fn bounds(&self) -> LightBounds {
        // The mean projected area of a convex body is a quarter of its surface area.
        let weight = 0.25 * self.area * luminance(self.emission);
        let least = 0.25 * self.reach * self.reach;
        LightBounds { least, ..LightBounds::round((self.center, self.reach), weight) }
    }

    pub(super) fn power(&self) -> f32 {
        PI * self.area * luminance(self.emission)
    }
}
