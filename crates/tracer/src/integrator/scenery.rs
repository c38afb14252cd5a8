//! What paths have to reckon with: what fills the air, and whether surfaces are of simple kinds.
//!
//! It is chosen once for each path and known when the code is compiled, so that what a scene does not
//! have costs it nothing.

use glam::Vec3A;

use crate::fog::Fog;
use crate::light::{End, LightSample};

/// The kind of world a path goes through.
pub(super) trait Scenery: Copy {
    /// Whether a path was scattered in the air, where that can be.
    type Place: Copy;
    /// The place of those that were scattered at a surface.
    const SURFACE: Self::Place;
    /// The place of the others.
    const AIR: Self::Place;
    /// Sets of numbers that a path needs for each edge.
    const SETS: u32;
    /// Whether it [is simple](crate::world::World::is_simple).
    const SIMPLE: bool;

    fn is_in_air(place: Self::Place) -> bool;

    /// The fog, where there is some.
    fn fog(&self) -> Option<&Fog>;
}

/// Clear air; `SIMPLE` as [`Scenery::SIMPLE`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Clear<const SIMPLE: bool>;

impl<const SIMPLE: bool> Scenery for Clear<SIMPLE> {
    type Place = ();
    const SURFACE: () = ();
    const AIR: () = ();
    const SETS: u32 = 2;
    const SIMPLE: bool = SIMPLE;

    #[inline(always)]
    fn is_in_air((): ()) -> bool {
        false
    }

    #[inline(always)]
    fn fog(&self) -> Option<&Fog> {
        None
    }
}

/// Air that scatters light on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foggy<'world>(pub(super) &'world Fog);

impl Scenery for Foggy<'_> {
    type Place = bool;
    const SURFACE: bool = false;
    const AIR: bool = true;
    const SETS: u32 = 3;
    const SIMPLE: bool = false;

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
