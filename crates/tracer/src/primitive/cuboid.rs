//! Rotated boxes.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, u32x16};
use glam::{DMat3, Mat3A, Vec3A};

use super::Intersection;
use super::sampling::choose_part;
use crate::ray::{Ray, SurfacePoint, finite_inverse};
use crate::ray_lanes::{Met, RayLanes, dot_same, finite_inverses, minus};
use crate::vector::point;
use crate::vector::single;

/// A box rotated about its centre; its normals point outwards. Parts 0..=2 are the faces
/// perpendicular to that local axis on the negative side, 3..=5 on the positive one.
#[derive(Debug, Clone)]
pub(crate) struct Cuboid {
    center: Vec3A,
    half: Vec3A,
    to_world: Mat3A,
    /// The inverse.
    to_local: Mat3A,
}

impl Cuboid {
    pub(crate) fn new(shape: &scene::Box) -> Self {
        let rows = scene::rotation_matrix(shape.rotation.get());
        let to_world = DMat3::from_cols_array_2d(&rows).transpose();
        let to_world: Mat3A = to_world.as_mat3().into();
        Self {
            center: single(point(shape.center)),
            half: Vec3A::from_array(shape.dimensions.get().map(|edge| (edge * 0.5) as f32)),
            to_local: to_world.transpose(),
            to_world,
        }
    }

    #[inline(always)]
    fn to_local(&self, world: Vec3A) -> Vec3A {
        self.to_local * world
    }

    #[inline]
    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        let origin = self.to_local(ray.origin - self.center);
        let direction = self.to_local(ray.direction);
        let inverse = finite_inverse(direction);
        let reach = self.half * inverse.abs();
        let middle = -origin * inverse;
        let (enter, leave) = (middle - reach, middle + reach);
        let (near, far) = (enter.max_element(), leave.min_element());
        if near > far || far <= 0.0 {
            return None;
        }
        let (distance, bounds, outwards) =
            if near > 0.0 { (near, enter, -1.0) } else { (far, leave, 1.0) };
        if distance >= t_max {
            return None;
        }
        let axis = if bounds.x == distance {
            0
        } else if bounds.y == distance {
            1
        } else {
            2
        };
        let part = if direction[axis] * outwards < 0.0 { axis } else { axis + 3 };
        Some(Intersection { distance, part: part as u32 })
    }

    /// [`intersect`](Self::intersect) of many rays.
    #[inline(always)]
    pub(crate) fn meet<S: Simd>(&self, simd: S, rays: &RayLanes<S>) -> Met<S> {
        let zero = f32x16::splat(simd, 0.0);
        let axes = [self.to_world.x_axis, self.to_world.y_axis, self.to_world.z_axis];
        let from_center = minus(&rays.origin, self.center);
        let (mut near, mut far) =
            (f32x16::splat(simd, f32::NEG_INFINITY), f32x16::splat(simd, f32::INFINITY));
        let part = |axis: u32| u32x16::splat(simd, axis);
        // The faces through which the rays enter and leave.
        let (mut first, mut last) = (part(0), part(0));
        for (axis, to_world) in (0..).zip(axes) {
            let origin = dot_same(&from_center, to_world);
            let direction = dot_same(&rays.direction, to_world);
            let inverse = finite_inverses(simd, direction);
            let reach = self.half[axis as usize] * inverse.abs();
            let middle = -origin * inverse;
            let (enter, leave) = (middle - reach, middle + reach);
            let backwards = direction.simd_lt(zero);
            let forwards = direction.simd_gt(zero);
            let (later, sooner) = (enter.simd_gt(near), leave.simd_lt(far));
            near = later.select(enter, near);
            far = sooner.select(leave, far);
            first = later.select(forwards.select(part(axis), part(axis + 3)), first);
            last = sooner.select(backwards.select(part(axis), part(axis + 3)), last);
        }
        let outside = near.simd_gt(zero);
        let mask = near.simd_le(far) & far.simd_gt(zero);
        Met { distance: outside.select(near, far), part: outside.select(first, last), mask }
    }

    pub(crate) fn surface_at(&self, ray: &Ray, intersection: Intersection) -> SurfacePoint {
        let met = self.to_local(ray.at(intersection.distance) - self.center);
        let axis = intersection.part as usize % 3;
        let side = if intersection.part < 3 { -1.0 } else { 1.0 };
        self.face(axis, side, met)
    }

    /// The area of one face perpendicular to each axis.
    pub(super) fn face_areas(&self) -> [f32; 3] {
        let half = self.half;
        [half.y * half.z, half.z * half.x, half.x * half.y].map(|quarter| 4.0 * quarter)
    }

    pub(super) fn sample_area(&self, [u, v]: [f32; 2]) -> SurfacePoint {
        let areas = self.face_areas();
        let (face, u) = choose_part(&[areas, areas].concat(), u);
        self.on_face(face, [u, v])
    }

    /// The point of a face, given by its part, with coordinates from 0 to 1 along the next two
    /// axes.
    pub(super) fn on_face(&self, face: usize, [u, v]: [f32; 2]) -> SurfacePoint {
        let (axis, side) = (face % 3, if face < 3 { -1.0 } else { 1.0 });
        let mut local = Vec3A::ZERO;
        local[(axis + 1) % 3] = (2.0 * u - 1.0) * self.half[(axis + 1) % 3];
        local[(axis + 2) % 3] = (2.0 * v - 1.0) * self.half[(axis + 2) % 3];
        self.face(axis, side, local)
    }

    /// The inverse of [`on_face`](Self::on_face).
    pub(super) fn face_at(&self, surface: &SurfacePoint) -> (usize, [f32; 2]) {
        let facing = self.to_local(surface.normal);
        let axis = facing.abs().max_position();
        let face = if facing[axis] < 0.0 { axis } else { axis + 3 };
        let within = self.to_local(surface.point - self.center) / self.half * 0.5 + 0.5;
        (face, [within[(axis + 1) % 3], within[(axis + 2) % 3]])
    }

    /// The point of a face nearest to `local`.
    fn face(&self, axis: usize, side: f32, local: Vec3A) -> SurfacePoint {
        let mut local = local.clamp(-self.half, self.half);
        local[axis] = side * self.half[axis];
        let normal = self.to_world.col(axis) * side;
        let point = self.center + self.to_world * local;
        SurfacePoint::new(point, normal, self.half.element_sum())
    }
}
