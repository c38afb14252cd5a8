//! Media between surfaces.

use glam::Vec3A;

use crate::bsdf::Scatters;

/// Air, or the inside of an absorbing solid, by its absorption coefficient per metre and channel. A path
/// starts in air and is in air again after it leaves any surface: nested media are not supported.
#[derive(Debug, Clone, Copy)]
pub(super) struct Medium(Option<Vec3A>);

impl Medium {
    pub(super) const AIR: Self = Self(None);

    /// The medium behind a surface.
    #[inline(always)]
    pub(super) fn of(surface: &impl Scatters) -> Self {
        Self(surface.absorbing().map(|solid| solid.absorption().unwrap_or(Vec3A::ZERO)))
    }

    #[inline(always)]
    pub(super) fn is_air(self) -> bool {
        self.0.is_none()
    }

    /// The transmittance of `distance` metres (Beer's law); `None` for air.
    #[inline(always)]
    pub(super) fn left_after(self, distance: f32) -> Option<Vec3A> {
        self.0.map(|absorption| left(absorption, distance))
    }
}

#[inline(never)]
fn left(absorption: Vec3A, distance: f32) -> Vec3A {
    Vec3A::from_array(absorption.to_array().map(|share| (-share * distance).exp()))
}
