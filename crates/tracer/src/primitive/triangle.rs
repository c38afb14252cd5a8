//! Single triangles.

use glam::{DVec3, Vec3A};

use super::Intersection;
use super::sampling::even_in_triangle;
use crate::ray::{Ray, SurfacePoint};
use crate::vector::single;

/// A flat triangle; its normal is on the side from which its corners are counter-clockwise.
#[derive(Debug, Clone)]
pub(crate) struct Triangle {
    corners: [Vec3A; 3],
}

impl Triangle {
    pub(crate) fn new(corners: [DVec3; 3]) -> Self {
        Self { corners: corners.map(single) }
    }

    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        let intersection = Crossing::of(ray, self.corners.map(Vec3A::as_dvec3))?;
        let distance = intersection.distance as f32;
        let met = intersection.inside && distance > 0.0 && distance < t_max;
        met.then_some(Intersection { distance, part: 0 })
    }

    pub(crate) fn surface_at(&self, ray: &Ray) -> SurfacePoint {
        self.surface(Crossing::weights_of(ray, self.corners.map(Vec3A::as_dvec3)))
    }

    pub(super) fn area(&self) -> f32 {
        let [a, b, c] = self.corners.map(Vec3A::as_dvec3);
        (0.5 * (b - a).cross(c - a).length()) as f32
    }

    pub(super) fn sample_area(&self, u: [f32; 2]) -> SurfacePoint {
        self.surface(even_in_triangle(u))
    }

    /// The barycentric coordinates of a point of the triangle.
    pub(super) fn weights_at(&self, point: Vec3A) -> [f64; 3] {
        weights_at(self.corners.map(Vec3A::as_dvec3), point.as_dvec3())
    }

    /// The point with these barycentric coordinates.
    fn surface(&self, weights: [f64; 3]) -> SurfacePoint {
        let corners = self.corners.map(Vec3A::as_dvec3);
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize();
        SurfacePoint::new(single(blend(weights, corners)), single(normal), extent(corners))
    }
}

/// The weighted sum of three vectors.
pub(super) fn blend(weights: [f64; 3], vectors: [DVec3; 3]) -> DVec3 {
    vectors[0] * weights[0] + vectors[1] * weights[1] + vectors[2] * weights[2]
}

/// The barycentric coordinates of a point in the plane of three corners, the inverse of [`blend`];
/// equal ones for collinear corners.
pub(super) fn weights_at([a, b, c]: [DVec3; 3], point: DVec3) -> [f64; 3] {
    let (u, v, to) = (b - a, c - a, point - a);
    let normal = u.cross(v);
    let squared = normal.length_squared();
    if squared == 0.0 {
        return [1.0 / 3.0; 3];
    }
    let (of_b, of_c) = (to.cross(v).dot(normal) / squared, u.cross(to).dot(normal) / squared);
    [1.0 - of_b - of_c, of_b, of_c]
}

/// The longest edge along any axis.
pub(super) fn extent([a, b, c]: [DVec3; 3]) -> f32 {
    (a.max(b).max(c) - a.min(b).min(c)).max_element() as f32
}

/// The intersection of a ray with the plane of a triangle, in double precision. Woop, Benthin, Wald
/// 2013, "Watertight Ray/Triangle Intersection".
pub(super) struct Crossing {
    distance: f64,
    /// Whether it is inside the triangle.
    inside: bool,
    /// The barycentric coordinates.
    weights: [f64; 3],
}

impl Crossing {
    /// `None` for a triangle seen edge-on.
    fn of(ray: &Ray, corners: [DVec3; 3]) -> Option<Self> {
        let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
        let longest = ray.direction.abs().max_position();
        let [x, y, z] = [(longest + 1) % 3, (longest + 2) % 3, longest];
        let shear = [direction[x] / direction[z], direction[y] / direction[z]];
        let [a, b, c] = corners.map(|corner| {
            let from = corner - origin;
            [from[x] - shear[0] * from[z], from[y] - shear[1] * from[z], from[z]]
        });
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        let sum = u + v + w;
        if sum == 0.0 {
            return None;
        }
        Some(Self {
            distance: (u * a[2] + v * b[2] + w * c[2]) / (sum * direction[z]),
            inside: u.min(v).min(w) >= 0.0 || u.max(v).max(w) <= 0.0,
            weights: [u / sum, v / sum, w / sum],
        })
    }

    /// The barycentric coordinates of the intersection, clamped to the edge if rounding makes the
    /// ray miss.
    pub(super) fn weights_of(ray: &Ray, corners: [DVec3; 3]) -> [f64; 3] {
        let Some(crossing) = Self::of(ray, corners) else {
            return [1.0 / 3.0; 3];
        };
        let inside = crossing.weights.map(|weight| weight.clamp(0.0, 1.0));
        let sum: f64 = inside.iter().sum();
        inside.map(|weight| weight / sum)
    }
}
