//! Noise at one point, or at four nearby points at once by SIMD: bump maps need four for their
//! gradients.

use std::ops::{Add, Div, Mul, Sub};

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, u32x8};
use glam::{IVec3, Vec3A, Vec4};

use super::lattice::{CORNERS, hash_corners, scattered_around, split};

/// A number, or one at each of four points.
pub(super) trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Add<f32, Output = Self>
    + Sub<f32, Output = Self>
    + Mul<f32, Output = Self>
{
    type Points: Points<Self>;

    fn hypot(self, other: Self) -> Self;

    fn floor(self) -> Self;

    fn map(self, of: impl Fn(f32) -> f32) -> Self;

    fn abs(self) -> Self;

    fn clamp(self, low: f32, high: f32) -> Self;

    /// The interpolation of `L` at each point, from the corners of its lattice cell.
    fn of_lattice<S: Simd, L: Lattice>(simd: S, points: Self::Points) -> Self;

    /// Calls `of` for each point, with the feature points in the cells around it.
    fn of_scattered(points: Self::Points, of: impl Fn(&[Vec3A; 27], IVec3, Vec3A) -> f32) -> Self;
}

/// A point, or four.
pub(super) trait Points<N>:
    Copy
    + Add<Output = Self>
    + Add<Vec3A, Output = Self>
    + Sub<Vec3A, Output = Self>
    + Mul<f32, Output = Self>
    + Mul<Vec3A, Output = Self>
    + Div<f32, Output = Self>
{
    fn of_axes(along: [N; 3]) -> Self;

    fn axes(self) -> [N; 3];
}

/// Values at lattice corners that noise interpolates.
pub(super) trait Lattice {
    /// The values of eight corners with these hashes at `offset` from them.
    fn at_corners<S: Simd>(hash: [u32x8<S>; 3], offset: [f32x8<S>; 3]) -> f32x8<S>;

    /// What noise becomes of an interpolated value.
    fn shaped<N: Lanes>(value: N) -> N;
}

impl Lanes for f32 {
    type Points = Vec3A;

    fn hypot(self, other: Self) -> Self {
        self.hypot(other)
    }

    fn floor(self) -> Self {
        self.floor()
    }

    #[inline(always)]
    fn map(self, of: impl Fn(f32) -> f32) -> Self {
        of(self)
    }

    fn abs(self) -> Self {
        self.abs()
    }

    fn clamp(self, low: f32, high: f32) -> Self {
        self.clamp(low, high)
    }

    #[inline(always)]
    fn of_lattice<S: Simd, L: Lattice>(simd: S, point: Vec3A) -> Self {
        let (cell, within) = split(point);
        let [value] = mixed::<S, L, 1>(simd, cell, [within.to_array()]);
        value
    }

    #[inline]
    fn of_scattered(point: Vec3A, of: impl Fn(&[Vec3A; 27], IVec3, Vec3A) -> f32) -> Self {
        let (cell, within) = split(point);
        of(&scattered_around(cell), cell, within)
    }
}

/// Four points, by their coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Four([Vec4; 3]);

impl Four {
    pub(super) fn new(points: [Vec3A; 4]) -> Self {
        let along = |axis: usize| Vec4::from_array(points.map(|point| point[axis]));
        Self([along(0), along(1), along(2)])
    }

    #[inline(always)]
    fn each(self, of: impl Fn(Vec3A) -> f32) -> Vec4 {
        let [x, y, z] = self.0;
        Vec4::new(
            of(Vec3A::new(x.x, y.x, z.x)),
            of(Vec3A::new(x.y, y.y, z.y)),
            of(Vec3A::new(x.z, y.z, z.z)),
            of(Vec3A::new(x.w, y.w, z.w)),
        )
    }

    /// The common cell of all points and their offsets in it; `None` where they lie in several
    /// cells.
    #[inline(always)]
    fn split(self) -> Option<(IVec3, [Vec4; 3])> {
        let [x, y, z] = self.0;
        let floors = [x.floor(), y.floor(), z.floor()];
        let firsts = Vec3A::new(floors[0].x, floors[1].x, floors[2].x);
        let same = floors[0] == Vec4::splat(firsts.x)
            && floors[1] == Vec4::splat(firsts.y)
            && floors[2] == Vec4::splat(firsts.z);
        same.then(|| (firsts.as_ivec3(), [x - floors[0], y - floors[1], z - floors[2]]))
    }
}

impl Points<f32> for Vec3A {
    fn of_axes(along: [f32; 3]) -> Self {
        Self::from_array(along)
    }

    fn axes(self) -> [f32; 3] {
        self.to_array()
    }
}

impl Points<Vec4> for Four {
    fn of_axes(along: [Vec4; 3]) -> Self {
        Self(along)
    }

    fn axes(self) -> [Vec4; 3] {
        self.0
    }
}

impl Add for Four {
    type Output = Self;

    fn add(self, Self([x, y, z]): Self) -> Self {
        Self([self.0[0] + x, self.0[1] + y, self.0[2] + z])
    }
}

impl Add<Vec3A> for Four {
    type Output = Self;

    fn add(self, shift: Vec3A) -> Self {
        let [x, y, z] = self.0;
        Self([x + shift.x, y + shift.y, z + shift.z])
    }
}

impl Sub<Vec3A> for Four {
    type Output = Self;

