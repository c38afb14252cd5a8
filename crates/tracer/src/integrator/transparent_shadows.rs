//! Shadow rays through transparent surfaces: thin walls and partial coverage.

use glam::Vec3A;

use super::medium::Medium;
use super::vertex::Vertex;
use crate::bsdf::ShadingArena;
use crate::ray::Ray;
use crate::world::World;

/// The transmittance of a shadow ray.
pub(super) struct Transmittance {
    /// Per channel; 0 where an opaque surface occludes the light.
    pub(super) share: Vec3A,
    /// The number of surfaces crossed.
    pub(super) surfaces: u32,
}

/// The transmittance of a shadow ray to `end`, or to the sky, through at most `max_surfaces` transparent surfaces. Light
/// passes these without a change of direction.
pub(super) fn transmittance(
    world: &World,
    mut ray: Ray,
    end: Option<Vec3A>,
    arena: &ShadingArena,
    max_surfaces: u32,
) -> Transmittance {
    let blocked = Transmittance { share: Vec3A::ZERO, surfaces: 0 };
    let towards = ray.direction;
    let mut share = Vec3A::ONE;
    for surfaces in 0..=max_surfaces {
        let distance = match end {
            None => f32::INFINITY,
            Some(end) => {
                let way = end - ray.origin;
                let distance = way.length();
                if distance == 0.0 || way.dot(towards) < 0.0 {
                    return Transmittance { share, surfaces };
                }
                ray = Ray::new(ray.origin, way / distance);
                distance
            }
        };
        let Some(mut hit) = world.intersect(&ray).filter(|hit| hit.distance < distance) else {
            return Transmittance { share, surfaces };
        };
        let Some(bsdf) = hit.bsdf(arena).filter(|bsdf| bsdf.is_straight()) else { return blocked };
        // Nothing about the vertex but its frame is asked for.
        let vertex = Vertex::new(hit.surface, bsdf, ray.direction, Medium::AIR);
        share *= vertex.straight();
        if share == Vec3A::ZERO {
            return blocked;
        }
        ray = Ray::new(hit.surface.origin_towards(ray.direction), ray.direction);
    }
    blocked
}
