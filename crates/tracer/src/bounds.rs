//! Axis-aligned boxes in single precision.

use glam::Vec3A;

/// An axis-aligned box in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) min: Vec3A,
    pub(crate) max: Vec3A,
}

impl Bounds {
    /// The empty box: the neutral element of [`union`](Self::union).
    pub(crate) const EMPTY: Self =
        Self { min: Vec3A::splat(f32::INFINITY), max: Vec3A::splat(f32::NEG_INFINITY) };

    /// The box of the document, enlarged by a few rounding errors, since the shape itself is
    /// rounded, too.
    pub(crate) fn enclosing(aabb: scene::Aabb) -> Self {
        let [min, max] =
            [aabb.min, aabb.max].map(|corner| Vec3A::from_array(corner.map(|x| x as f32)));
        let margin = 4.0 * f32::EPSILON * min.abs().max(max.abs()).max(max - min);
        Self { min: min - margin, max: max + margin }
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(crate) fn with_point(self, point: Vec3A) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    pub(crate) fn center(self) -> Vec3A {
        (self.min + self.max) * 0.5
    }

    /// Half the surface area; 0 for the empty box.
    pub(crate) fn half_area(self) -> f32 {
        let size = (self.max - self.min).max(Vec3A::ZERO);
        size.x * size.y + size.y * size.z + size.z * size.x
    }

    /// The distance at which the ray enters the box (0 from inside), if that is before `t_max`.
    ///
    /// The far distance is enlarged so that rounding never misses a box: PBR 4e, section 6.8.2.
    #[cfg(test)]
    pub(crate) fn entry(&self, ray: &crate::ray::Ray, t_max: f32) -> Option<f32> {
        let low = (self.min - ray.origin) * ray.inverse();
        let high = (self.max - ray.origin) * ray.inverse();
        let near = low.min(high).max_element().max(0.0);
        let far = low.max(high).min_element() * (1.0 + 8.0 * f32::EPSILON);
        (near <= far && near < t_max).then_some(near)
    }
}
