//! Area lights of emissive shapes.

use glam::Vec3A;

use super::emission_texture::SurfaceEmission;
use super::{DiscLight, Light, QuadLight, ShapeLight, SphereLight, TexturedLight};
use crate::bounds::Bounds;
use crate::primitive::Primitive;
use crate::ray::SurfacePoint;

/// The area lights of an emissive shape, by their index in the set of lights.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AreaLight {
    /// The light of the front, which the normals point to.
    front: usize,
    /// The light of the back, if the shape emits to both sides.
    back: Option<usize>,
}

impl AreaLight {
    /// Adds the lights of `body`, which lies within `bounds`, to `lights`.
    pub(crate) fn add(
        lights: &mut Vec<Light>,
        body: &Primitive,
        bounds: Bounds,
        emission: &SurfaceEmission,
    ) -> Self {
        let front = lights.len();
        lights.push(side(body, bounds, emission, false));
        let back = (!body.is_closed()).then(|| {
            lights.push(side(body, bounds, emission, true));
            front + 1
        });
        Self { front, back }
    }

    /// The light that a ray along the unit vector `direction` hits at `surface`, and the surface
    /// with its normal on that side.
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

fn side(body: &Primitive, bounds: Bounds, emission: &SurfaceEmission, inwards: bool) -> Light {
    let even = even_side(body, bounds, emission.mean, inwards);
    match &emission.texture {
        None => even,
        Some(texture) => {
            Light::Textured(Box::new(TexturedLight::new(even, texture.clone(), inwards)))
        }
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
