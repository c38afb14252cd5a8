//! What light goes through between two surfaces.

use glam::Vec3A;

use crate::bsdf::{Principled, Scatters};

/// Air, or the inside of something that absorbs. A path begins in air, and is in air again after it
/// has left any surface: clear things inside each other are not told apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Medium<'world>(Option<&'world Principled>);

impl<'world> Medium<'world> {
    pub(super) const AIR: Self = Self(None);

    /// Behind a surface.
    #[inline(always)]
    pub(super) fn of(surface: &'world impl Scatters) -> Self {
        Self(surface.absorbing())
    }

    #[inline(always)]
    pub(super) fn is_air(self) -> bool {
        self.0.is_none()
    }

    /// What is left of light after `distance` metres; `None` when it is all of it.
    #[inline(always)]
    pub(super) fn left_after(self, distance: f32) -> Option<Vec3A> {
        self.0.map(|bsdf| left(bsdf, distance))
    }
}

#[inline(never)]
fn left(bsdf: &Principled, distance: f32) -> Vec3A {
    let absorption = bsdf.absorption().unwrap_or(Vec3A::ZERO);
    Vec3A::from_array(absorption.to_array().map(|share| (-share * distance).exp()))
}