    fn sub(self, shift: Vec3A) -> Self {
        let [x, y, z] = self.0;
        Self([x - shift.x, y - shift.y, z - shift.z])
    }
}

impl Mul<f32> for Four {
    type Output = Self;

    fn mul(self, factor: f32) -> Self {
        let [x, y, z] = self.0;
        Self([x * factor, y * factor, z * factor])
    }
}

impl Mul<Vec3A> for Four {
    type Output = Self;

    fn mul(self, factor: Vec3A) -> Self {
        let [x, y, z] = self.0;
        Self([x * factor.x, y * factor.y, z * factor.z])
    }
}

impl Div<f32> for Four {
    type Output = Self;

    fn div(self, divisor: f32) -> Self {
        let [x, y, z] = self.0;
        Self([x / divisor, y / divisor, z / divisor])
    }
}

impl Lanes for Vec4 {
    type Points = Four;

    fn hypot(self, other: Self) -> Self {
        let [a, b, c, d] = self.to_array();
        Self::new(a.hypot(other.x), b.hypot(other.y), c.hypot(other.z), d.hypot(other.w))
    }

    fn floor(self) -> Self {
        self.floor()
    }

    #[inline(always)]
    fn map(self, of: impl Fn(f32) -> f32) -> Self {
        Self::new(of(self.x), of(self.y), of(self.z), of(self.w))
    }

    fn abs(self) -> Self {
        self.abs()
    }

    fn clamp(self, low: f32, high: f32) -> Self {
        self.clamp(Self::splat(low), Self::splat(high))
    }

    #[inline(always)]
    fn of_lattice<S: Simd, L: Lattice>(simd: S, points: Four) -> Self {
        match points.split() {
            Some((cell, [x, y, z])) => {
                let within = [[x.x, y.x, z.x], [x.y, y.y, z.y], [x.z, y.z, z.z], [x.w, y.w, z.w]];
                Self::from_array(mixed::<S, L, 4>(simd, cell, within))
            }
            None => points.each(
                #[inline(always)]
                |point| f32::of_lattice::<S, L>(simd, point),
            ),
        }
    }

    #[inline]
    fn of_scattered(points: Four, of: impl Fn(&[Vec3A; 27], IVec3, Vec3A) -> f32) -> Self {
        let Some((cell, [x, y, z])) = points.split() else {
            return points.each(|point| f32::of_scattered(point, &of));
        };
        let around = scattered_around(cell);
        Four([x, y, z]).each(|within| of(&around, cell, within))
    }
}

/// The quintic interpolation of the values at the corners of a cell, for some points in it.
#[inline(always)]
fn mixed<S: Simd, L: Lattice, const POINTS: usize>(
    simd: S,
    cell: IVec3,
    within: [[f32; 3]; POINTS],
) -> [f32; POINTS] {
    let hashes = hash_corners(simd, cell);
    let corners = [
        f32x8::load_array(simd, CORNERS[0]),
        f32x8::load_array(simd, CORNERS[1]),
        f32x8::load_array(simd, CORNERS[2]),
    ];
    let mut mixed = [0.0; POINTS];
    for (mixed, [x, y, z]) in mixed.iter_mut().zip(within) {
        let offset = [x - corners[0], y - corners[1], z - corners[2]];
        let (low, high) = L::at_corners(hashes, offset).split();
        let along_x = low + (high - low) * eased(x);
        let [a, b, c, d] = *along_x.as_array();
        let (y, z) = (eased(y), eased(z));
        let (low, high) = (a + (c - a) * y, b + (d - b) * y);
        *mixed = low + (high - low) * z;
    }
    mixed
}

#[inline(always)]
fn eased(along: f32) -> f32 {
    along * along * along * (along * (along * 6.0 - 15.0) + 10.0)
}

#[cfg(test)]
mod tests {
    use super::super::noise::{Perlin, Values, layered, scattered};
    use super::*;
    use crate::chi_square::Random;
    use crate::instructions::InstructionSet;

    #[test]
    fn four_points_at_once_are_as_each_by_itself() {
        let mut random = Random(12);
        let [mut together, mut apart] = [0, 0];
        let level = InstructionSet::Best.level();
        let levels: Vec<_> =
            InstructionSet::available().into_iter().map(InstructionSet::level).collect();
        for round in 0..3000 {
            let other = levels[round % levels.len()];
            let middle = random.direction() * random.between(0.0, 50.0);
            let reach = random.between(0.001, 0.3);
            let points = std::array::from_fn(|_| middle + random.direction() * reach);
            let four = Four::new(points);
            *(if four.split().is_some() { &mut together } else { &mut apart }) += 1;
            for (noise, alone) in [
                (
                    layered::<Perlin, Vec4>(level, four, 1),
                    points.map(|point| layered::<Perlin, f32>(other, point, 1)),
                ),
                (
                    layered::<Values, Vec4>(level, four, 3),
                    points.map(|point| layered::<Values, f32>(other, point, 3)),
                ),
                (
                    Vec4::of_scattered(four, |around, cell, within| {
                        scattered(around, cell, within).border
                    }),
                    points.map(|point| {
                        f32::of_scattered(point, |around, cell, within| {
                            scattered(around, cell, within).border
                        })
                    }),
                ),
            ] {
                assert_eq!(noise.to_array(), alone);
            }
        }
        assert!(together > 500 && apart > 500, "{together} {apart}");
    }
}
