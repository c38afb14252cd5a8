//! Splats: contributions of light subpaths to any pixel.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use glam::Vec3A;

use crate::color::luminance;
use crate::integrator::Splat;

/// Sums of red, green, blue and of the squared luminance.
const SUMS: usize = 4;
/// The number of fractional bits: the smallest representable value is about 1e-12.
const FRACTION_BITS: i32 = 40;
/// The largest single addend is 2^40, the largest sum 2^56.
const MAX_VALUE: f64 = (1_u64 << 40) as f64;

/// The sums of splats per pixel, in fixed point: integer sums do not depend on the order, so the
/// image does not depend on the threads.
#[derive(Debug, Default)]
pub(super) struct Splats {
    /// The lower 64 bits of each sum.
    low: Vec<AtomicU64>,
    /// The carries out of the lower bits.
    high: Vec<AtomicU32>,
}

impl Splats {
    pub(super) fn new(pixels: usize) -> Self {
        let count = SUMS * pixels;
        Self {
            low: (0..count).map(|_| AtomicU64::new(0)).collect(),
            high: (0..count).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// Whether there are splats.
    pub(super) fn is_used(&self) -> bool {
        !self.low.is_empty()
    }

    /// Adds light to the pixel at `index`.
    pub(super) fn add(&self, index: usize, splat: &Splat) {
        let [red, green, blue] = splat.radiance.to_array();
        let luminance = luminance(splat.radiance);
        let values = [red, green, blue, luminance * luminance];
        for (place, value) in (SUMS * index..).zip(values) {
            let fixed = to_fixed(value);
            let low = fixed as u64;
            let before = self.low[place].fetch_add(low, Ordering::Relaxed);
            let carry = u32::from(before.checked_add(low).is_none());
            let high = (fixed >> 64) as u32 + carry;
            if high > 0 {
                self.high[place].fetch_add(high, Ordering::Relaxed);
            }
        }
    }

    /// The sum of radiance and of squared luminance of the pixel at `index`; zero if there is no
    /// such pixel.
    pub(super) fn get(&self, index: usize) -> (Vec3A, f64) {
        let Some(low) = self.low.get(SUMS * index..SUMS * (index + 1)) else {
            return (Vec3A::ZERO, 0.0);
        };
        let sum = |at: usize| {
            let high = u128::from(self.high[SUMS * index + at].load(Ordering::Relaxed));
            let fixed = high << 64 | u128::from(low[at].load(Ordering::Relaxed));
            fixed as f64 * 2_f64.powi(-FRACTION_BITS)
        };
        (Vec3A::new(sum(0) as f32, sum(1) as f32, sum(2) as f32), sum(3))
    }
}

fn to_fixed(value: f32) -> u128 {
    (f64::from(value).clamp(0.0, MAX_VALUE) * 2_f64.powi(FRACTION_BITS)) as u128
}

impl Clone for Splats {
    fn clone(&self) -> Self {
        let low = self.low.iter().map(|sum| AtomicU64::new(sum.load(Ordering::Relaxed)));
        let high = self.high.iter().map(|sum| AtomicU32::new(sum.load(Ordering::Relaxed)));
        Self { low: low.collect(), high: high.collect() }
    }
}

impl PartialEq for Splats {
    fn eq(&self, other: &Self) -> bool {
        let get = |sum: &AtomicU64| sum.load(Ordering::Relaxed);
        let get_high = |sum: &AtomicU32| sum.load(Ordering::Relaxed);
        self.low.iter().map(get).eq(other.low.iter().map(get))
            && self.high.iter().map(get_high).eq(other.high.iter().map(get_high))
    }
}

#[cfg(test)]
mod tests {
    use glam::UVec2;

    use super::*;

    fn splat(radiance: [f32; 3]) -> Splat {
        Splat { pixel: UVec2::ZERO, radiance: Vec3A::from_array(radiance) }
    }

    #[test]
    fn sums_carry_and_do_not_depend_on_the_order() {
        let values = [[1e9, 1e-6, 0.25], [3.0, 7e11, 0.0], [40_000.0, 65_536.0, 1e-7]];
        let sums = |order: [usize; 3]| {
            let splats = Splats::new(2);
            for _ in 0..1000 {
                order.into_iter().for_each(|at| splats.add(1, &splat(values[at])));
            }
            splats
        };
        let all = sums([0, 1, 2]);
        assert_eq!(all, sums([2, 0, 1]));
        assert_eq!(all, all.clone());
        let (sum, _) = all.get(1);
        for (channel, sum) in sum.to_array().into_iter().enumerate() {
            let expected: f64 = values.iter().map(|value| 1000.0 * f64::from(value[channel])).sum();
            assert!((f64::from(sum) / expected - 1.0).abs() < 1e-4, "{sum} is not {expected}");
        }
        assert_eq!(all.get(0), (Vec3A::ZERO, 0.0));
        assert_eq!(all.get(2), (Vec3A::ZERO, 0.0));
    }

    #[test]
    fn numbers_without_end_do_no_harm() {
        let splats = Splats::new(1);
        splats.add(0, &splat([f32::MAX, 0.0, f32::MIN_POSITIVE]));
        let (sum, squares) = splats.get(0);
        assert!(sum.is_finite() && squares.is_finite());
    }
}
