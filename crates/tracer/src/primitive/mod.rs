//! Primitives: shapes that rays intersect analytically, and instances of meshes.
//!
//! Every primitive has an intersection test and a surface point for a hit. The surface point is
//! computed from the equation of the surface, not from the distance, so its error depends only on
//! the size and position of the shape.

mod area;
mod capsule;
mod cuboid;
mod disc;
mod ellipsoid;
mod frustum;
mod instance;
mod intersection;
mod mesh_areas;
mod patches;
mod quad;
mod rounded_box;
mod sampling;
mod sphere;
mod torus;
mod triangle;

use std::sync::Arc;

use fearless_simd::Simd;
use glam::DVec3;
use scene::{Aabb, BaseShape, Geometry};

pub(crate) use capsule::Capsule;
pub(crate) use cuboid::Cuboid;
pub(crate) use disc::Disc;
pub(crate) use ellipsoid::Ellipsoid;
pub(crate) use frustum::Frustum;
pub(crate) use instance::Instance;
pub(crate) use intersection::Intersection;
pub(crate) use mesh_areas::MeshAreas;
pub(crate) use quad::Quad;
pub(crate) use rounded_box::RoundedBox;
pub(crate) use sphere::Sphere;
pub(crate) use torus::Torus;
pub(crate) use triangle::Triangle;

use crate::bvh::TraversalStack;
use crate::lane_mask::lanes_of;
use crate::mesh::Meshes;
use crate::ray::{LANES, Ray, SurfacePoint};
use crate::vector::point;

/// A primitive in world space.
#[derive(Debug, Clone)]
pub(crate) enum Primitive {
    Sphere(Sphere),
    Cuboid(Cuboid),
    Quad(Quad),
    Disc(Disc),
    /// Cylinders and cones.
    Frustum(Frustum),
    Capsule(Capsule),
    Triangle(Triangle),
    /// Shared, since it is larger than the others.
    Torus(Arc<Torus>),
    /// Shared, since it is larger than the others.
    Ellipsoid(Arc<Ellipsoid>),
    /// Shared, since it is larger than the others.
    RoundedBox(Arc<RoundedBox>),
    /// Shared, since it is much larger than the others.
    Instance(Arc<Instance>),
}

impl Primitive {
    /// `None` if the mesh, or the mesh of a tessellated shape, is not among `meshes`.
    pub(crate) fn new(geometry: &Geometry, meshes: &Meshes) -> Option<Self> {
        if geometry.sides().is_some() || geometry.bevel().is_some() {
            return Some(Self::Instance(Arc::new(Instance::of_form(geometry, meshes)?)));
        }
        Some(match geometry.base() {
            BaseShape::Sphere(shape) => {
                Self::Sphere(Sphere::new(point(shape.center), shape.radius.get()))
            }
            BaseShape::Box(shape) => Self::Cuboid(Cuboid::new(shape)),
            BaseShape::Quad(shape) => {
                let (u, v) = (shape.u.get().into(), shape.v.get().into());
                Self::Quad(Quad::new(point(shape.corner), u, v))
            }
            BaseShape::Disc(shape) => {
                let normal = shape.normal.get().into();
                Self::Disc(Disc::new(point(shape.center), normal, shape.radius.get()))
            }
            BaseShape::Cylinder(shape) => {
                let radius = shape.radius.get();
                Self::Frustum(Frustum::new(
                    [point(shape.base_center), point(shape.top_center)],
                    [radius, radius],
                    shape.capped,
                ))
            }
            BaseShape::Cone(shape) => {
                let (centers, radii) = shape.ends();
                Self::Frustum(Frustum::new(centers.map(DVec3::from), radii, shape.capped))
            }
            BaseShape::Capsule(shape) => Self::Capsule(Capsule::new(
                [point(shape.start), point(shape.end)],
                shape.radius.get(),
            )),
            BaseShape::Torus(shape) => Self::Torus(Arc::new(Torus::new(shape))),
            BaseShape::Ellipsoid(shape) => Self::Ellipsoid(Arc::new(Ellipsoid::new(shape))),
            BaseShape::RoundedBox(shape) => Self::RoundedBox(Arc::new(RoundedBox::new(shape))),
            BaseShape::Tube(_)
            | BaseShape::Lathe(_)
            | BaseShape::Extrusion(_)
            | BaseShape::Text(_)
            | BaseShape::HeightField(_)
            | BaseShape::Polyhedron(_) => {
                Self::Instance(Arc::new(Instance::of_form(geometry, meshes)?))
            }
            BaseShape::Triangle(shape) => {
                Self::Triangle(Triangle::new(shape.vertices.get().map(DVec3::from)))
            }
            BaseShape::Mesh(shape) => {
                let mesh = meshes.get(shape.asset.as_str())?;
                Self::Instance(Arc::new(Instance::new(shape, Arc::clone(mesh))))
            }
        })
    }

