//! The sampler: an Owen-scrambled Sobol sequence.
//!
//! Each path uses sets of four dimensions. Every set is the same four-dimensional Sobol sequence,
//! shuffled and scrambled with seeds that depend on the pixel: samples of one pixel are stratified,
//! pixels and sets are independent. Burley 2020, "Practical Hash-based Owen Scrambling", with the
//! hash of Vegdahl 2021, "Building a Better LK Hash".

mod numbers;

pub(crate) use numbers::Numbers;

/// The number of stratified sets per path; longer paths get plain random numbers after that.
const STRATIFIED_SETS: u32 = 64;
/// The step between the states of the generator of seeds: SplitMix64.
const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
/// The length of the sequence in bits; longer runs continue with a newly scrambled one.
const INDEX_BITS: u32 = 16;

/// The random numbers of one sample of one pixel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sampler {
    seed: u64,
    /// Of the sample, bits reversed.
    reversed_index: u32,
}

impl Sampler {
    /// The numbers for sample `index` of the pixel at `x`, `y`.
    pub(crate) fn new(seed: u64, x: u32, y: u32, index: u32) -> Self {
        let pixel = mix(mix(seed) ^ (u64::from(y) << 32 | u64::from(x)));
        let block = u64::from(index >> INDEX_BITS);
        let reversed_index = (index & ((1 << INDEX_BITS) - 1)).reverse_bits();
        Self { seed: pixel.wrapping_add(block), reversed_index }
    }

    /// The numbers for sample `place` of the whole image instead of a pixel.
    pub(crate) fn of_picture(seed: u64, place: u64) -> Self {
        // Keeps them different from those of the pixels.
        const OF_PICTURE: u64 = 0x7069_6374_7572_6521;
        Self::new(seed ^ OF_PICTURE, (place >> 32) as u32, 0, place as u32)
    }

    /// The seeds of a set: two for the dimensions, which take 32 bits each, and one for the order.
    #[inline(always)]
    fn seeds(&self, set: u32) -> [u64; 3] {
        std::array::from_fn(|which| {
            let which = u64::from(3 * set) + which as u64 + 1;
            mix(self.seed.wrapping_add(which.wrapping_mul(STRIDE)))
        })
    }

    /// Four numbers in [0, 1).
    #[cfg(test)]
    pub(crate) fn set(&self, set: u32) -> [f32; 4] {
        self.first(set)
    }

    /// The first up to four numbers, in [0, 1), of a set.
    #[inline(always)]
    pub(crate) fn first<const COUNT: usize>(&self, set: u32) -> [f32; COUNT] {
        let seeds = self.seeds(set);
        let of_dimension = |dimension: usize| (seeds[dimension / 2] >> (dimension % 2 * 32)) as u32;
        if set >= STRATIFIED_SETS {
            return std::array::from_fn(|dimension| {
                let index = self.reversed_index.reverse_bits();
                let seed = u64::from(of_dimension(dimension)) << 32 | u64::from(index);
                to_unit((mix(seed) >> 32) as u32)
            });
        }
        let point = sobol_reversed(scramble_reversed(self.reversed_index, seeds[2] as u32));
        std::array::from_fn(|dimension| {
            to_unit(scramble_reversed(point[dimension], of_dimension(dimension)).reverse_bits())
        })
    }
}

/// The upper 24 bits as a number in [0, 1).
fn to_unit(bits: u32) -> f32 {
    (bits >> 8) as f32 * (1.0 / (1 << 24) as f32)
}

/// A hash: the finaliser of SplitMix64 (Stafford's variant 13).
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// An Owen scramble of a number with reversed bits: each bit is flipped depending on the bits below
/// it.
fn scramble_reversed(mut x: u32, seed: u32) -> u32 {
    x ^= x.wrapping_mul(0x3d20_adea);
    x = x.wrapping_add(seed);
    x = x.wrapping_mul((seed >> 16) | 1);
    x ^= x.wrapping_mul(0x0552_6c56);
    x ^ x.wrapping_mul(0x53a2_2864)
}

/// The four Sobol coordinates, with reversed bits, of the lowest [`INDEX_BITS`] of the index;
/// `reversed_index` is the index with reversed bits.
fn sobol_reversed(reversed_index: u32) -> [u32; 4] {
    let mut point = [0; 4];
    for (nibble, table) in SOBOL.iter().enumerate() {
        let part = table[(reversed_index >> (28 - 4 * nibble)) as usize & 15];
        for (coordinate, bits) in point.iter_mut().zip(part) {
            *coordinate ^= bits;
        }
    }
    point
}

const NIBBLES: usize = INDEX_BITS as usize / 4;
/// The coordinates for every four bits of the reversed index: 1 KiB instead of a loop over bits.
static SOBOL: [[[u32; 4]; 16]; NIBBLES] = sobol_table();
/// Direction numbers of the four dimensions, with reversed bits.
const DIRECTIONS: [[u32; INDEX_BITS as usize]; 4] = [
    // Degree, coefficients and initial numbers of the primitive polynomials: Joe and Kuo 2008,
    // "Constructing Sobol sequences with better two-dimensional projections". The first dimension
    // is the van der Corput sequence.
    directions(0, 0, [1, 1, 1]),
    directions(1, 0, [1, 0, 0]),
    directions(2, 1, [1, 3, 0]),
    directions(3, 1, [1, 3, 1]),
];

