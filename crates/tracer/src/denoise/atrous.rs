//! The edge-avoiding a-trous wavelet.

use super::planes::{Planes, Rows};
use super::signal::{Borders, NEARNESS, SHARPNESS, SLOPE, Signal, VARIANCE, luminance};

/// The number of levels; the taps of the last one are 16 pixels apart.
const LEVELS: u32 = 5;
/// A difference of this many standard deviations divides the weight by e.
const DEVIATIONS: f32 = 2.0;
/// Avoids division by 0 for dark and noiseless pixels.
const MIN_VARIANCE: f32 = 1e-10;
/// Weights of taps by the number of their non-zero coordinates.
const KERNEL: [f32; 3] = [0.25, 0.125, 0.0625];

/// Smooths the signal with all levels.
pub(super) fn smooth(borders: &Borders, mut signal: Signal, all_rows: Rows<'_>) -> Signal {
    let mut smoothed = signal.clone();
    let mut light = Planes::<1>::new(signal.width(), signal.height());
    for level in 0..LEVELS {
        all_rows.fill(&mut light, |y, [row]| {
            luminance(signal.row(0, y), signal.row(1, y), signal.row(2, y), row);
        });
        let level = Level { borders, signal: &signal, light: &light, step: 1 << level };
        all_rows.fill(&mut smoothed, |y, sums| level.gather(y, sums));
        std::mem::swap(&mut signal, &mut smoothed);
    }
    signal
}

/// A fast approximation of e^-difference; 0 from 4 on.
#[inline(always)]
fn weight(difference: f32) -> f32 {
    let root = (1.0 - 0.25 * difference).max(0.0);
    root * root * (root * root)
}

struct Level<'a> {
    borders: &'a Borders,
    signal: &'a Signal,
    /// Its luminance.
    light: &'a Planes<1>,
    /// Pixels between taps.
    step: usize,
}

/// A tap for a range of pixels of a row.
struct Tap {
    row: usize,
    first: usize,
    other_row: usize,
    other_first: usize,
    count: usize,
    /// The offset from the pixel to the tap.
    shift: [f32; 2],
    kernel: f32,
}

impl Level<'_> {
    /// Computes the weighted means of a row.
    fn gather(&self, y: usize, mut sums: [&mut [f32]; 4]) {
        let (width, height) = (self.signal.width(), self.signal.height());
        let [own, ..] = KERNEL;
        let mut total = vec![own; width];
        let mut weights = vec![0.0; width];
        for (plane, sum) in sums.iter_mut().enumerate() {
            let own = if plane == VARIANCE { own * own } else { own };
            let row = self.signal.row(plane, y);
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum = own * value);
        }
        let step = self.step as isize;
        for (dy, dx) in [-1, 0, 1].into_iter().flat_map(|dy| [-1, 0, 1].map(|dx| (dy, dx))) {
            let other = y as isize + dy * step;
            let first = (-dx * step).max(0) as usize;
            let end = width.saturating_sub((dx * step).max(0) as usize);
            if (dx, dy) == (0, 0) || other < 0 || other >= height as isize || first >= end {
                continue;
            }
            let tap = Tap {
                row: y,
                first,
                other_row: other as usize,
                other_first: (first as isize + dx * step) as usize,
                count: end - first,
                shift: [(dx * step) as f32, (dy * step) as f32],
                kernel: KERNEL[(dx.abs() + dy.abs()) as usize],
            };
            self.weigh(&tap, &mut weights[..tap.count]);
            self.add(&tap, &weights[..tap.count], &mut total, &mut sums);
        }
        let [red, green, blue, variance] = sums;
        for (x, total) in total.into_iter().enumerate() {
            let share = 1.0 / total;
            red[x] *= share;
            green[x] *= share;
            blue[x] *= share;
            variance[x] *= share * share;
        }
    }

    /// The weights of the tap at each pixel. A plain loop over slices of equal length, which the
    /// compiler vectorises.
    fn weigh(&self, tap: &Tap, weights: &mut [f32]) {
        let n = weights.len();
        let here = |plane| &self.borders.row(plane, tap.row)[tap.first..][..n];
        let there = |plane| &self.borders.row(plane, tap.other_row)[tap.other_first..][..n];
        let ([p0, p1, p2, p3, p4, p5], [q0, q1, q2, q3, q4, q5]) =
            ([0, 1, 2, 3, 4, 5].map(here), [0, 1, 2, 3, 4, 5].map(there));
        let (near, near_there) = (here(NEARNESS), there(NEARNESS));
        let (slope_x, slope_y, sharpness) = (here(SLOPE), here(SLOPE + 1), here(SHARPNESS));
        let light = &self.light.row(0, tap.row)[tap.first..][..n];
        let light_there = &self.light.row(0, tap.other_row)[tap.other_first..][..n];
        let variance = &self.signal.row(VARIANCE, tap.row)[tap.first..][..n];
        let variance_there = &self.signal.row(VARIANCE, tap.other_row)[tap.other_first..][..n];
        let [dx, dy] = tap.shift;
        let square = |x: f32| x * x;
        for at in 0..n {
            let borders = square(p0[at] - q0[at])
                + square(p1[at] - q1[at])
                + square(p2[at] - q2[at])
                + square(p3[at] - q3[at])
                + square(p4[at] - q4[at])
                + square(p5[at] - q5[at]);
            let foretold = near[at] + dx * slope_x[at] + dy * slope_y[at];
            let depth = square(near_there[at] - foretold) * sharpness[at];
            let noise = variance[at] + variance_there[at] + MIN_VARIANCE;
            let apart = square(light[at] - light_there[at]) / (DEVIATIONS * DEVIATIONS * noise);
            weights[at] = tap.kernel * weight(borders + depth + apart);
        }
    }

    fn add(&self, tap: &Tap, weights: &[f32], total: &mut [f32], sums: &mut [&mut [f32]; 4]) {
        let n = weights.len();
        let total = &mut total[tap.first..][..n];
        total.iter_mut().zip(weights).for_each(|(total, weight)| *total += weight);
        for (plane, sum) in sums.iter_mut().enumerate() {
            let values = &self.signal.row(plane, tap.other_row)[tap.other_first..][..n];
            let sum = &mut sum[tap.first..][..n];
            if plane == VARIANCE {
                for at in 0..n {
                    sum[at] += weights[at] * weights[at] * values[at];
                }
            } else {
                for at in 0..n {
                    sum[at] += weights[at] * values[at];
                }
            }
        }
    }
}
