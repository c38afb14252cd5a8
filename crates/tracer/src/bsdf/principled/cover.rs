//! The interface of layers to the albedo tables of the base below them.

use glam::Vec3A;

/// A layer, or several, over an interface. `None` is no layer.
pub(super) trait Cover: Copy {
    /// The transmittance along `w`, from any side.
    fn passing(self, w: Vec3A) -> f32;

    /// The transmittance of light that enters along one of the directions and leaves along the other.
    fn passing_both(self, a: Vec3A, b: Vec3A) -> f32 {
        self.passing(a).min(self.passing(b))
    }

    /// The numbers that this depends on: a key for tables.
    fn signature(self) -> Vec<u32>;
}

impl<C: Cover> Cover for Option<C> {
    fn passing(self, w: Vec3A) -> f32 {
        self.map_or(1.0, |layer| layer.passing(w))
    }

    fn signature(self) -> Vec<u32> {
        self.map_or_else(Vec::new, Cover::signature)
    }
}
