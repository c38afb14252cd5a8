//! Points that lights are sampled for.

use fearless_simd::Simd;
use glam::Vec3A;

use crate::ray_lanes::Vectors;

/// A shading point that lights are sampled for, in a type of world `K`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Receiver<K = Anything> {
    pub(crate) point: Vec3A,
    /// The unit normal on the viewer's side.
    pub(crate) normal: Vec3A,
    /// Whether even a smooth sky is sampled. For diffuse surfaces that pays; glossy surfaces find a
    /// smooth sky better by BSDF samples.
    pub(crate) samples_sky: bool,
    /// Whether light from behind contributes as well.
    pub(crate) both_sides: bool,
    pub(crate) known: K,
}

/// Compile-time facts about a world, which save checks at every shading point.
pub(crate) trait Known: Copy {
    /// Whether surfaces scatter light from one side only.
    const ONE_SIDED: bool;
    /// Whether the sky is even or a gradient.
    const EVEN_SKY: bool;
}

/// No restrictions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Anything;

impl Known for Anything {
    const ONE_SIDED: bool = false;
    const EVEN_SKY: bool = false;
}

/// No surface transmits light but smooth glass.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OneSided<const EVEN_SKY: bool>;

impl<const EVEN_SKY: bool> Known for OneSided<EVEN_SKY> {
    const ONE_SIDED: bool = true;
    const EVEN_SKY: bool = EVEN_SKY;
}

impl Receiver {
    /// A point in a medium, which light reaches from all directions.
    pub(crate) fn in_air(point: Vec3A, before: Vec3A) -> Self {
        Self { point, normal: before, samples_sky: true, both_sides: true, known: Anything }
    }
}

impl<K: Known> Receiver<K> {
    /// The same without compile-time facts.
    pub(super) fn anywhere(&self) -> Receiver {
        let Self { point, normal, samples_sky, both_sides, .. } = *self;
        Receiver { point, normal, samples_sky, both_sides, known: Anything }
    }

    /// The sum of `of_side`, an estimate of irradiance by normal, over the sides that receive
    /// light.
    #[inline(always)]
    pub(super) fn importance(&self, of_side: impl Fn(Vec3A) -> f32) -> f32 {
        let front = of_side(self.normal);
        if !K::ONE_SIDED && self.both_sides { front + of_side(-self.normal) } else { front }
    }
}

/// Points of surfaces that lights are sampled for, of which light arrives at one side.
pub(crate) struct Receivers<S: Simd, K> {
    pub(crate) point: Vectors<S>,
    pub(crate) normal: Vectors<S>,
    /// See [`Receiver::samples_sky`]: bit masks.
    pub(crate) samples_sky: u32,
    /// A bit mask of the lanes that there are.
    pub(crate) lanes: u32,
    pub(crate) known: K,
}
