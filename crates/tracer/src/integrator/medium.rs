//! Media between surfaces.

use glam::Vec3A;

use crate::bsdf::{Principled, Scatters};

/// Air, or the inside of an absorbing solid. A path starts in air and is in air again after it
/// leaves any surface: nested media are not supported.
#[derive(Debug, Clone, Copy)]
pub(super) struct Medium<'world>(Option<&'world Principled>);

impl<'world> Medium<'world> {
    pub(super) const AIR: Self = Self(None);

    /// The medium behind a surface.
    #[inline(always)]
    pub(super) fn of(surface: &'world impl Scatters) -> Self {
        Self(surface.absorbing())
    }

    #[inline(always)]
    pub(super) fn is_air(self) -> bool {
        self.0.is_none()
    }

    /// The transmittance of `distance` metres (Beer's law); `None` for air.
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
