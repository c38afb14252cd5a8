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
        let distance = distance_to(ray, self.corners.map(Vec3A::as_dvec3))? as f32;
        (distance > 0.0 && distance < t_max).then_some(Intersection { distance, part: 0 })
    }

    pub(crate) fn surface_at(&self, ray: &Ray) -> SurfacePoint {
        let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
        self.surface(weights_along(origin, direction, self.corners.map(Vec3A::as_dvec3)))
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

/// The barycentric coordinates at which a line crosses the plane of three corners, moved to the edge if rounding makes
/// it miss; equal ones for corners seen edge-on. Moeller and Trumbore 1997, "Fast, Minimum Storage Ray/Triangle
/// Intersection".
pub(super) fn weights_along(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let (to_b, to_c) = (b - a, c - a);
    let facing = to_b.cross(to_c).dot(direction);
    let across = (origin - a).cross(direction) / facing;
    let (of_b, of_c) = (-to_c.dot(across), to_b.dot(across));
    if !(of_b + of_c).is_finite() {
        return [1.0 / 3.0; 3];
    }
    let weights = [1.0 - of_b - of_c, of_b, of_c];
    if weights.iter().all(|weight| *weight >= 0.0) {
        return weights;
    }
    let inside = weights.map(|weight| weight.clamp(0.0, 1.0));
    let sum: f64 = inside.iter().sum();
    inside.map(|weight| weight / sum)
}

/// The longest edge along any axis.
pub(super) fn extent([a, b, c]: [DVec3; 3]) -> f32 {
    (a.max(b).max(c) - a.min(b).min(c)).max_element() as f32
}

/// The distance at which a ray hits a triangle, if it does, in double precision. Woop, Benthin, Wald 2013, "Watertight
/// Ray/Triangle Intersection".
fn distance_to(ray: &Ray, corners: [DVec3; 3]) -> Option<f64> {
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
    let inside = u.min(v).min(w) >= 0.0 || u.max(v).max(w) <= 0.0;
    // Seen edge-on, it is not hit.
    (inside && sum != 0.0).then(|| (u * a[2] + v * b[2] + w * c[2]) / (sum * direction[z]))
}
