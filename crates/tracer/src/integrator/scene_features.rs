//! Features of a scene that the path tracer is specialised for: fog, and the complexity of BSDFs.
//!
//! The specialisation is a type, chosen once, so that features a scene does not have cost nothing.

use glam::Vec3A;

use crate::bsdf::{Bsdf, Scatters, Simple};
use crate::fog::Fog;
use crate::light::{Anything, End, Known, LightSample, OneSided};
use crate::world::World;

/// A set of features, fixed at compile time.
pub(super) trait SceneFeatures: Copy {
    /// Whether a vertex is in a medium; `()` where there is none.
    type Place: Copy;
    /// The value for vertices on surfaces.
    const SURFACE: Self::Place;
    /// The value for vertices in a medium.
    const AIR: Self::Place;
    /// The number of sets of random numbers for each edge.
    const SETS: u32;
    /// Compile-time facts for light sampling.
    type Known: Known;
    const KNOWN: Self::Known;
    /// The type of BSDFs.
    type Surface: Scatters;
    /// Whether it [is simple](crate::world::World::is_simple).
    const SIMPLE: bool;

    /// `bsdf` as that type; `None` where it is of another.
    fn surface(bsdf: &Bsdf) -> Option<&Self::Surface>;

    /// The features of `world`; `None` if it has others.
    fn of(world: &World) -> Option<Self>;

    fn is_in_air(place: Self::Place) -> bool;

    /// The fog, if there is any.
    fn fog(&self) -> Option<&Fog>;
}

/// No fog, in a world that [is simple](crate::world::World::is_simple), with a smooth sky or not.
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

/// No fog.
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

/// Fog that scatters light.
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
    /// The transmittance of the fog between `light` and `point`.
    pub(super) fn left_of(&self, light: &LightSample, point: Vec3A) -> f32 {
        let distance = match light.end {
            End::Infinity => f32::INFINITY,
            End::Point(end) => point.distance(end),
            End::Surface(end) => point.distance(end.point),
        };
        self.left(point, light.direction, distance)
    }
}
