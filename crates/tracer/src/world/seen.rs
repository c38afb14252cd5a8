//! What rays from the camera hit: they pass through lights that are hidden from it.

use fearless_simd::{Simd, dispatch};
use glam::Vec3A;

use super::body::LIGHT_ADVANTAGE;
use super::{Content, Hit, World};
use crate::bvh::Stacks;
use crate::primitive::Intersection;
use crate::ray::Ray;
use crate::surface_kind::SurfaceKind;

impl World {
    /// The first hit of a ray from the camera.
    pub(crate) fn intersect_from_camera(&self, ray: &Ray) -> Option<Hit<'_>> {
        self.seen_from_camera(ray, self.intersect(ray))
    }

    /// The first hit of a ray from the camera, where `hit` is that of any other ray.
    #[inline(always)]
    pub(crate) fn seen_from_camera<'world>(
        &'world self,
        ray: &Ray,
        hit: Option<Hit<'world>>,
    ) -> Option<Hit<'world>> {
        match &hit {
            Some(Hit { kind: SurfaceKind::Light(_), .. }) if self.content.has_hidden_lights => {
                self.first_seen(ray)
            }
            _ => hit,
        }
    }

    /// Whether any light is hidden from the camera.
    pub(crate) fn has_hidden_lights(&self) -> bool {
        self.content.has_hidden_lights
    }

    /// Whether anything that the camera sees is between a point and the camera.
    pub(crate) fn is_hidden_between(&self, start: Vec3A, camera: Vec3A) -> bool {
        let Some((ray, distance)) = Ray::between(start, camera) else { return false };
        self.first_seen(&ray).is_some_and(|hit| hit.distance < distance)
    }

    /// Not inlined: few rays hit a light.
    #[inline(never)]
    fn first_seen(&self, ray: &Ray) -> Option<Hit<'_>> {
        let found = dispatch!(self.level, simd => self.content.nearest_seen(simd, ray));
        let (index, intersection) = found?;
        Some(self.hit(ray, index, intersection))
    }
}

impl Content {
    /// The index of the first body that is not hidden.
    #[inline(always)]
    fn nearest_seen<S: Simd>(&self, simd: S, ray: &Ray) -> Option<(usize, Intersection)> {
        let Stacks { of_bodies, of_mesh } = &mut Stacks::new();
        let mut nearest = None;
        let mut nearest_rank = f32::INFINITY;
        self.bvh.walk(
            simd,
            of_bodies,
            ray,
            f32::INFINITY,
            #[inline(always)]
            |leaf, t_max| {
                for index in self.leaves[leaf].all() {
                    let body = &self.bodies[index];
                    if body.is_hidden {
                        continue;
                    }
                    let met = body.primitive.intersect_with(simd, of_mesh, ray, t_max);
                    let Some(intersection) = met else { continue };
                    let rank = intersection.distance * body.handicap;
                    if rank < nearest_rank {
                        nearest_rank = rank;
                        nearest = Some((index, intersection));
                    }
                }
                // A light slightly behind the nearest hit may still win.
                nearest_rank * (1.0 + 2.0 * LIGHT_ADVANTAGE)
            },
        );
        nearest
    }
}
