//! Quad lights.

use std::f32::consts::PI;

use glam::{DVec3, Vec3A};
use scene::AreaQuadLight;

use super::bounds::LightBounds;
use super::density::Density;
use crate::color::channels;
use crate::color::luminance;
use crate::primitive::Quad;
use crate::ray::SurfacePoint;
use crate::vector::point;

/// Below this solid angle, sampling by area is as good and cheaper.
const MIN_SOLID_ANGLE: f32 = 0.1;
/// Smaller solid angles are rounding errors.
const MIN_EXCESS: f64 = 1e-6;

/// A parallelogram that emits to the side of its normal.
#[derive(Debug, Clone)]
pub(crate) struct QuadLight {
    pub(crate) body: Quad,
    pub(crate) emission: Vec3A,
    pub(super) area: f32,
    pub(super) center: Vec3A,
    /// The distance from the centre to the farthest corner.
    pub(super) reach: f32,
    /// The lengths of u and v, if they are perpendicular.
    rectangle: Option<[f32; 2]>,
}

impl QuadLight {
    pub(crate) fn new(light: &AreaQuadLight) -> Self {
        let (u, v): (DVec3, DVec3) = (light.u.get().into(), light.v.get().into());
        Self::of(Quad::new(point(light.corner), u, v), channels(light.emission.get()))
    }

    /// A diffuse quad light.
    pub(crate) fn of(body: Quad, emission: Vec3A) -> Self {
        let (u, v) = (body.u.as_dvec3(), body.v.as_dvec3());
        let (length_u, length_v) = (u.length(), v.length());
        let right_angled = u.dot(v).abs() < 1e-6 * length_u * length_v;
        Self {
            emission,
            area: u.cross(v).length() as f32,
            center: body.corner + 0.5 * (body.u + body.v),
            reach: (0.5 * (u + v).length().max((u - v).length())) as f32,
            rectangle: right_angled.then_some([length_u as f32, length_v as f32]),
            body,
        }
    }

    /// The spherical rectangle as seen from `from`; `None` where sampling by area is used.
    fn spherical(&self, from: Vec3A) -> Option<SphericalRectangle> {
        let [width, height] = self.rectangle?;
        let to_center = self.center - from;
        let distance = to_center.length();
        let cos = self.body.normal.dot(to_center).abs() / distance;
        let seen_under = self.area * cos / (distance * distance);
        if seen_under < MIN_SOLID_ANGLE && distance > 2.0 * self.reach {
            return None;
        }
        SphericalRectangle::new(self, [width, height], from)
    }

    #[inline(always)]
    pub(super) fn sample(&self, from: Vec3A, u: [f32; 2]) -> (SurfacePoint, Density) {
        let seen = self.spherical(from);
        let [a, b] = seen.as_ref().map_or(u, |rectangle| rectangle.sample(u));
        (self.body.surface(a, b), self.density_of(seen.as_ref()))
    }

    /// The density of [`sample`](Self::sample) as seen from `from`.
    pub(super) fn density(&self, from: Vec3A) -> Density {
        self.density_of(self.spherical(from).as_ref())
    }

    #[inline(always)]
    fn density_of(&self, seen: Option<&SphericalRectangle>) -> Density {
        match seen {
            None => Density::Area(1.0 / self.area),
            Some(rectangle) => Density::Directions((1.0 / rectangle.solid_angle) as f32),
        }
    }

    pub(super) fn bounds(&self) -> LightBounds {
        let weight = self.area * luminance(self.emission);
        LightBounds::flat((self.center, self.reach), weight, self.body.normal, self.area / PI)
    }

    pub(crate) fn power(&self) -> f32 {
        PI * self.area * luminance(self.emission)
    }
}

