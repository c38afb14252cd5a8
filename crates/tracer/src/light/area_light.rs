//! Area lights of emissive shapes.

use glam::Vec3A;

use super::emission_texture::Shine;
use super::{DiscLight, Light, QuadLight, ShapeLight, ShownLight, SphereLight};
use crate::bounds::Bounds;
use crate::primitive::Primitive;
use crate::ray::SurfacePoint;

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
