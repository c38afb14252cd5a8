//! Instances of meshes.

use std::sync::Arc;

use fearless_simd::{Simd, dispatch};
use glam::{DMat3, DVec3, Mat3A, Vec3A};

use media::MeshData;
use scene::{Aabb, Geometry};
use tessellation::MeshKey;

use super::Intersection;
use super::mesh_areas::MeshAreas;
use super::sampling::even_in_triangle;
use super::triangle::{blend, extent, weights_along, weights_at};
use crate::bvh::TraversalStack;
use crate::instructions::InstructionSet;
use crate::mesh::{Mesh, Meshes};
use crate::ray::{LANES, ROUNDING, Ray, SurfacePoint};
use crate::vector::point;
use crate::vector::single;

/// A mesh with a transform. Rays are transformed to the mesh's space, so that all instances share
/// its BVH. The part of an intersection is the place of the triangle in the mesh's tree; see
/// [`part_of`](Self::part_of).
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    mesh: Arc<Mesh>,
    to_world: DMat3,
    translation: DVec3,
    to_mesh: Mat3A,
    /// The translation in single precision.
    center: Vec3A,
    /// A bound of the rounding error, per axis, of transforming a vector to the mesh, relative to
    /// the vector's components.
    rounding: Mat3A,
}

impl Instance {
    pub(crate) fn new(shape: &scene::Mesh, mesh: Arc<Mesh>) -> Self {
        let to_world = DMat3::from_cols_array_2d(&shape.matrix()).transpose();
        Self::placed(to_world, point(shape.translation), mesh)
    }

    /// An instance for a tessellated shape; `None` if its mesh is not among `meshes`, and for other
    /// kinds.
    pub(crate) fn of_form(geometry: &Geometry, meshes: &Meshes) -> Option<Self> {
        let form = MeshKey::of(geometry)?;
        let mesh = Arc::clone(meshes.get(&form.name)?);
        let to_world = DMat3::from_cols_array_2d(&form.placement.rotation).transpose();
        Some(Self::placed(to_world, form.placement.translation.into(), mesh))
    }

    /// The bounding box in the world.
    pub(crate) fn bounds(&self) -> Aabb {
        let local = self.mesh.bounds();
        let (center, half) = (DVec3::from(local.center()), 0.5 * DVec3::from(local.size()));
        let center = self.to_world * center + self.translation;
        let reach = self.to_world.abs() * half;
        Aabb::around(center.to_array(), reach.to_array())
    }

    fn placed(to_world: DMat3, translation: DVec3, mesh: Arc<Mesh>) -> Self {
        let to_mesh = to_world.inverse();
        // The transform there takes three products and two sums per component; the error is seen
        // after the transform back.
        let rounding = to_world.abs() * to_mesh.abs() * f64::from(4.0 * ROUNDING);
        Self {
            mesh,
            to_world,
            translation,
            to_mesh: to_mesh.as_mat3().into(),
            center: single(translation),
            rounding: rounding.as_mat3().into(),
        }
    }

    /// The ray in the mesh's space; distances stay the same.
    #[inline(always)]
    fn local(&self, ray: &Ray) -> Ray {
        Ray::new(self.to_mesh * (ray.origin - self.center), self.to_mesh * ray.direction)
    }

    #[inline(always)]
    pub(crate) fn intersect_with<S: Simd>(
        &self,
        simd: S,
        stack: &mut TraversalStack,
        ray: &Ray,
        t_max: f32,
    ) -> Option<Intersection> {
        let found = self.mesh.nearest(simd, stack, &self.local(ray), t_max)?;
        Some(Intersection { distance: found.distance, part: found.place })
    }