/// A spherical rectangle, sampled uniformly by solid angle, in double precision because of
/// cancellation between angles. Urena et al. 2013, "An Area-Preserving Parametrization for
/// Spherical Rectangles"; sums of its angles are products of complex numbers, which are cheaper than
/// arc cosines.
struct SphericalRectangle {
    /// The rectangle in the frame of its edges around the point; it is at negative z.
    x: [f64; 2],
    y: [f64; 2],
    z: f64,
    /// Its argument is the sum of the two angles at the edge of the lower x.
    far: Complex,
    solid_angle: f64,
}

#[derive(Clone, Copy)]
struct Complex {
    real: f64,
    imaginary: f64,
}

impl std::ops::Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            real: self.real * other.real - self.imaginary * other.imaginary,
            imaginary: self.real * other.imaginary + self.imaginary * other.real,
        }
    }
}

impl SphericalRectangle {
    fn new(light: &QuadLight, [width, height]: [f32; 2], from: Vec3A) -> Option<Self> {
        let to_corner = (light.body.corner - from).as_dvec3();
        let x0 = to_corner.dot(light.body.u.as_dvec3()) / f64::from(width);
        let y0 = to_corner.dot(light.body.v.as_dvec3()) / f64::from(height);
        let z = -to_corner.dot(light.body.normal.as_dvec3()).abs();
        let (x1, y1) = (x0 + f64::from(width), y0 + f64::from(height));
        // The argument is the angle at a corner, between the planes through its two edges, which face outwards from it at
        // these offsets: its tangent is z times the distance of the corner over the negative product of the offsets.
        let corner = |x: f64, y: f64| Complex {
            real: -x * y,
            imaginary: -z * (x * x + y * y + z * z).sqrt(),
        };
        let far = corner(-x0, y1) * corner(-x0, -y0);
        let all = corner(x1, -y0) * corner(x1, y1) * far;
        // The solid angle, which is below 2 pi, is the sum of the four angles minus a full turn; only rounding makes it
        // negative.
        let excess = all.imaginary.atan2(all.real);
        let solid_angle =
            if excess < -MIN_EXCESS { excess + std::f64::consts::TAU } else { excess };
        // In the plane of the light the solid angle is 0.
        (z < 0.0 && solid_angle > MIN_EXCESS).then_some(Self {
            x: [x0, x1],
            y: [y0, y1],
            z,
            far,
            solid_angle,
        })
    }

    /// Coordinates a, b in 0..=1 along the edges.
    fn sample(&self, [u, v]: [f32; 2]) -> [f32; 2] {
        let ([x0, x1], [y0, y1], z) = (self.x, self.y, self.z);
        let (sin, cos) = (f64::from(u) * self.solid_angle).sin_cos();
        // A turn by that part of the solid angle, less the angles on the far side; as long as `far` is.
        let turn = Complex { real: cos, imaginary: sin }
            * Complex { imaginary: -self.far.imaginary, ..self.far };
        let [reach0, reach1] = [y0, y1].map(|y| (z * z + y * y).sqrt());
        // The z components of the normals of the planes through the edges along x.
        let (n0, n2) = (-y0 / reach0, y1 / reach1);
        let length = reach0 * reach1 * (z * z + x0 * x0);
        let f = (turn.real * n0 - length * n2) / turn.imaginary;
        let c = 1.0 / (f * f + n0 * n0).sqrt().copysign(f);
        let c = c.clamp(-1.0, 1.0);
        let x = (-(c * z) / (1.0 - c * c).max(1e-300).sqrt()).clamp(x0, x1);
        let distance_squared = x * x + z * z;
        let edge = |y: f64| y / (distance_squared + y * y).sqrt();
        let h = edge(y0) + f64::from(v) * (edge(y1) - edge(y0));
        let y = if h * h < 1.0 - 1e-12 {
            (h * (distance_squared / (1.0 - h * h)).sqrt()).clamp(y0, y1)
        } else {
            y1
        };
        [((x - x0) / (x1 - x0)) as f32, ((y - y0) / (y1 - y0)) as f32]
    }
}
