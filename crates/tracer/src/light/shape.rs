//! Glowing shapes of any kind.

use std::f32::consts::PI;

use glam::Vec3A;

use super::{
    Density, DiscLight, Light, QuadLight, Shine, ShownLight, SphereLight, luminance,
    receiver_cosine, shown,
};
use crate::bounds::Bounds;
use crate::primitive::{MeshAreas, Primitive};
use crate::ray::SurfacePoint;

/// One side of a shape that shines evenly, sampled by area. A quad, a disc or the outside of a ball
/// is the light of that kind instead, which is sampled better.
#[derive(Debug, Clone)]
pub(crate) struct ShapeLight {
    body: Primitive,
    /// Of a mesh.
    mesh: Option<MeshAreas>,
    pub(super) emission: Vec3A,
    pub(super) area: f32,
    pub(super) center: Vec3A,
    /// From the centre to the farthest corner of its box.
    pub(super) reach: f32,
    /// Whether it is the side that the normals point away from.
    inwards: bool,
}

/// Which lights of the set a glowing surface is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glow {
    /// The side its normals point to.
    front: usize,
    /// The other side, if it shines, too.
    back: Option<usize>,
}

impl Glow {
    /// Adds what shines with `shine` from `body`, which lies within `bounds`, to `lights`.
    pub(crate) fn add(
        lights: &mut Vec<Light>,
        body: &Primitive,
        bounds: Bounds,
        shine: &Shine,
    ) -> Self {
        let front = lights.len();
        lights.push(side(body, bounds, shine, false));
        let back = (!body.is_closed()).then(|| {
            lights.push(side(body, bounds, shine, true));
            front + 1
        });
        Self { front, back }
    }

    /// The light that is seen at `surface` along the unit vector `direction`, and the surface with
    /// its normal on that side.
    pub(crate) fn seen(
        self,
        surface: &SurfacePoint,
        direction: Vec3A,
    ) -> Option<(usize, SurfacePoint)> {
        if surface.normal.dot(direction) < 0.0 {
            return Some((self.front, *surface));
        }
        self.back.map(|back| (back, surface.flipped()))
    }
}

fn side(body: &Primitive, bounds: Bounds, shine: &Shine, inwards: bool) -> Light {
    let even = even_side(body, bounds, shine.mean, inwards);
    match &shine.shown {
        None => even,
        Some(shown) => Light::Shown(Box::new(ShownLight::new(even, shown.clone(), inwards))),
    }
}

fn even_side(body: &Primitive, bounds: Bounds, emission: Vec3A, inwards: bool) -> Light {
    match body {
        Primitive::Quad(quad) => {
            let quad = if inwards { quad.flipped() } else { quad.clone() };
            Light::Quad(QuadLight::of(quad, emission))
        }
        Primitive::Disc(disc) => {
            let disc = if inwards { disc.flipped() } else { disc.clone() };
            Light::Disc(DiscLight::even(disc, emission))
        }
        Primitive::Sphere(ball) => Light::Sphere(SphereLight { body: ball.clone(), emission }),
        _ => Light::Shape(Box::new(ShapeLight::new(body.clone(), bounds, emission, inwards))),
    }
}

impl ShapeLight {
    fn new(body: Primitive, bounds: Bounds, emission: Vec3A, inwards: bool) -> Self {
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

    /// A point of the surface, evenly by area, its normal on the side that shines.
    /// The part of the body it lies in is given, too.
    pub(super) fn sample(&self, u: [f32; 2]) -> (SurfacePoint, u32) {
        let (surface, part) = shown::sample(&self.body, self.mesh.as_ref(), u);
        (if self.inwards { surface.flipped() } else { surface }, part)
    }

    /// With which [`sample`](Self::sample) makes points.
    pub(super) fn density(&self) -> Density {
        Density::Area(1.0 / self.area)
    }

    pub(super) fn importance(&self, from: Vec3A, normal: Vec3A) -> f32 {
        let to_center = self.center - from;
        // A quarter of the area is what a convex body shows on average.
        0.25 * self.area * luminance(self.emission) * receiver_cosine(normal, to_center, self.reach)
            / to_center.length_squared().max(0.25 * self.reach * self.reach)
    }

    pub(super) fn power(&self) -> f32 {
        PI * self.area * luminance(self.emission)
    }
}
