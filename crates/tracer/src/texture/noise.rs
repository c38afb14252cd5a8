//! Noise functions: Perlin, value and cellular noise.

use fearless_simd::{Level, Simd, dispatch, f32x8, u32x8};
use glam::{IVec3, Vec3A};

use super::lanes::{Lanes, Lattice, Points};
use super::lattice::{hash, neighbour, unit, units};

/// Perlin noise, about -1 to 1 with mean 0. Perlin 2002, "Improving Noise"; gradients from a hash.
pub(super) struct Perlin;

impl Lattice for Perlin {
    #[inline(always)]
    fn at_corners<S: Simd>(hash: [u32x8<S>; 3], [x, y, z]: [f32x8<S>; 3]) -> f32x8<S> {
        let [along_x, along_y, along_z] = hash;
        x * (units(along_x) * 2.0 - 1.0)
            + y * (units(along_y) * 2.0 - 1.0)
            + z * (units(along_z) * 2.0 - 1.0)
    }

    #[inline(always)]
    fn shaped<N: Lanes>(value: N) -> N {
        value * 1.5
    }
}

/// The distance of [`Perlin`] noise from 0.
pub(super) struct Turbulence;

impl Lattice for Turbulence {
    #[inline(always)]
    fn at_corners<S: Simd>(hash: [u32x8<S>; 3], offset: [f32x8<S>; 3]) -> f32x8<S> {
        Perlin::at_corners(hash, offset)
    }

    #[inline(always)]
    fn shaped<N: Lanes>(value: N) -> N {
        Perlin::shaped(value).abs()
    }
}

/// Value noise, -1 to 1.
pub(super) struct Values;

impl Lattice for Values {
    #[inline(always)]
    fn at_corners<S: Simd>([number, ..]: [u32x8<S>; 3], _: [f32x8<S>; 3]) -> f32x8<S> {
        units(number) * 2.0 - 1.0
    }

    #[inline(always)]
    fn shaped<N: Lanes>(value: N) -> N {
        value
    }
}

/// Fractal noise: the normalised sum of `octaves` of the noise `L`, each of half the size and amplitude
/// of the one before.
#[inline]
pub(super) fn layered<L: Lattice, N: Lanes>(level: Level, points: N::Points, octaves: u32) -> N {
    dispatch!(level, simd => sum_of_octaves::<_, L, N>(simd, points, octaves))
}

#[inline(always)]
fn sum_of_octaves<S: Simd, L: Lattice, N: Lanes>(simd: S, points: N::Points, octaves: u32) -> N {
    let mut sum = L::shaped(N::of_lattice::<S, L>(simd, points));
    let (mut strength, mut total, mut place) = (1.0, 1.0, points);
    for _ in 1..octaves {
        strength *= 0.5;
        // Not exactly 2, and translated, so that the lattices of the octaves never coincide.
        place = place * 2.03 + Vec3A::new(17.3, -9.1, 4.7);
        sum = sum + L::shaped(N::of_lattice::<S, L>(simd, place)) * strength;
        total += strength;
    }
    sum * (1.0 / total)
}

/// A vector of fractal noise, each component about -1 to 1, for domain warping.
pub(super) fn carried<N: Lanes>(level: Level, points: N::Points, octaves: u32) -> N::Points {
    let shifts = [Vec3A::ZERO, Vec3A::new(31.4, 15.9, -26.5), Vec3A::new(-35.8, 97.9, 32.3)];
    N::Points::of_axes(shifts.map(|shift| layered::<Perlin, N>(level, points + shift, octaves)))
}

/// Cellular noise at a point, with one feature point in each lattice cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scattered {
    /// The distance to the nearest feature point.
    pub(super) nearest: f32,
    /// Distance to the border between the nearest and the next.
    pub(super) border: f32,
    /// A random number in [0, 1) of the nearest feature point.
    pub(super) number: f32,
}

/// Cellular noise at the offset `within` a cell, from the feature points
/// [around](super::lattice::scattered_around) it. Worley 1996, "A Cellular Texture Basis Function";
/// the border by Quilez, "Voronoi borders".
pub(super) fn scattered(around: &[Vec3A; 27], cell: IVec3, within: Vec3A) -> Scattered {
    let ways = around.map(|point| point - within);
    let mut nearest = (f32::INFINITY, 0);
    for (place, way) in ways.iter().enumerate() {
        let squared = way.length_squared();
        if squared < nearest.0 {
            nearest = (squared, place);
        }
    }
    let (squared, at) = nearest;
    let mut border = f32::INFINITY;
    for (_, other) in ways.iter().enumerate().filter(|(place, _)| *place != at) {
        if let Some(across) = (*other - ways[at]).try_normalize() {
            border = border.min(0.5 * (*other + ways[at]).dot(across));
        }
    }
    let [.., number] = hash(cell.wrapping_add(neighbour(at)).wrapping_add(IVec3::splat(7919)));
    Scattered { nearest: squared.sqrt(), border, number: unit(number) }
}

#[cfg(test)]
mod tests {
    use super::super::lattice::{scattered_around, split};
    use super::*;
    use crate::chi_square::Random;
    use crate::instructions::InstructionSet;

    fn perlin(at: Vec3A) -> f32 {
        layered::<Perlin, f32>(InstructionSet::Best.level(), at, 1)
    }

    fn value(at: Vec3A) -> f32 {
        layered::<Values, f32>(InstructionSet::Best.level(), at, 1)
    }

    fn somewhere(random: &mut Random) -> Vec3A {
        random.direction() * random.between(0.0, 50.0)
    }

    #[test]
    fn noise_is_smooth_and_even_on_both_sides_of_zero() {
        let mut random = Random(3);
        for (noise, name) in [(perlin as fn(Vec3A) -> f32, "perlin"), (value, "value")] {
            let (mut sum, mut squares, mut steepest) = (0.0, 0.0, 0.0_f32);
            let count = 20_000;
            for _ in 0..count {
                let point = somewhere(&mut random);
                let here = noise(point);
                assert!(here.abs() <= 1.5, "{name}: {here} at {point}");
                sum += here;
                squares += here * here;
                let step = random.direction() * 1e-3;
                steepest = steepest.max((noise(point + step) - here).abs() / 1e-3);
            }
            assert!((sum / count as f32).abs() < 0.02, "{name}: mean {sum}");
            assert!(squares / count as f32 > 0.03, "{name} is too flat");
            assert!(steepest < 6.0, "{name} jumps: {steepest}");
        }
    }

    #[test]
    fn gradient_noise_is_zero_on_the_lattice_and_random_beside_it() {
        assert_eq!(perlin(Vec3A::new(3.0, -7.0, 11.0)), 0.0);
        let mut random = Random(4);
        let values: Vec<f32> = (0..50).map(|_| perlin(somewhere(&mut random))).collect();
        assert!(values.iter().any(|value| *value > 0.3));
        assert!(values.iter().any(|value| *value < -0.3));
    }

    #[test]
    fn every_point_has_a_nearest_and_its_border_is_nearer_than_the_next() {
        let mut random = Random(5);
        let at = |point| {
            let (cell, within) = split(point);
            scattered(&scattered_around(cell), cell, within)
        };
        for _ in 0..5000 {
            let point = somewhere(&mut random);
            let found = at(point);
            assert!(found.nearest <= 3.0_f32.sqrt() && (0.0..1.0).contains(&found.number));
            // Up to the border all points belong to the same cell.
            let inside = point + random.direction() * (0.98 * found.border).min(0.4);
            assert_eq!(at(inside).number, found.number, "{point} {found:?}");
        }
    }
}
