//! What paths have to reckon with: what fills the air, and whether surfaces are of simple kinds.
//!
//! It is chosen once for each path and known when the code is compiled, so that what a scene does not
//! have costs it nothing.

use glam::Vec3A;

use crate::bsdf::{Bsdf, Scatters, Simple};
use crate::fog::Fog;
use crate::light::{Anything, End, Known, LightSample, OneSided};
use crate::world::World;

/// The kind of world a path goes through.
pub(super) trait SceneFeatures: Copy {
    /// Whether a path was scattered in the air, where that can be.
    type Place: Copy;
    /// The place of those that were scattered at a surface.
    const SURFACE: Self::Place;
    /// The place of the others.
    const AIR: Self::Place;
    /// Sets of numbers that a path needs for each edge.
    const SETS: u32;
    /// What is known of where light arrives.
    type Known: Known;
    const KNOWN: Self::Known;
    /// The kinds of surfaces there are.
    type Surface: Scatters;
    /// Whether it [is simple](crate::world::World::is_simple).
    const SIMPLE: bool;

    /// `bsdf` as one of those kinds; `None` where there is no such thing.
    fn surface(bsdf: &Bsdf) -> Option<&Self::Surface>;

    /// That of `world`, if it is of this kind.
    fn of(world: &World) -> Option<Self>;

    fn is_in_air(place: Self::Place) -> bool;

    /// The fog, where there is some.
    fn fog(&self) -> Option<&Fog>;
}

/// Clear air in a world that [is simple](crate::world::World::is_simple), below a sky that may be even.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain<const EVEN_SKY: bool>;

impl<const EVEN_SKY: bool> SceneFeatures for Plain<EVEN_SKY> {
    type Place = ();
    const SURFACE: () = ();
    const AIR: () = ();
    const SETS: u32 = 2;
    type Known = OneSided<EVEN_SKY>;
    const KNOWN: Self::Known = OneSided;
    type Surface = Simple;
    const SIMPLE: bool = true;

    #[inline(always)]
    fn surface(bsdf: &Bsdf) -> Option<&Simple> {
        bsdf.simple()
    }

    #[inline(always)]
    fn of(_: &World) -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn is_in_air((): ()) -> bool {
        false
    }

    #[inline(always)]
    fn fog(&self) -> Option<&Fog> {
        None
    }
}

/// Clear air.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clear;

impl SceneFeatures for Clear {
    type Place = ();
    const SURFACE: () = ();
    const AIR: () = ();
    const SETS: u32 = 2;
    type Known = Anything;
    const KNOWN: Anything = Anything;
    type Surface = Bsdf;
    const SIMPLE: bool = false;

    #[inline(always)]
    fn surface(bsdf: &Bsdf) -> Option<&Bsdf> {
        Some(bsdf)
    }

    #[inline(always)]
    fn of(_: &World) -> Option<Self> {
        Some(Self)
    }

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
pub(super) struct Foggy(Fog);

impl SceneFeatures for Foggy {
    type Place = bool;
    const SURFACE: bool = false;
    const AIR: bool = true;
    const SETS: u32 = 3;
    type Known = Anything;
    const KNOWN: Anything = Anything;
    type Surface = Bsdf;
    const SIMPLE: bool = false;

    #[inline(always)]
    fn surface(bsdf: &Bsdf) -> Option<&Bsdf> {
        Some(bsdf)
    }

    fn of(world: &World) -> Option<Self> {
        world.fog().copied().map(Self)
    }

    #[inline(always)]
    fn is_in_air(place: bool) -> bool {
        place
    }

    #[inline(always)]
    fn fog(&self) -> Option<&Fog> {
        Some(&self.0)
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
