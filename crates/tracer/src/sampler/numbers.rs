//! The random numbers of many paths at once.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x16, u32x16, u64x8};

use super::{DIRECTIONS, INDEX_BITS, STRATIFIED_SETS, STRIDE, Sampler};
use crate::ray::LANES;

/// Four numbers in [0, 1) for each of several paths.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    by_dimension: [[f32; LANES]; 4],
}

impl Numbers {
    /// The first `COUNT` numbers of the given set, and of those that follow it, for each of up to [`LANES`] samplers:
    /// those of [`Sampler::first`].
    #[inline]
    pub(crate) fn of<const SETS: usize, const COUNT: usize>(
        samplers: impl Iterator<Item = (Sampler, u32)>,
        level: Level,
    ) -> [Self; SETS] {
        let mut paths =
            Paths { seeds: [[0; 8]; 2], reversed_indices: [0; LANES], sets: [0; LANES] };
        let mut longest = 0;
        for (lane, (sampler, set)) in samplers.take(LANES).enumerate() {
            paths.seeds[lane / 8][lane % 8] = sampler.seed;
            paths.reversed_indices[lane] = sampler.reversed_index;
            paths.sets[lane] = set;
            longest = longest.max(set);
        }
        let mut numbers = [const { Self { by_dimension: [[0.0; LANES]; 4] } }; SETS];
        dispatch!(level, simd => paths.draw_all::<_, COUNT>(simd, &mut numbers));
        if longest as usize + SETS > STRATIFIED_SETS as usize {
            paths.draw_one_by_one(&mut numbers);
        }
        numbers
    }

    /// One of the four numbers of each path.
    #[inline(always)]
    pub(crate) fn of_dimension(&self, dimension: usize) -> &[f32; LANES] {
        &self.by_dimension[dimension % 4]
    }

    #[inline(always)]
    pub(crate) fn of_lane(&self, lane: usize) -> [f32; 4] {
        self.by_dimension.map(|numbers| numbers[lane % LANES])
    }
}

/// What the numbers of several paths follow from.
struct Paths {
    seeds: [[u64; 8]; 2],
    /// Of the samples, bits reversed.
    reversed_indices: [u32; LANES],
    sets: [u32; LANES],
}

impl Paths {
    #[inline(always)]
    fn draw_all<S: Simd, const COUNT: usize>(&self, simd: S, numbers: &mut [Numbers]) {
        for (further, numbers) in (0..).zip(numbers) {
            self.draw::<_, COUNT>(simd, further, numbers);
        }
    }

    #[inline(never)]
    fn draw_one_by_one(&self, numbers: &mut [Numbers]) {
        for (further, numbers) in (0..).zip(numbers) {
            for lane in 0..LANES {
                let reversed_index = self.reversed_indices[lane];
                let sampler = Sampler { seed: self.seeds[lane / 8][lane % 8], reversed_index };
                let one = sampler.first::<4>(self.sets[lane] + further);
                for (of_dimension, number) in numbers.by_dimension.iter_mut().zip(one) {
                    of_dimension[lane] = number;
                }
            }
        }
    }

    #[inline(always)]
    fn draw<S: Simd, const COUNT: usize>(&self, simd: S, further: u32, numbers: &mut Numbers) {
        let (dimension_0, dimension_1) = self.seeds_of_sets(simd, 3 * further);
        let (dimension_2, dimension_3) = self.seeds_of_sets(simd, 3 * further + 1);
        let (order, _) = self.seeds_of_sets(simd, 3 * further + 2);
        let index = u32x16::load_array_ref(simd, &self.reversed_indices);
        let index = scramble_reversed(index, order);
        let mut point = [u32x16::splat(simd, 0); COUNT];
        for bit in 0..INDEX_BITS {
            // All ones where the bit is set.
            let chosen = u32x16::splat(simd, 0) - (index >> (31 - bit) & 1);
            for (coordinate, directions) in point.iter_mut().zip(&DIRECTIONS) {
                *coordinate ^= chosen & directions[bit as usize];
            }
        }
        let seeds = [dimension_0, dimension_1, dimension_2, dimension_3];
        for (dimension, seed) in seeds.into_iter().enumerate().take(COUNT) {
            let bits = reverse_bits(scramble_reversed(point[dimension], seed));
            let number: f32x16<S> = (bits >> 8).to_float();
            (number * (1.0 / (1 << 24) as f32)).store_slice(&mut numbers.by_dimension[dimension]);
        }
    }

    /// The lower and the upper halves of one of the [seeds](Sampler::seeds) of each path.
    #[inline(always)]
    fn seeds_of_sets<S: Simd>(&self, simd: S, which: u32) -> (u32x16<S>, u32x16<S>) {
        let (low, high) =
            simd.widen_u32x16(u32x16::load_array_ref(simd, &self.sets) * 3 + (which + 1));
        let low = mix(u64x8::load_array_ref(simd, &self.seeds[0]) + low * STRIDE);
        let high = mix(u64x8::load_array_ref(simd, &self.seeds[1]) + high * STRIDE);
        (simd.narrow_u64x8(low, high), simd.narrow_u64x8(low >> 32, high >> 32))
    }
}

/// See [`super::mix`].
#[inline(always)]
fn mix<S: Simd>(mut x: u64x8<S>) -> u64x8<S> {
    x = (x ^ x >> 30) * 0xbf58_476d_1ce4_e5b9;
    x = (x ^ x >> 27) * 0x94d0_49bb_1331_11eb;
    x ^ x >> 31
}

/// See [`super::scramble_reversed`].
#[inline(always)]
fn scramble_reversed<S: Simd>(mut x: u32x16<S>, seed: u32x16<S>) -> u32x16<S> {
    x ^= x * 0x3d20_adea;
    x += seed;
    x *= seed >> 16 | 1;
    x ^= x * 0x0552_6c56;
    x ^ (x * 0x53a2_2864)
}

#[inline(always)]
fn reverse_bits<S: Simd>(mut x: u32x16<S>) -> u32x16<S> {
    x = (x >> 1 & 0x5555_5555) | (x & 0x5555_5555) << 1;
    x = (x >> 2 & 0x3333_3333) | (x & 0x3333_3333) << 2;
    x = (x >> 4 & 0x0f0f_0f0f) | (x & 0x0f0f_0f0f) << 4;
    x = (x >> 8 & 0x00ff_00ff) | (x & 0x00ff_00ff) << 8;
    x >> 16 | x << 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::InstructionSet;

    #[test]
    fn numbers_of_many_paths_are_those_of_each() {
        for instructions in InstructionSet::available() {
            for count in [1, 5, LANES] {
                let one = |lane: usize| {
                    let lane = lane as u32;
                    // The last sets are not stratified any more, and the last indices begin a new sequence.
                    (Sampler::new(7, 3 * lane, lane / 2, 9000 * lane), 11 * lane)
                };
                let [numbers, next] =
                    Numbers::of::<2, 4>((0..count).map(one), instructions.level());
                for lane in 0..count {
                    let (sampler, set) = one(lane);
                    assert_eq!(numbers.of_lane(lane), sampler.first::<4>(set), "{lane}");
                    assert_eq!(next.of_lane(lane), sampler.first::<4>(set + 1), "{lane}");
                }
            }
        }
    }
}
