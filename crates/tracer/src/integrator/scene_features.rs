//! Features of a scene that the path tracer is specialised for: fog.
//!
//! The specialisation is a type, chosen once, so that features a scene does not have cost nothing.

use glam::Vec3A;

use crate::fog::Fog;
use crate::light::{End, LightSample};
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

    /// The features of `world`; `None` if it has others.
    fn of(world: &World) -> Option<Self>;

    fn is_in_air(place: Self::Place) -> bool;

    /// The fog, if there is any.
    fn fog(&self) -> Option<&Fog>;
}

/// No fog.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clear;

impl SceneFeatures for Clear {
    type Place = ();
    const SURFACE: () = ();
    const AIR: () = ();
    const SETS: u32 = 2;

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
