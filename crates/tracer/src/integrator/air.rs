//! What paths go through outside of things: clear air, or fog.
//!
//! Which of the two it is is known when the code is compiled, so that clear air costs nothing.

use glam::Vec3A;

use crate::fog::Fog;
use crate::light::{End, LightSample};

/// The air of a scene.
pub(super) trait Air: Copy {
    /// Whether a path was scattered in the air, where that can be.
    type Place: Copy;
    /// The place of those that were scattered at a surface.
    const SURFACE: Self::Place;
    /// The place of the others.
    const AIR: Self::Place;
    /// Sets of numbers that a path needs for each edge.
    const SETS: u32;

    fn is_in_air(place: Self::Place) -> bool;

    /// The fog, where there is some.
    fn fog(&self) -> Option<&Fog>;
}

/// Nothing happens in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clear;

impl Air for Clear {
    type Place = ();
    const SURFACE: () = ();
    const AIR: () = ();
    const SETS: u32 = 2;

    #[inline(always)]
    fn is_in_air((): ()) -> bool {
        false
    }

    #[inline(always)]
    fn fog(&self) -> Option<&Fog> {
        None
    }
}

/// Scatters light on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foggy<'world>(pub(super) &'world Fog);

impl Air for Foggy<'_> {
    type Place = bool;
    const SURFACE: bool = false;
    const AIR: bool = true;
    const SETS: u32 = 3;

    #[inline(always)]
    fn is_in_air(place: bool) -> bool {
        place
    }

    #[inline(always)]
    fn fog(&self) -> Option<&Fog> {
        Some(self.0)
    }
}

impl Fog {
    /// What is left of `light` on its way to `point`.
    pub(super) fn left_of(&self, light: &LightSample, point: Vec3A) -> f32 {
        let distance = match light.end {
            End::Infinity => f32::INFINITY,
            End::Point(end) => point.distance(end),
            End::Surface(end) => point.distance(end.point),
        };
        self.left(point, light.direction, distance)
    }
}
