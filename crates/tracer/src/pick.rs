//! Picking: the object at a point of the image.

use glam::{DVec3, Vec2, Vec3A};
use scene::Id;

use crate::object_kind::ObjectKind;
use crate::ray::Ray;
use crate::vector::single;
use crate::world::World;

/// The object at a point of the image.
#[derive(Debug, Clone, PartialEq)]
pub struct Picked {
    /// Its id in the document.
    pub id: Id,
    /// Its kind.
    pub kind: ObjectKind,
    /// The hit point, in world space.
    pub point: [f32; 3],
    /// The unit normal there, on the viewer's side.
    pub normal: [f32; 3],
    /// Distance from the camera, in metres.
    pub distance: f32,
}

impl World {
    /// The object at `x`, `y` of the image, from (0, 0) at its top left to (1, 1) at its bottom
    /// right. `aspect` is width over height. `None` for the sky.
    ///
    /// The ray goes through the centre of the lens, whatever its aperture.
    pub fn pick(&self, x: f32, y: f32, aspect: f32) -> Option<Picked> {
        let ray = self.camera.ray(Vec2::new(x, y), aspect, [0.5; 2]);
        let hit = self.intersect_from_camera(&ray)?;
        let (id, kind) = self.object_of(&hit);
        let outside = hit.surface.normal.dot(ray.direction) < 0.0;
        let normal = if outside { hit.surface.normal } else { -hit.surface.normal };
        Some(Picked {
            id: id.clone(),
            kind: *kind,
            point: hit.surface.point.to_array(),
            normal: normal.to_array(),
            distance: hit.distance,
        })
    }

    /// The first object along the ray from the point `from` through the point `to`, in world space,
    /// for which `is_clear` is false; the ray passes others without refraction. It passes at most
    /// 64 surfaces, and lights that are hidden from the camera do not count.
    pub fn first_towards(
        &self,
        from: [f64; 3],
        to: [f64; 3],
        is_clear: impl Fn(&Id) -> bool,
    ) -> Option<&Id> {
        const MAX_SURFACES: usize = 64;
        let (from, to) = (DVec3::from(from), DVec3::from(to));
        let direction: Vec3A = single((to - from).try_normalize()?);
        let mut ray = Ray::new(single(from), direction);
        for _ in 0..MAX_SURFACES {
            let hit = self.intersect_from_camera(&ray)?;
            let (id, _) = self.object_of(&hit);
            if !is_clear(id) {
                return Some(id);
            }
            ray = Ray::new(hit.surface.origin_towards(direction), direction);
        }
        None
    }
}
