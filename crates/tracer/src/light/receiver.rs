//! Where light arrives.

use glam::Vec3A;

/// A point of a surface that light may arrive at, in a world of which `K` is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Receiver<K = Anything> {
    pub(crate) point: Vec3A,
    /// On the side that is lit.
    pub(crate) normal: Vec3A,
    /// Whether the sky is sampled, too, even if it is smooth. Glossy surfaces find a smooth one better
    /// by themselves; for matte ones the additional sample pays.
    pub(crate) samples_sky: bool,
    /// Whether light from behind counts as well.
    pub(crate) both_sides: bool,
    pub(crate) known: K,
}

/// What is known of a world when the code is compiled, so that nobody asks for it at a point.
pub(crate) trait Known: Copy {
    /// Whether light counts on one side of surfaces only.
    const ONE_SIDED: bool;
    /// Whether the sky is even or a gradient.
    const EVEN_SKY: bool;
}

/// There may be anything.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Anything;

impl Known for Anything {
    const ONE_SIDED: bool = false;
    const EVEN_SKY: bool = false;
}

/// No surface lets light through but glass, in single directions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OneSided<const EVEN_SKY: bool>;

impl<const EVEN_SKY: bool> Known for OneSided<EVEN_SKY> {
    const ONE_SIDED: bool = true;
    const EVEN_SKY: bool = EVEN_SKY;
}

impl<K: Known> Receiver<K> {
    /// A point in the air, which light arrives at from all around.
    pub(crate) fn in_air(point: Vec3A, before: Vec3A, known: K) -> Self {
        Self { point, normal: before, samples_sky: true, both_sides: true, known }
    }

    /// The same in a world of which nothing is known.
    pub(super) fn anywhere(&self) -> Receiver {
        let Self { point, normal, samples_sky, both_sides, .. } = *self;
        Receiver { point, normal, samples_sky, both_sides, known: Anything }
    }

    /// Roughly the irradiance that `of_side` gives for a surface that faces a normal, of all sides
    /// that count.
    #[inline(always)]
    pub(super) fn importance(&self, of_side: impl Fn(Vec3A) -> f32) -> f32 {
        let front = of_side(self.normal);
        if !K::ONE_SIDED && self.both_sides { front + of_side(-self.normal) } else { front }
    }
}