    /// Of those of the rays whose bit is set in `lanes`, up to their `limits`.
    #[inline(always)]
    pub(crate) fn intersect_many<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray],
        lanes: u32,
        limits: &[f32; LANES],
    ) -> [Option<Intersection>; LANES] {
        let mut local = [rays[0]; LANES];
        for (local, ray) in local.iter_mut().zip(rays) {
            *local = self.local(ray);
        }
        let found = self.mesh.nearest_of_many(simd, &local[..rays.len()], lanes, limits);
        found.map(|found| {
            found.map(|found| Intersection { distance: found.distance, part: found.place })
        })
    }

    #[inline(always)]
    pub(crate) fn blocks_with<S: Simd>(
        &self,
        simd: S,
        stack: &mut TraversalStack,
        ray: &Ray,
        t_max: f32,
    ) -> bool {
        self.mesh.blocks(simd, stack, &self.local(ray), t_max)
    }

    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        let level = InstructionSet::Best.level();
        dispatch!(level, simd => self.intersect_with(simd, &mut TraversalStack::new(), ray, t_max))
    }

    /// Computed in double precision from the corners in the world: the error is that of
    /// transforming the next ray, of its triangle test, and of the point itself.
    pub(crate) fn surface_at(&self, ray: &Ray, intersection: Intersection) -> SurfacePoint {
        let (triangle, corners) = self.mesh.triangle_at(intersection.part);
        let from_center = corners.map(|corner| self.around_center(corner));
        let origin = ray.origin.as_dvec3() - self.translation;
        let weights = weights_along(origin, ray.direction.as_dvec3(), from_center);
        self.surface(triangle, from_center, weights, -ray.direction)
    }

    /// The part of the surface that was hit: the index of the triangle.
    pub(super) fn part_of(&self, intersection: Intersection) -> u32 {
        self.mesh.triangle_at(intersection.part).0
    }

    /// The areas of all triangles.
    pub(crate) fn areas(&self) -> MeshAreas {
        MeshAreas::new(self.triangle_areas())
    }

    /// A point of the surface, uniform by area, and its triangle.
    pub(super) fn sample_area(&self, areas: &MeshAreas, u: [f32; 2]) -> (SurfacePoint, u32) {
        let (triangle, within) = areas.choose(u);
        (self.triangle_at(triangle, even_in_triangle(within)), triangle)
    }

    pub(super) fn triangle_areas(&self) -> impl Iterator<Item = f64> {
        (0..self.mesh.data().triangles.len()).map(|triangle| {
            let [a, b, c] = self.corners_around_center(triangle as u32);
            0.5 * (b - a).cross(c - a).length()
        })
    }

    /// The barycentric coordinates of a point of a triangle.
    pub(super) fn weights_at(&self, triangle: u32, point: Vec3A) -> [f64; 3] {
        weights_at(self.corners_around_center(triangle), point.as_dvec3() - self.translation)
    }

    /// The point of a triangle with these barycentric coordinates.
    pub(super) fn triangle_at(&self, triangle: u32, weights: [f64; 3]) -> SurfacePoint {
        self.surface(triangle, self.corners_around_center(triangle), weights, Vec3A::Z)
    }

    /// The corners of a triangle in world space, relative to the mesh's origin.
    fn corners_around_center(&self, triangle: u32) -> [DVec3; 3] {
        let data = self.mesh.data();
        let vertices = data.triangles[triangle as usize];
        vertices.map(|vertex| self.around_center(data.positions[vertex as usize]))
    }

    /// A vertex in world space, relative to the mesh's origin.
    #[inline(always)]
    fn around_center(&self, vertex: [f32; 3]) -> DVec3 {
        self.to_world * DVec3::from(vertex.map(f64::from))
    }

    /// The point of a triangle with these [corners](Self::corners_around_center); `fallback` is the normal of a
    /// degenerate triangle.
    fn surface(
        &self,
        triangle: u32,
        from_center: [DVec3; 3],
        weights: [f64; 3],
        fallback: Vec3A,
    ) -> SurfacePoint {
        let [a, b, c] = from_center;
        let flat = (b - a).cross(c - a).try_normalize().map_or(fallback, single);
        let smooth = self.smooth_normal(triangle, weights);
        let normal = match smooth {
            Some(smooth) if smooth.dot(flat) < 0.0 => -flat,
            _ => flat,
        };
        let place = blend(weights, from_center);
        let point = single(place + self.translation);
        let error = self.rounding * single(place).abs()
            + 16.0 * ROUNDING * extent(from_center)
            + 4.0 * ROUNDING * point.abs();
        SurfacePoint { point, error, normal, shading: smooth.unwrap_or(normal) }
    }

    /// The interpolated vertex normal; `None` if the mesh has none.
    fn smooth_normal(&self, triangle: u32, weights: [f64; 3]) -> Option<Vec3A> {
        let MeshData { triangles, normals, .. } = self.mesh.data();
        if normals.is_empty() {
            return None;
        }
        let vertices = triangles[triangle as usize];
        let normals = vertices.map(|vertex| DVec3::from(normals[vertex as usize].map(f64::from)));
        // Normals transform by the inverse transpose.
        let turned = self.to_mesh.transpose() * single(blend(weights, normals));
        turned.try_normalize()
    }
}
