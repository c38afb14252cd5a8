//! Noise at one point, or at four nearby points at once by SIMD: bump maps need four for their
//! gradients.

use std::ops::{Add, Mul, Sub};

use glam::{IVec3, Vec3A, Vec4};

use super::lattice::{hash_corners, scattered_around, split};

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
    /// A point, or four.
    type Points: Copy + Add<Vec3A, Output = Self::Points> + Mul<f32, Output = Self::Points>;

    /// The same number at all points.
    fn splat(number: f32) -> Self;

    fn abs(self) -> Self;

    fn clamp(self, low: f32, high: f32) -> Self;

    /// The interpolation of `L` at each point, from the corners of its lattice cell.
    fn of_lattice<L: Lattice>(points: Self::Points) -> Self;

    /// Calls `of` for each point, with the feature points in the cells around it.
    fn of_scattered(points: Self::Points, of: impl Fn(&[Vec3A; 27], IVec3, Vec3A) -> f32) -> Self;
}

/// Values at lattice corners that noise interpolates.
pub(super) trait Lattice {
    /// The value of the corner with these hashes at `offset` from it.
    fn at_corner<N: Lanes>(hash: [u32; 3], offset: [N; 3]) -> N;
}

impl Lanes for f32 {
    type Points = Vec3A;

    fn splat(number: f32) -> Self {
        number
    }

    fn abs(self) -> Self {
        self.abs()
    }

    fn clamp(self, low: f32, high: f32) -> Self {
        self.clamp(low, high)
    }

    #[inline]
    fn of_lattice<L: Lattice>(point: Vec3A) -> Self {
        let (cell, within) = split(point);
        mixed::<L, Self>(cell, within.to_array())
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

    fn each(self, of: impl Fn(Vec3A) -> f32) -> Vec4 {
        let [x, y, z] = self.0;
        Vec4::from_array(std::array::from_fn(|at| of(Vec3A::new(x[at], y[at], z[at]))))
    }

    /// The common cell of all points and their offsets in it; `None` where they lie in several
    /// cells.
    #[inline]
    fn split(self) -> Option<(IVec3, [Vec4; 3])> {
        let floors = self.0.map(Vec4::floor);
        let firsts = floors.map(|floor| floor.x);
        let same = (0..3).all(|axis| floors[axis] == Vec4::splat(firsts[axis]));
        let within = std::array::from_fn(|axis| self.0[axis] - floors[axis]);
        same.then(|| (Vec3A::from_array(firsts).as_ivec3(), within))
    }
}

impl Add<Vec3A> for Four {
    type Output = Self;

    fn add(self, shift: Vec3A) -> Self {
        let [x, y, z] = self.0;
        Self([x + shift.x, y + shift.y, z + shift.z])
    }
}

impl Mul<f32> for Four {
    type Output = Self;

    fn mul(self, factor: f32) -> Self {
        Self(self.0.map(|along| along * factor))
    }
}

impl Lanes for Vec4 {
    type Points = Four;

    fn splat(number: f32) -> Self {
        Self::splat(number)
    }

    fn abs(self) -> Self {
        self.abs()
    }

    fn clamp(self, low: f32, high: f32) -> Self {
        self.clamp(Self::splat(low), Self::splat(high))
    }

    #[inline]
    fn of_lattice<L: Lattice>(points: Four) -> Self {
        match points.split() {
            Some((cell, within)) => mixed::<L, Self>(cell, within),
            None => points.each(f32::of_lattice::<L>),
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

/// The quintic interpolation of the values at the corners of a cell.
#[inline(always)]
fn mixed<L: Lattice, N: Lanes>(cell: IVec3, within: [N; 3]) -> N {
    let hashes = hash_corners(cell);
    let beyond = within.map(|along| along - 1.0);
    let values: [N; 8] =
        std::array::from_fn(|corner| {
            let offset = std::array::from_fn(|axis| {
                if corner >> axis & 1 == 0 { within[axis] } else { beyond[axis] }
            });
            L::at_corner(hashes[corner], offset)
        });
    let eased = within.map(|along| along * along * along * (along * (along * 6.0 - 15.0) + 10.0));
    let along_x = |at: usize| values[at] + (values[at + 1] - values[at]) * eased[0];
    let along_y = |at: usize| along_x(at) + (along_x(at + 2) - along_x(at)) * eased[1];
    along_y(0) + (along_y(4) - along_y(0)) * eased[2]
}

#[cfg(test)]
mod tests {
    use super::super::noise::{perlin, scattered, value};
    use super::*;
    use crate::chi_square::Random;

    #[test]
    fn four_points_at_once_are_as_each_by_itself() {
        let mut random = Random(12);
        let [mut together, mut apart] = [0, 0];
        for _ in 0..3000 {
            let middle = random.direction() * random.between(0.0, 50.0);
            let reach = random.between(0.001, 0.3);
            let points = std::array::from_fn(|_| middle + random.direction() * reach);
            let four = Four::new(points);
            *(if four.split().is_some() { &mut together } else { &mut apart }) += 1;
            for (noise, alone) in [
                (perlin::<Vec4>(four), points.map(perlin::<f32>)),
                (value::<Vec4>(four), points.map(value::<f32>)),
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
                assert!((noise - Vec4::from_array(alone)).abs().max_element() < 1e-6);
            }
        }
        assert!(together > 500 && apart > 500, "{together} {apart}");
    }
}