    /// The bounding box of the shape `geometry`, whose meshes are in `meshes`.
    pub(crate) fn bounds(&self, geometry: &Geometry, meshes: &Meshes) -> Option<Aabb> {
        match (self, geometry) {
            (_, Geometry::Mesh(_)) => geometry.bounds_with(meshes),
            (Self::Instance(form), _) => Some(form.bounds()),
            _ => geometry.bounds(),
        }
    }

    /// As [`intersect`](Self::intersect), with the instructions of `simd` and a stack for walks through meshes.
    #[inline(always)]
    pub(crate) fn intersect_with<S: Simd>(
        &self,
        simd: S,
        stack: &mut TraversalStack,
        ray: &Ray,
        t_max: f32,
    ) -> Option<Intersection> {
        match self {
            Self::Instance(shape) => simd.vectorize(
                #[inline(always)]
                || shape.intersect_with(simd, stack, ray, t_max),
            ),
            _ => self.intersect(ray, t_max),
        }
    }

    /// [`intersect_with`](Self::intersect_with) for many rays that go about the same way: of those whose bit is set in
    /// `lanes`, up to their limits.
    #[inline(always)]
    pub(crate) fn intersect_beam<S: Simd>(
        &self,
        simd: S,
        rays: &[Ray],
        lanes: u32,
        limits: &[f32; LANES],
    ) -> [Option<Intersection>; LANES] {
        match self {
            Self::Instance(shape) => simd.vectorize(
                #[inline(always)]
                || shape.intersect_many(simd, rays, lanes, limits),
            ),
            _ => {
                let mut found = [None; LANES];
                for lane in lanes_of(lanes) {
                    found[lane] = self.intersect(&rays[lane], limits[lane]);
                }
                found
            }
        }
    }

    /// Whether the ray hits the shape in `0 < distance < t_max`.
    #[inline(always)]
    pub(crate) fn blocks_with<S: Simd>(
        &self,
        simd: S,
        stack: &mut TraversalStack,
        ray: &Ray,
        t_max: f32,
    ) -> bool {
        match self {
            Self::Instance(shape) => simd.vectorize(
                #[inline(always)]
                || shape.blocks_with(simd, stack, ray, t_max),
            ),
            _ => self.intersect(ray, t_max).is_some(),
        }
    }

    /// The first intersection in `0 < distance < t_max`.
    #[inline]
    pub(crate) fn intersect(&self, ray: &Ray, t_max: f32) -> Option<Intersection> {
        match self {
            Self::Sphere(shape) => shape.intersect(ray, t_max),
            Self::Cuboid(shape) => shape.intersect(ray, t_max),
            Self::Quad(shape) => shape.intersect(ray, t_max),
            Self::Disc(shape) => shape.intersect(ray, t_max),
            Self::Frustum(shape) => shape.intersect(ray, t_max),
            Self::Capsule(shape) => shape.intersect(ray, t_max),
            Self::Torus(shape) => shape.intersect(ray, t_max),
            Self::Ellipsoid(shape) => shape.intersect(ray, t_max),
            Self::RoundedBox(shape) => shape.intersect(ray, t_max),
            Self::Triangle(shape) => shape.intersect(ray, t_max),
            Self::Instance(shape) => shape.intersect(ray, t_max),
        }
    }

    /// The part of the surface that was hit, as textures and lights number them.
    #[inline(always)]
    pub(crate) fn part_of(&self, intersection: Intersection) -> u32 {
        match self {
            Self::Instance(shape) => shape.part_of(intersection),
            _ => intersection.part,
        }
    }

    /// The surface point where `ray` hits the shape.
    pub(crate) fn surface_at(&self, ray: &Ray, intersection: Intersection) -> SurfacePoint {
        match self {
            Self::Sphere(shape) => shape.surface_at(ray, intersection),
            Self::Cuboid(shape) => shape.surface_at(ray, intersection),
            Self::Quad(shape) => shape.surface_at(ray, intersection),
            Self::Disc(shape) => shape.surface_at(ray, intersection),
            Self::Frustum(shape) => shape.surface_at(ray, intersection),
            Self::Capsule(shape) => shape.surface_at(ray, intersection),
            Self::Torus(shape) => shape.surface_at(ray, intersection),
            Self::Ellipsoid(shape) => shape.surface_at(ray, intersection),
            Self::RoundedBox(shape) => shape.surface_at(ray, intersection),
            Self::Triangle(shape) => shape.surface_at(ray),
            Self::Instance(shape) => shape.surface_at(ray, intersection),
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod round_tests;