const fn sobol_table() -> [[[u32; 4]; 16]; NIBBLES] {
    let mut table = [[[0; 4]; 16]; NIBBLES];
    let mut nibble = 0;
    while nibble < NIBBLES {
        let mut value = 0;
        while value < 16 {
            let mut bit = 0;
            while bit < 4 {
                if value >> (3 - bit) & 1 == 1 {
                    let mut dimension = 0;
                    while dimension < 4 {
                        table[nibble][value][dimension] ^= DIRECTIONS[dimension][nibble * 4 + bit];
                        dimension += 1;
                    }
                }
                bit += 1;
            }
            value += 1;
        }
        nibble += 1;
    }
    table
}

/// Direction numbers of one dimension, with reversed bits; degree 0 means the van der Corput sequence.
const fn directions(
    degree: usize,
    coefficients: u32,
    initial: [u32; 3],
) -> [u32; INDEX_BITS as usize] {
    let mut numbers = [0; INDEX_BITS as usize];
    let mut at = 0;
    while at < INDEX_BITS as usize {
        numbers[at] = if degree == 0 {
            1 << (31 - at)
        } else if at < degree {
            initial[at] << (31 - at)
        } else {
            let mut number = numbers[at - degree] ^ (numbers[at - degree] >> degree);
            let mut term = 1;
            while term < degree {
                if coefficients >> (degree - 1 - term) & 1 == 1 {
                    number ^= numbers[at - term];
                }
                term += 1;
            }
            number
        };
        at += 1;
    }
    at = 0;
    while at < INDEX_BITS as usize {
        numbers[at] = numbers[at].reverse_bits();
        at += 1;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of boxes of a `columns` x `rows` grid with exactly one point.
    fn filled(points: &[[f32; 2]], columns: usize, rows: usize) -> usize {
        let mut counts = vec![0; columns * rows];
        for [x, y] in points {
            counts[(y * rows as f32) as usize * columns + (x * columns as f32) as usize] += 1;
        }
        counts.iter().filter(|&&count| count == 1).count()
    }

    #[test]
    fn the_first_two_dimensions_of_every_set_fill_all_elementary_boxes() {
        for (seed, set) in [(0, 0), (1, 1), (7, 12), (u64::MAX, 63)] {
            for log_count in [2, 4, 7, 10] {
                let points: Vec<[f32; 2]> = (0..1_u32 << log_count)
                    .map(|index| Sampler::new(seed, 3, 5, index).set(set))
                    .map(|[x, y, ..]| [x, y])
                    .collect();
                for log_columns in 0..=log_count {
                    let (columns, rows) = (1 << log_columns, 1 << (log_count - log_columns));
                    assert_eq!(filled(&points, columns, rows), points.len(), "{seed} {set}");
                }
            }
        }
    }

    #[test]
    fn every_dimension_is_stratified_on_its_own() {
        for dimension in 0..4 {
            let points: Vec<[f32; 2]> = (0..256)
                .map(|index| [Sampler::new(9, 1, 2, index).set(4)[dimension], 0.0])
                .collect();
            assert_eq!(filled(&points, 256, 1), 256, "dimension {dimension}");
        }
    }

    #[test]
    fn pixels_sets_and_seeds_are_uncorrelated() {
        let first = |seed, x, y, set| f64::from(Sampler::new(seed, x, y, 0).set(set)[0]) - 0.5;
        let count = 200_000;
        let correlation = |pair: &dyn Fn(u32) -> (f64, f64)| {
            let sum: f64 = (0..count).map(pair).map(|(a, b)| a * b).sum();
            12.0 * sum / f64::from(count)
        };
        // The standard deviation of the estimate is 1 / sqrt(count).
        let limit = 4.5 / f64::from(count).sqrt();
        for (name, value) in [
            ("neighbours in x", correlation(&|i| (first(0, i, 7, 1), first(0, i + 1, 7, 1)))),
            ("neighbours in y", correlation(&|i| (first(0, 7, i, 1), first(0, 7, i + 1, 1)))),
            ("mirrored", correlation(&|i| (first(0, i, 1, 1), first(0, 1, i, 1)))),
            ("sets", correlation(&|i| (first(0, i, 7, 1), first(0, i, 7, 2)))),
            ("seeds", correlation(&|i| (first(0, i, 7, 1), first(1, i, 7, 1)))),
        ] {
            assert!(value.abs() < limit, "{name}: {value}");
        }
    }

    #[test]
    fn numbers_stay_below_one_and_average_to_one_half() {
        for set in [0, 5, STRATIFIED_SETS + 3] {
            for start in [0, 65_530, 4_000_000_000] {
                let mut sum = 0.0;
                for index in start..start + 4096 {
                    let numbers = Sampler::new(1, 2, 3, index).set(set);
                    assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
                    sum += numbers.iter().map(|&number| f64::from(number)).sum::<f64>();
                }
                assert!((sum / 16384.0 - 0.5).abs() < 0.01, "{set} {start}");
            }
        }
    }
}
